import assert from 'node:assert/strict'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { test } from 'node:test'
import { openTestApp } from './support/app.ts'

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
