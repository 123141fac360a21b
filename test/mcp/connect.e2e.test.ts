import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestApp } from '../support/app.ts'
import { connectMcp, connectOlderMcp } from '../support/mcp.ts'

test('official clients of both eras list and call the same tools, with the same results', async (t) => {
  const app = await openTestApp(t)
  await app.call('editor', 'POST', '/venues', { json: { venue: 'Hall' } })
  const newer = await connectMcp(t, app)
  const older = await connectOlderMcp(t, app)
  assert.equal(newer.getNegotiatedProtocolVersion(), '2026-07-28')
  const { tools } = await newer.listTools()
  const { tools: olderTools } = await older.listTools()
  assert.deepEqual(
    olderTools.map(({ name, inputSchema, outputSchema }) => ({ name, inputSchema, outputSchema })),
    tools.map(({ name, inputSchema, outputSchema }) => ({ name, inputSchema, outputSchema })),
  )
  const call = { name: 'find_references', arguments: { kind: 'venue' } }
  const [now, before] = [await newer.callTool(call), await older.callTool(call)]
  assert.deepEqual(now.structuredContent, before.structuredContent)
  assert.deepEqual(now.content, before.content)
  const [resources, olderResources] = [await newer.listResources(), await older.listResources()]
  assert.deepEqual(resources.resources, olderResources.resources)
  const [read, olderRead] = [
    await newer.readResource({ uri: 'kalends://site' }),
    await older.readResource({ uri: 'kalends://site' }),
  ]
  assert.deepEqual(read.contents, olderRead.contents)
})
