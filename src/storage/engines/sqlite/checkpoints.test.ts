import assert from 'node:assert/strict'
import { existsSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { testFolder } from '../../../../test/support/test-storage.ts'
import { openStorage } from '../../open.ts'
import { written } from '../../statement-builder.ts'
import { Checkpoints } from './checkpoints.ts'
import { type Connection, openConnection } from './connection.ts'
import { openExisting, openReadConnection } from './read-connection.ts'

interface Opened {
  readonly path: string
  readonly connection: Connection
  readonly checkpoints: Checkpoints
  readonly reports: unknown[]
}

function openLogged(t: TestContext, areFilesThere = (): boolean => true): Opened {
  const path = join(testFolder(t), 'calendar.db')
  const connection = openConnection(path, { busyTimeout: 1000 })
  connection.pragma('journal_mode = wal')
  connection.exec('create table note (text)')
  const reports: unknown[] = []
  const report = (problem: unknown): void => void reports.push(problem)
  const checkpoints = new Checkpoints({ path, synchronous: 'NORMAL', connection, report, areFilesThere })
  t.after(async () => {
    await checkpoints.close()
    connection.close()
  })
  return { path, connection, checkpoints, reports }
}

function commit({ connection, checkpoints }: Opened, pages: number): void {
  connection.run({ sql: 'insert into note values (zeroblob(?))', parameters: [pages * 4096] })
  checkpoints.afterCommit()
}

function pagesOf({ connection }: Opened): { log: number; checkpointed: number } {
  const { log, checkpointed } = connection.first({ sql: 'pragma wal_checkpoint(noop)', parameters: [] }) ?? {}
  return { log: Number(log), checkpointed: Number(checkpointed) }
}

test('a log of many pages is moved into the database by a thread', async (t) => {
  const opened = openLogged(t)
  commit(opened, 400)
  await pause(0)
  assert.equal(pagesOf(opened).checkpointed, 0)
  commit(opened, 800)
  // At that moment nothing has been moved: the commit has not waited for it.
  assert.ok(pagesOf(opened).checkpointed < pagesOf(opened).log)
  while (pagesOf(opened).checkpointed < pagesOf(opened).log) await pause(5)
  assert.deepEqual(opened.reports, [])
})

test('a log that grows faster than the thread moves it is moved by a commit', (t) => {
  const opened = openLogged(t)
  commit(opened, 50_000)
  const { log, checkpointed } = pagesOf(opened)
  assert.equal(checkpointed, log)
})

test('a write waits until a long log has been moved, and begins it anew', { timeout: 300_000 }, async (t) => {
  const path = join(testFolder(t), 'calendar.db')
  const storage = await openStorage({ database: `sqlite:${path}`, synchronous: 'NORMAL' })
  t.after(() => storage.close())
  const run = (sql: string) => storage.write((tx) => tx.run(written(sql)))
  await run('create table note (id integer primary key, body blob)')
  const watching = openReadConnection(path)
  t.after(() => watching.close())
  const pages = (): number =>
    Number(watching.first<{ log: number }>({ sql: 'pragma wal_checkpoint(noop)', parameters: [] })?.log)
  for (let round = 0; round < 3; round += 1) {
    await run(`insert into note (body) values (zeroblob(${9_000 * 4096}))`)
    assert.ok(pages() > 9_000, `${pages()} pages`)
    // One write after the other: the thread has all of the log to move when this one comes.
    await run('insert into note (body) values (null)')
    assert.ok(pages() < 100, `${pages()} pages in round ${round}`)
  }
})

test('a log that somebody reads is left alone, and begins anew when nobody does', async (t) => {
  const opened = openLogged(t)
  const { path, connection, checkpoints } = opened
  const reader = openReadConnection(path)
  t.after(() => reader.close())
  commit(opened, 20)
  reader.exec('begin')
  reader.first({ sql: 'select count(*) from note', parameters: [] })
  commit(opened, 10_000)
  await checkpoints.room()
  commit(opened, 10)
  assert.ok(pagesOf(opened).log > 10_000)
  reader.exec('commit')
  commit(opened, 2_000)
  await checkpoints.room()
  commit(opened, 10)
  assert.ok(pagesOf(opened).log < 100, `${pagesOf(opened).log} pages`)
  assert.equal(connection.first<{ n: number }>({ sql: 'select count(*) as n from note', parameters: [] })?.n, 5)
  assert.deepEqual(opened.reports, [])
})

test('files that are not those that were opened are left alone, and none is made', (t) => {
  const opened = openLogged(t, () => false)
  commit(opened, 1_200)
  assert.equal(pagesOf(opened).checkpointed, 0)
  unlinkSync(opened.path)
  assert.throws(() => openExisting(opened.path, 'NORMAL').pragma('wal_checkpoint(passive)'), /unable to open/)
  assert.ok(!existsSync(opened.path))
})
