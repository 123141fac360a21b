import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestApp } from './support/app.ts'

test('what is asked first has run before the port is open, and nothing of it is counted, cached or stored', async (t) => {
  const { app, call } = await openTestApp(t)
  const before = app.storage.stats()
  await app.warm?.()
  const after = app.storage.stats()
  assert.ok(after.readsInline > before.readsInline, 'no list was read')
  assert.ok(after.readsOffloaded > before.readsOffloaded, 'no process that reads was started')
  assert.equal(after.jobs, before.jobs)
  const { status, headers } = await call('anonymous', 'GET', '/events')
  assert.deepEqual([status, headers.get('age')], [200, null])
})

test('a calendar whose database is away says so to those who ask, and not while it warms up', async (t) => {
  const { app } = await openTestApp(t)
  await app.storage.close()
  await app.warm?.()
})
