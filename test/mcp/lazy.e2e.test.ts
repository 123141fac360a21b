import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { after, test } from 'node:test'

const LATE = /\/src\/mcp\/|\/node_modules\/(?:@modelcontextprotocol|zod)\//

const loaded: string[] = []
registerHooks({
  load: (url, context, next) => {
    if (LATE.test(url)) loaded.push(url)
    return next(url, context)
  },
})

test('nothing of the MCP server is loaded before the first request to it', async () => {
  const { openTestApp } = await import('../support/app.ts')
  const { call, origin } = await openTestApp({ after })
  const event = { title: 'Board meeting', start_date: '2026-11-22 10:00:00', end_date: '2026-11-22 12:00:00' }
  assert.equal((await call('editor', 'POST', '/events', { json: event })).status, 201)
  assert.equal((await call('anonymous', 'GET', '/events')).status, 200)
  assert.equal((await fetch(`${origin}/events/`)).status, 200)
  assert.equal(loaded.join(), '')
  assert.equal((await fetch(`${origin}/mcp`)).status, 405)
  assert.ok(loaded.some((url) => url.includes('/src/mcp/')))
  assert.ok(loaded.some((url) => url.includes('/zod/')))
})
