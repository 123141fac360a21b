import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { Client } from 'pg'
import { createPostgresDatabase, TEST_ENGINE } from '../../../../test/support/test-engine.ts'
import type { TestScope } from '../../../../test/support/test-storage.ts'
import type { Compilable, Storage, Transaction } from '../../engine.ts'
import { openStorage } from '../../open.ts'

/*
 * Connections that PostgreSQL is told to end, in every moment of a write. Whoever asked is told that nothing was done, or
 * that nobody knows, and the write is done otherwise: once.
 */

const skip = TEST_ENGINE === 'sqlite' && 'is about connections of PostgreSQL'

function text<Row>(sql: string): Compilable<Row> {
  return { compile: () => ({ sql, parameters: [] }) }
}

interface Opened {
  readonly storage: Storage
  /** As another process has it open. */
  readonly another: Storage
  /** Ends all connections of the storage, and returns when they are gone. */
  end(which?: string): Promise<void>
  /** Resolves when some connection of the storage is in this state. */
  until(condition: string): Promise<void>
  count(key: string): Promise<number>
  /** The first error of a connection that was reported. */
  readonly reported: Promise<unknown>
}

async function open(t: TestScope): Promise<Opened> {
  const database = await createPostgresDatabase('all tables')
  const reported = Promise.withResolvers<unknown>()
  const quiet = { database, report: reported.resolve, notice: () => undefined }
  const [storage, another] = await Promise.all([openStorage(quiet), openStorage(quiet)])
  const admin = new Client(database)
  await admin.connect()
  t.after(async () => {
    await Promise.all([storage.close(), another.close()])
    await admin.end()
  })
  const others = 'pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
  const rows = async (sql: string) => (await admin.query<{ pid: number; n: number }>(sql)).rows
  const until = async (condition: string): Promise<void> => {
    while ((await rows(`select pid from ${others} and (${condition})`)).length === 0);
  }
  const end = async (which = 'true'): Promise<void> => {
    const ended = await rows(`select pid, pg_terminate_backend(pid) from ${others} and (${which})`)
    const pids = ended.map(({ pid }) => pid).join(',') || '0'
    while ((await rows(`select pid from pg_stat_activity where pid in (${pids})`)).length > 0);
  }
  const count = async (key: string): Promise<number> =>
    Number((await rows(`select count(*) as n from meta where key = '${key}'`))[0]?.n)
  return { storage, another, end, until, count, reported: reported.promise }
}

function insert(tx: Transaction, key: string): Promise<unknown> {
  return tx.run(tx.db.insertInto('meta').values({ key, value: 'x' }))
}

async function outcome(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'done',
    (error: { code?: string; message: string }) => error.code ?? error.message,
  )
}

const TRANSACTION = `query ilike '%insert%' or state like 'idle in transaction%'`

test('a write whose idle connection was ended is done', { skip }, async (t) => {
  const { storage, end, count } = await open(t)
  for (let turn = 0; turn < 20; turn += 1) {
    await storage.write((tx) => insert(tx, `before ${turn}`))
    await end()
    assert.equal(await outcome(storage.write((tx) => insert(tx, `after ${turn}`))), 'done')
    assert.equal(await count(`after ${turn}`), 1)
  }
})

test('the report of an idle connection that was ended tells nothing of the connection', { skip }, async (t) => {
  const { storage, end, reported } = await open(t)
  await storage.all(text('select 12345'))
  await end(`query = 'select 12345'`)
  const error = await reported
  assert.match(String(error), /terminating connection|Connection terminated/)
  assert.doesNotMatch(inspect(error, { depth: 5 }), /secretKey/)
})

test('a write whose connection is ended in a statement is done once when it is run again', { skip }, async (t) => {
  const { storage, end, until, count } = await open(t)
  let runs = 0
  const writing = storage.write(async (tx) => {
    await insert(tx, 'again')
    runs += 1
    if (runs === 1) await tx.first(text('select pg_sleep(600)'))
  })
  await until(`wait_event = 'PgSleep'`)
  await end(`wait_event = 'PgSleep'`)
  assert.equal(await outcome(writing), 'done')
  assert.deepEqual([runs, await count('again')], [2, 1])
})

test('a write whose connections are all ended in a statement is unavailable and did nothing', { skip }, async (t) => {
  const { storage, end, until, count } = await open(t)
  let runs = 0
  const told = outcome(
    storage.write(async (tx) => {
      await insert(tx, 'never')
      runs += 1
      await tx.first(text('select pg_sleep(600)'))
    }),
  )
  for (let turn = 0; turn < 5; turn += 1) {
    await until(`wait_event = 'PgSleep'`)
    await end(`wait_event = 'PgSleep'`)
  }
  assert.equal(await told, 'rest_unavailable')
  assert.equal(runs, 5)
  assert.equal(await count('never'), 0)
})

test('a write whose connection is ended between statements is done once, also when its job goes on regardless', {
  skip,
}, async (t) => {
  const { storage, end, count } = await open(t)
  let runs = 0
  const writing = storage.write(async (tx) => {
    await insert(tx, 'between')
    runs += 1
    if (runs > 1) return
    await end(TRANSACTION)
    for (let turn = 0; turn < 3; turn += 1) await insert(tx, `more ${turn}`).catch(() => undefined)
  })
  assert.equal(await outcome(writing), 'done')
  assert.deepEqual([runs, await count('between'), await count('more 0')], [2, 1, 0])
})

test('a write whose connection is ended before its commit is done once, or uncertain', { skip }, async (t) => {
  const { storage, end, count } = await open(t)
  for (let turn = 0; turn < 10; turn += 1) {
    let runs = 0
    const told = await outcome(
      storage.write(async (tx) => {
        await insert(tx, `commit ${turn}`)
        runs += 1
        if (runs === 1) await end(TRANSACTION)
      }),
    )
    assert.ok(['done', 'rest_write_uncertain'].includes(told), told)
    if (told === 'done') assert.equal(await count(`commit ${turn}`), 1)
  }
})

test('a write whose connection is ended inside its commit is uncertain', { skip }, async (t) => {
  const { storage, end, until } = await open(t)
  await storage.write(async (tx) => {
    await tx.run(
      text(`create function slow() returns trigger language plpgsql as $$
        begin perform pg_sleep(600); return null; end $$`),
    )
    await tx.run(
      text(`create constraint trigger slow after insert on meta deferrable initially deferred
        for each row when (new.key = 'slow') execute function slow()`),
    )
  })
  const told = outcome(storage.write((tx) => insert(tx, 'slow')))
  await until(`wait_event = 'PgSleep'`)
  await end(`wait_event = 'PgSleep'`)
  assert.equal(await told, 'rest_write_uncertain')
})

test('a write whose connection is ended while it waits for its turn is done', { skip }, async (t) => {
  const { storage, another, end, until, count } = await open(t)
  const begun = Promise.withResolvers<void>()
  let isOver = false
  const holding = another.write(async (tx) => {
    await insert(tx, 'first')
    begun.resolve()
    while (!isOver) await tx.first(text('select 1'))
  })
  await begun.promise
  const waiting = storage.write((tx) => insert(tx, 'waited'))
  await until(`wait_event_type = 'Lock'`)
  await end(`wait_event_type = 'Lock'`)
  await until(`wait_event_type = 'Lock'`)
  assert.equal(await count('waited'), 0)
  isOver = true
  assert.deepEqual([await outcome(holding), await outcome(waiting)], ['done', 'done'])
  assert.deepEqual([await count('first'), await count('waited')], [1, 1])
})

test('a write whose statement is cancelled by somebody is unavailable and did nothing', { skip }, async (t) => {
  const { storage, until, count } = await open(t)
  const told = outcome(
    storage.write(async (tx) => {
      await insert(tx, 'cancelled')
      await tx.first(text('select pg_sleep(600)'))
    }),
  )
  await until(`wait_event = 'PgSleep'`)
  const asleep = `pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`
  await storage.first(text(`select pg_cancel_backend(pid) from ${asleep}`))
  assert.equal(await told, 'rest_unavailable')
  assert.equal(await count('cancelled'), 0)
})

test('reads whose connections are ended, idle or at work, are answered or unavailable', { skip }, async (t) => {
  const { storage, end, until } = await open(t)
  const one = (): Promise<unknown> => storage.first(text('select 1 as n'))
  for (let turn = 0; turn < 20; turn += 1) {
    await one()
    await end()
    assert.equal(await outcome(one()), 'done')
  }
  const slow = storage.first(text('select pg_sleep(600)'))
  const told = outcome(slow)
  for (let turn = 0; turn < 3; turn += 1) {
    await until(`wait_event = 'PgSleep'`)
    await end(`wait_event = 'PgSleep'`)
  }
  assert.equal(await told, 'rest_unavailable')
})
