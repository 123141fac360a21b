// One engine: the write-ahead log is that of SQLite.
import assert from 'node:assert/strict'
import { existsSync, statSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Lane } from '../../engine.ts'
import { openStorage } from '../../open.ts'
import { written } from '../../statement-builder.ts'
import { testFolder } from '../../testing.ts'
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

/** Bytes of the log beside a database. */
function logSize(path: string): number {
  return statSync(`${path}-wal`).size
}

/** Most bytes of the log: twice those at which the thread waits for readers, and what is written until the next write begins. */
const MOST_BYTES = 136 * 1024 ** 2

test('the log begins anew while writes follow each other and others read', { timeout: 300_000 }, async (t) => {
  const path = join(testFolder(t), 'calendar.db')
  const storage = await openStorage({ database: `sqlite:${path}`, synchronous: 'NORMAL' })
  t.after(() => storage.close())
  const run = (sql: string) => storage.write((tx) => tx.run(written(sql)))
  await run('create table note (id integer primary key, body blob)')
  await run('insert into note values (1, null), (2, null)')
  let [writes, largest] = [0, 0]
  const isDone = (): boolean => writes >= 250
  // Two at a time, so that there is always one that waits for the commit of the other.
  const writer = async (id: number): Promise<void> => {
    while (!isDone()) {
      await run(`update note set body = randomblob(1048576) where id = ${id}`)
      writes += 1
      largest = Math.max(largest, logSize(path))
    }
  }
  const reader = async (lane: Lane): Promise<void> => {
    while (!isDone()) {
      await storage.all(written('select count(body) from note'), lane)
      await storage.pause()
    }
  }
  await Promise.all([writer(1), writer(2), reader('inline'), reader('offloaded')])
  assert.ok(largest < MOST_BYTES, `${largest} bytes`)
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
