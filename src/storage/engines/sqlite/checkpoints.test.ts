// One engine: the write-ahead log is that of SQLite.
import assert from 'node:assert/strict'
import { existsSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { testFolder } from '../../testing.ts'
import { Checkpoints } from './checkpoints.ts'
import { type Connection, openConnection } from './connection.ts'
import { openExisting } from './read-connection.ts'

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

test('files that are not those that were opened are left alone, and none is made', (t) => {
  const opened = openLogged(t, () => false)
  commit(opened, 1_200)
  assert.equal(pagesOf(opened).checkpointed, 0)
  unlinkSync(opened.path)
  assert.throws(() => openExisting(opened.path, 'NORMAL').pragma('wal_checkpoint(passive)'), /unable to open/)
  assert.ok(!existsSync(opened.path))
})
