import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestApp } from '../support/app.ts'
import { connectMcp, connectOlderMcp } from '../support/mcp.ts'

test('official clients of both eras list and call the same tools, with the same results', async (t) => {
  const app = await openTestApp(t)
  const newer = await connectMcp(t, app)
  const older = await connectOlderMcp(t, app)
  assert.equal(newer.getNegotiatedProtocolVersion(), '2026-07-28')
  const { tools } = await newer.listTools()
  const { tools: olderTools } = await older.listTools()
  assert.deepEqual(
    olderTools.map(({ name, inputSchema, outputSchema }) => ({ name, inputSchema, outputSchema })),
    tools.map(({ name, inputSchema, outputSchema }) => ({ name, inputSchema, outputSchema })),
  )
  const { body: hall } = await app.call('editor', 'POST', '/venues', { json: { venue: 'Hall' } })
  const event = { title: 'Fair', start_date: '2026-12-01 10:00:00', end_date: '2026-12-01 12:00:00', venue: hall.id }
  const { body: fair } = await app.call('editor', 'POST', '/events', { json: { ...event, status: 'publish' } })
  const when = { start: '2026-12-01T10:00', end: '2026-12-01T12:00' }
  for (const [name, args] of Object.entries({
    search_events: {},
    get_event: { id: fair.id },
    find_references: { kind: 'venue' },
    preview_recurrence: { ...when, recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] },
    check_conflicts: { ...when, venue: hall.id },
    list_changes: {},
  })) {
    const call = { name, arguments: args }
    const [now, before] = [await newer.callTool(call), await older.callTool(call)]
    assert.notEqual(now.isError, true, name)
    assert.deepEqual(now.structuredContent, before.structuredContent, name)
    assert.deepEqual(now.content, before.content, name)
  }
  const [resources, olderResources] = [await newer.listResources(), await older.listResources()]
  assert.deepEqual(resources.resources, olderResources.resources)
  const [read, olderRead] = [
    await newer.readResource({ uri: 'kalends://site' }),
    await older.readResource({ uri: 'kalends://site' }),
  ]
  assert.deepEqual(read.contents, olderRead.contents)
})

test('official clients of both eras call the tools that change something', async (t) => {
  const app = await openTestApp(t)
  const place = { ...app, headers: { authorization: app.authorization('editor') } }
  for (const client of [await connectMcp(t, place), await connectOlderMcp(t, place)]) {
    const call = async (name: string, args: object): Promise<{ id: number; version: string; status: string }> => {
      const { isError, structuredContent, content } = await client.callTool({ name, arguments: { ...args } })
      assert.notEqual(isError, true, JSON.stringify(content))
      return structuredContent as { id: number; version: string; status: string }
    }
    const start = { start: '2026-12-01T10:00', end: '2026-12-01T12:00', allow_duplicate: true }
    const { id, version: first, status } = await call('create_event', { title: 'Fair', ...start })
    assert.equal(status, 'draft')
    const { version: second } = await call('update_event', { id, if_match: first, changes: { title: 'Great fair' } })
    const { version: third } = await call('cancel_event', { id, if_match: second, reason: 'Rain' })
    assert.equal((await call('trash_event', { id, if_match: third })).status, 'trash')
    assert.equal((await call('restore_event', { id })).status, 'draft')
  }
})
