import assert from 'node:assert/strict'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { test } from 'node:test'
import { openTestApp } from './support/app.ts'

// In a process of its own, which has read no file for browsers before.
test('a file for browsers that cannot be read stops the start, and no page waits until they are read', async (t) => {
  const { app, call, origin } = await openTestApp(t)
  const { readFileSync } = fs
  let isBroken = true
  let count = 0
  const read = t.mock.method(fs, 'readFileSync', (...given: Parameters<typeof readFileSync>) => {
    if (String(given[0]).includes('/pages/client/')) count += 1
    if (isBroken && String(given[0]).endsWith('/suggest.ts')) throw new Error('no such file')
    return readFileSync(...given)
  })
  syncBuiltinESMExports()
  t.after(() => {
    read.mock.restore()
    syncBuiltinESMExports()
  })
  await assert.rejects(async () => app.warm?.(), /no such file/)
  isBroken = false
  await app.warm?.()
  const before = count
  assert.ok(before > 0)
  assert.equal((await call('anonymous', 'GET', `${origin}/events/`)).status, 200)
  assert.equal(count, before)
})
