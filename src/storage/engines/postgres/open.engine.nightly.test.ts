import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addressOf,
  ENGINES,
  openTestStorage,
  type TestScope,
  testClient,
  testDatabase,
} from '../../../../test/support/test-storage.ts'
import { forTheCalendar, onBehalfOf } from '../../../base/requester.ts'
import type { Compilable, Storage, Transaction } from '../../engine.ts'
import { containsText } from '../../expressions.ts'
import { migrate } from '../../migrate.ts'
import { MIGRATIONS } from '../../migrations/index.ts'
import { openStorage } from '../../open.ts'

function text<Row>(sql: string): Compilable<Row> {
  return { compile: () => ({ sql, parameters: [] }) }
}

function insert(tx: Transaction, key: string): Promise<unknown> {
  return tx.run(tx.db.insertInto('meta').values({ key, value: 'x' }))
}

/** Whether an error has a code, and what the database said as its cause. */
function causedBy(code: string, words: RegExp) {
  return (error: { readonly code?: string; readonly cause?: unknown }): boolean =>
    error.code === code && words.test(String(error.cause))
}

async function keys(storage: Storage): Promise<string[]> {
  const rows = await storage.all(storage.db.selectFrom('meta').select('key').orderBy('key'))
  return rows.map(({ key }) => key)
}

/** Ends all connections of a database but the one that says so. */
async function endConnections(storage: Storage): Promise<void> {
  await storage.write((tx) =>
    tx.all(
      text(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`),
    ),
  )
}

test('a server that does not answer is refused without the password and a report', async () => {
  const opening = openStorage({
    database: 'postgres://ann:hidden@127.0.0.1:1/calendar',
    patience: 1,
    report: () => assert.fail('the refusal says it all'),
  })
  await assert.rejects(opening, (error: Error & { code: string }) => {
    assert.equal(error.code, 'database_not_usable')
    assert.match(error.message, /postgres:\/\/127\.0\.0\.1:1\/calendar: .*ECONNREFUSED/)
    assert.doesNotMatch(error.message, /hidden/)
    return true
  })
})

for (const engine of ENGINES.filter((name) => name === 'postgres')) {
  const open = (t: TestScope, options = {}) => openTestStorage(engine, t, { report: () => undefined, ...options })

  test('a wrong password and a database that is not there are refused at once', async (t) => {
    const address = new URL(addressOf(await open(t)))
    const wrong = [
      Object.assign(new URL(address), { password: 'no' }),
      Object.assign(new URL(address), { pathname: '/no' }),
    ]
    for (const { href } of wrong) {
      const opening = openStorage({ database: href, report: () => assert.fail('it was waited for') })
      await assert.rejects(opening, { code: 'database_not_usable' })
    }
  })

  test('a server without TLS is refused when TLS is asked for', async (t) => {
    const database = `${addressOf(await open(t))}?sslmode=require`
    await assert.rejects(openStorage({ database }), /does not support SSL/)
  })

  test('reads and writes go on after the server has ended all connections', async (t) => {
    const storage = await open(t)
    const other = await openStorage({ database: addressOf(storage), report: () => undefined })
    t.after(() => other.close())
    await storage.write((tx) => insert(tx, 'before'))
    await endConnections(other)
    const [read] = await Promise.all([keys(storage), storage.write((tx) => insert(tx, 'after'))])
    assert.ok(read.includes('before'))
    assert.deepEqual(await keys(storage), ['after', 'before'])
  })

  test('a cache trusts nothing while commits of others cannot be heard, and hears them again soon', async (t) => {
    const storage = await open(t)
    const other = await openStorage({ database: addressOf(storage), report: () => undefined })
    t.after(() => other.close())
    const before = storage.dataVersion()
    await endConnections(other)
    while (storage.dataVersion() === before) await new Promise(setImmediate)
    let version = storage.dataVersion()
    for (let last = -1; version !== last; version = storage.dataVersion()) {
      last = version
      await new Promise(setImmediate)
    }
    await other.write((tx) => insert(tx, 'heard'))
    while (storage.dataVersion() === version) await new Promise(setImmediate)
  })

  test('a job whose connection breaks before the commit is run again, and written once', async (t) => {
    const storage = await open(t)
    let runs = 0
    const told: string[] = []
    await storage.write(async (tx) => {
      runs += 1
      await insert(tx, `run ${runs}`)
      tx.afterCommit(() => void told.push(`run ${runs}`))
      if (runs === 1) await tx.all(text('select pg_terminate_backend(pg_backend_pid())'))
    })
    assert.deepEqual([runs, await keys(storage), told], [2, ['run 2'], ['run 2']])
  })

  test('a commit without an answer is not repeated, and what it wrote is looked for', async (t) => {
    const storage = await open(t)
    // The connection ends while the commit runs, so that the client cannot know how it went.
    await storage.write(async (tx) => {
      await tx.run(
        text(`create function fall() returns trigger language plpgsql as $$
          begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$`),
      )
      await tx.run(
        text(`create constraint trigger falling after insert on meta deferrable initially deferred
          for each row when (new.key = 'falling') execute function fall()`),
      )
    })
    let runs = 0
    let heard = 0
    const stop = storage.onExternalCommit(() => {
      heard += 1
    })
    t.after(stop)
    const before = storage.dataVersion()
    const falling = storage.write((tx) => {
      runs += 1
      return insert(tx, 'falling')
    })
    await assert.rejects(falling, { code: 'rest_write_uncertain' })
    assert.equal(runs, 1)
    assert.ok(heard > 0)
    assert.notEqual(storage.dataVersion(), before)
    await storage.write((tx) => insert(tx, 'next'))
    assert.ok((await keys(storage)).includes('next'))
  })

  test('a job that waits too long for its turn fails alone', async (t) => {
    const database = await testDatabase(engine, t)
    const [storage, other] = [await open(t, { database }), await open(t, { database, statementTimeout: 1000 })]
    let release = (): void => undefined
    const isHeld = new Promise<void>((held) => {
      void storage.write(async (tx) => {
        await tx.first(text('select 1'))
        held()
        for (const end = Date.now() + 2500; Date.now() < end; ) await tx.first(text('select pg_sleep(0.05)'))
        release()
      })
    })
    await isHeld
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await assert.rejects(
      other.write((tx) => insert(tx, 'late')),
      { code: 'rest_unavailable' },
    )
    await released
    await other.write((tx) => insert(tx, 'next'))
    assert.ok((await keys(storage)).includes('next'))
  })

  test('a job that conflicts is run again a few times, then rejects', async (t) => {
    const storage = await open(t)
    const conflict = `do $$ begin raise exception 'in the way' using errcode = '40001'; end $$`
    let runs = 0
    const conflicting = (times: number) =>
      storage.write(async (tx) => {
        runs += 1
        await insert(tx, `run ${runs} of ${times}`)
        if (runs <= times) await tx.run(text(conflict))
      })
    await conflicting(2)
    assert.deepEqual(await keys(storage), ['run 3 of 2'])
    runs = 0
    await assert.rejects(conflicting(1000), /in the way/)
    assert.equal(runs, 5)
    assert.deepEqual(await keys(storage), ['run 3 of 2'])
  })

  test('a job that waits for something else ends with its connection, and others follow', async (t) => {
    const storage = await open(t)
    const { promise: begun, resolve: begin } = Promise.withResolvers<number>()
    const hanging = storage.write(async (tx) => {
      await insert(tx, 'hangs')
      begin((await tx.first(text<{ pid: number }>('select pg_backend_pid() as pid')))?.pid ?? 0)
      await tx.run(text(`set local idle_in_transaction_session_timeout = 1`))
      await new Promise(() => undefined)
    })
    await begun
    await assert.rejects(hanging, causedBy('rest_unavailable', /idle-in-transaction/))
    await storage.write((tx) => insert(tx, 'follows'))
    assert.deepEqual(await keys(storage), ['follows'])
  })

  test('a text with a NUL is found by nothing but itself, and fails nothing', async (t) => {
    const storage = await open(t)
    const named = (key: string) => storage.db.selectFrom('meta').select('key').where('key', '=', key)
    assert.deepEqual(await storage.all(named('a\0b')), [])
    await storage.write((tx) => insert(tx, 'a\0b'))
    assert.deepEqual(await storage.all(named('a\0b')), [{ key: 'a\uFFFDb' }])
    assert.deepEqual(await storage.all(named('ab')), [])
  })

  test('a statement that takes too long is given up', async (t) => {
    const storage = await open(t, { statementTimeout: 500, readTimeout: 1000 })
    for (const lane of ['inline', 'offloaded'] as const)
      await assert.rejects(storage.all(text('select pg_sleep(60)'), lane), { code: 'rest_query_too_costly' })
    assert.equal(storage.stats().readsTimedOut, 2)
    await assert.rejects(
      storage.write((tx) => tx.run(text('select pg_sleep(60)'))),
      causedBy('rest_unavailable', /statement timeout/),
    )
    assert.deepEqual(await keys(storage), [])
  })

  test('the calendar itself may read for longer than a request', async (t) => {
    // Long enough for opening and for statements that are quick, on a machine that has much else to do.
    const storage = await open(t, { readTimeout: 500, silence: 2000 })
    const rows = await forTheCalendar(() => storage.all(text(`select pg_sleep(3)::text as slept`)))
    assert.deepEqual(rows, [{ slept: '' }])
  })

  test('a long read that waits for a connection is dropped with its client, short ones pass it by', async (t) => {
    const storage = await open(t, { connections: 2, readTimeout: 60_000 })
    const client = testClient('192.0.2.1')
    const [locked, lock] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = storage.write(async (tx) => {
      await tx.all(text('select pg_advisory_xact_lock(7)'))
      locked.resolve()
      await lock.promise
    })
    await locked.promise
    const waiting = text('select pg_advisory_lock_shared(7), pg_advisory_unlock_shared(7)')
    const running = storage.all(waiting, 'offloaded')
    const dropped = onBehalfOf(client, () => storage.all(text('select 1 as n'), 'offloaded'))
    const late = assert.rejects(dropped, { code: 'rest_too_busy' })
    assert.deepEqual(await storage.all(text('select 2 as n')), [{ n: 2 }])
    client.leave()
    await late
    assert.deepEqual([storage.stats().readsWaiting, storage.stats().readsDropped], [0, 1])
    lock.resolve()
    await Promise.all([holding, running])
  })

  test('a migration may take longer than a statement, and a job that was told to', async (t) => {
    const limits = { statementTimeout: 500, silence: 2000 }
    const storage = await open(t, limits)
    const up = () => ['select pg_sleep(3)']
    const migrations = [...MIGRATIONS, { id: MIGRATIONS.length + 1, name: 'slow', up }]
    assert.equal((await migrate(storage, { now: () => 0, migrations })).length, 1)
    await storage.write((tx) => tx.run(text('select pg_sleep(3)')), 'long')
    await assert.rejects(storage.write((tx) => tx.run(text('select pg_sleep(3)'))))
  })

  test('why text search has no index is told as it is', async (t) => {
    const reports: string[] = []
    const report = (error: unknown, what: string): void => void reports.push(`${what}: ${(error as Error).message}`)
    const storage = await open(t, { report })
    await storage.write(async (tx) => {
      await tx.run(text('drop index entry_text_trigrams'))
      await tx.run(text('alter table entry_text rename to text_of_entry'))
    })
    await migrate(storage, { now: () => 0 })
    assert.deepEqual(reports, [
      'text search has no index and reads every text: it could not be made, which is tried again at the next start: relation "entry_text" does not exist',
    ])
  })

  test('a connection keeps statements prepared up to a limit', async (t) => {
    const storage = await open(t, { connections: 1 })
    for (let n = 0; n < 300; n += 1) assert.deepEqual(await storage.all(text(`select ${n} as n`)), [{ n }])
    const kept = await storage.first(text<{ n: number }>('select count(*) as n from pg_prepared_statements'))
    assert.equal(kept?.n, 200)
  })

  test('a cache trusts nothing while the database has been silent for a second', async (t) => {
    const clock = { now: 1000 }
    const storage = await open(t, { now: () => clock.now })
    assert.equal(storage.dataVersion(), storage.dataVersion())
    // No sign of life is answered within this turn of the event loop, as with a machine that vanished.
    clock.now += 1000
    assert.notEqual(storage.dataVersion(), storage.dataVersion())
  })

  test('a read that was prepared before a migration sees its columns', async (t) => {
    const storage = await open(t, { connections: 1 })
    const every = text<object>('select * from meta')
    await storage.write((tx) => insert(tx, 'a'))
    assert.deepEqual(await storage.all(every), [{ key: 'a', value: 'x' }])
    await storage.write((tx) => tx.run(text('alter table meta add column more integer default 2')))
    assert.deepEqual(await storage.all(every), [{ key: 'a', value: 'x', more: 2 }])
  })

  test('two processes that write the same row add up, because jobs of all of them stand in one line', async (t) => {
    const storage = await open(t)
    const other = await openStorage({ database: addressOf(storage) })
    t.after(() => other.close())
    await storage.write((tx) => tx.run(tx.db.insertInto('meta').values({ key: 'n', value: '0' })))
    const addOne = (one: Storage) =>
      one.write(async (tx) => {
        const row = await tx.first(tx.db.selectFrom('meta').select('value').where('key', '=', 'n'))
        await tx.run(
          tx.db
            .updateTable('meta')
            .set({ value: String(Number(row?.value) + 1) })
            .where('key', '=', 'n'),
        )
      })
    await Promise.all(Array.from({ length: 40 }, (_, index) => addOne(index % 2 === 0 ? storage : other)))
    assert.deepEqual(await storage.all(storage.db.selectFrom('meta').select('value')), [{ value: '40' }])
  })

  test('text search works, and says that it is slow, where the extension may not be created', async (t) => {
    const database = await testDatabase(engine, t)
    const owner = await openStorage({ database, report: () => undefined })
    const role = new URL(database).pathname.slice(1)
    t.after(async () => {
      for (const statement of [`drop owned by "${role}"`, `drop role "${role}"`])
        await owner.write((tx) => tx.run(text(statement)))
      await owner.close()
    })
    await owner.write(async (tx) => {
      await tx.run(text(`create role "${role}" login password 'guest'`))
      await tx.run(text(`grant usage, create on schema public to "${role}"`))
    })
    t.after(() =>
      owner.write((tx) => tx.run(text(`drop owned by "${role}"; drop role "${role}"`))).catch(() => undefined),
    )
    const reports: string[] = []
    const address = Object.assign(new URL(database), { username: role, password: 'guest' })
    const guest = await openStorage({ database: address.href, report: (_error, what) => void reports.push(what) })
    t.after(() => guest.close())
    await migrate(guest, { now: () => 0 })
    assert.match(reports.join(), /^text search has no index .* "create extension pg_trgm"/)
    await guest.write((tx) => tx.run(tx.db.insertInto('entry_text').values({ id: 1, body: 'jazz in the park' })))
    const found = guest.db
      .selectFrom('entry_text')
      .select('id')
      .where(containsText(engine, 'entry_text.id', 'park'))
    assert.deepEqual(await guest.all(found), [{ id: 1 }])
    await owner.write((tx) => tx.run(text('create extension pg_trgm')))
    await migrate(guest, { now: () => 0 })
    assert.equal(reports.length, 1)
    const lines = await guest.write(async (tx) => {
      await tx.run(text('set local enable_seqscan = off'))
      return tx.all<object>(text(`explain select id from entry_text where body like '%park%'`))
    })
    assert.match(JSON.stringify(lines), /entry_text_trigrams/)
  })
}
