import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Reader, Storage } from '../../engine.ts'
import { migrate } from '../../migrate.ts'
import { openStorage } from '../../open.ts'
import { type Connection, openConnection, ReadSnapshot } from './connection.ts'
import { BUSY_TIMEOUT, openReadConnection } from './read-connection.ts'

const macrotask = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

async function tempFile(t: { after(step: () => Promise<void>): void }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kalends-turn-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'turn.db')
}

/** A connection that reads in turns, and another one that writes to the same file. */
async function openTurn(t: TestContext): Promise<{ other: Connection; connection: Connection; turn: ReadSnapshot }> {
  const path = await tempFile(t)
  const other = openConnection(path, { busyTimeout: BUSY_TIMEOUT })
  other.pragma('journal_mode = wal')
  other.exec('create table note (id integer primary key)')
  const connection = openReadConnection(path)
  t.after(() => {
    connection.close()
    other.close()
  })
  return { other, connection, turn: new ReadSnapshot(connection, other) }
}

const COUNT = { sql: 'select count(*) as count from note', parameters: [] }

test('reads of one turn see one state, and the next turn sees what others committed', async (t) => {
  const { other, connection, turn } = await openTurn(t)
  const count = (): unknown => turn.connection.first(COUNT)?.['count']
  assert.equal(count(), 0)
  other.exec('insert into note default values')
  await Promise.resolve()
  assert.equal(count(), 0)
  turn.renew()
  assert.equal(count(), 1)
  other.exec('insert into note default values')
  await Promise.resolve().then(() => Promise.resolve())
  assert.equal(count(), 1)
  await macrotask()
  assert.equal(connection.inTransaction, false)
  assert.equal(count(), 2)
})

test('after a commit the rest of the turn reads where it was written, and no transaction of a writer', async (t) => {
  const { other, connection, turn } = await openTurn(t)
  const count = (): unknown => turn.connection.first(COUNT)?.['count']
  assert.equal(count(), 0)
  other.exec('insert into note default values')
  turn.follow()
  assert.equal(count(), 1)
  assert.equal(turn.connection, other)
  assert.equal(connection.inTransaction, false)
  await macrotask()
  assert.equal(other.inTransaction, false)
  assert.equal(turn.connection, connection)
  turn.renew()
  turn.follow()
  other.exec('begin immediate; insert into note default values')
  assert.equal(count(), 1)
  assert.equal(turn.connection, connection)
  other.exec('commit')
})

test('a callback of the event loop never reads what an earlier one has begun to read', async (t) => {
  const { other, turn } = await openTurn(t)
  const seen: unknown[] = []
  const look = (): void => void seen.push(turn.connection.first(COUNT)?.['count'])
  // Both are called in the same phase of the loop.
  const both = [1, 2].map(
    () =>
      new Promise<void>((resolve) =>
        setImmediate(() => {
          look()
          void Promise.resolve().then(look)
          other.exec('insert into note default values')
          resolve()
        }),
      ),
  )
  await Promise.all(both)
  await macrotask()
  assert.deepEqual(seen, [0, 0, 1, 1])
})

test('who writes reads what he wrote, also in the turn of the commit', async (t) => {
  const path = await tempFile(t)
  const storage: Storage = await openStorage({ database: `sqlite:${path}` })
  t.after(() => storage.close())
  await migrate(storage, { now: () => 0 })
  const keys = async (reader: Reader): Promise<number> =>
    (await reader.all(reader.db.selectFrom('meta').select('key'))).length
  const before = await keys(storage)
  for (let number = 1; number <= 20; number += 1) {
    // Others read in the very turn in which the job runs.
    const reading = Promise.all([keys(storage), macrotask().then(() => keys(storage))])
    const version = storage.dataVersion()
    await storage.write(async (tx) => {
      await keys(storage)
      await tx.run(tx.db.insertInto('meta').values({ key: `turn-${number}`, value: 'x' }))
    })
    assert.equal(await keys(storage), before + number)
    assert.notEqual(storage.dataVersion(), version)
    await reading
  }
})
