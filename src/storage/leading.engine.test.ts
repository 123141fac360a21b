import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { addressOf, ENGINES, openTestStorage, testDatabase } from '../../test/support/test-storage.ts'
import type { Candidate, Storage } from './engine.ts'
import { openStorage } from './open.ts'

/** A candidate that remembers what it was told; `first` resolves with the first election, `end` with the first loss. */
function candidate(): Candidate & {
  readonly told: string[]
  readonly first: Promise<void>
  readonly end: Promise<void>
} {
  const { promise, resolve } = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const told: string[] = []
  return {
    told,
    first: promise,
    end: end.promise,
    elected: async () => {
      told.push('elected')
      resolve()
    },
    lost: () => {
      told.push('lost')
      end.resolve()
    },
  }
}

/** A candidate who continues taking over the background when the storage is closed already. */
function interrupted(storage: Storage) {
  const begins = Promise.withResolvers<void>()
  const goesOn = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  return {
    began: begins.promise,
    elected: async () => {
      begins.resolve()
      await goesOn.promise
      try {
        await storage.all(storage.db.selectFrom('meta').selectAll())
      } finally {
        ended.resolve()
      }
    },
    lost: () => undefined,
    /** Resolves once it has failed, and that was told. */
    fails: async () => {
      goesOn.resolve()
      await ended.promise
      await setImmediate()
    },
  }
}

for (const engine of ENGINES) {
  test(`${engine}: whoever is alone leads at once, and a failure to begin is told`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const one = candidate()
    await storage.lead(one)
    assert.deepEqual(one.told, ['elected'])
    const other = await openTestStorage(engine, t)
    const failing = { elected: () => Promise.reject(new Error('not today')), lost: () => undefined }
    await assert.rejects(other.lead(failing), { message: 'not today' })
  })
}

if (ENGINES.includes('sqlite')) {
  test('while a lock keeps others from writing, the data version changes with own commits alone', async (t) => {
    const database = await testDatabase('sqlite', t)
    const storage = await openStorage({ database, isOnlyWriter: true })
    t.after(() => storage.close())
    const make = (table: string) => ({ compile: () => ({ sql: `create table ${table} (b)`, parameters: [] }) })
    const versions = [storage.dataVersion()]
    await storage.write((tx) => tx.run(make('a')))
    versions.push(storage.dataVersion())
    await storage.write(async (tx) => {
      await tx.run(make('b'))
      await tx.run(make('c'))
    })
    versions.push(storage.dataVersion())
    assert.equal(new Set(versions).size, 3)
    assert.equal(storage.dataVersion(), versions[2])
    await assert.rejects(storage.write((tx) => tx.run(make('a'))))
    assert.equal((await storage.all({ compile: () => ({ sql: 'select * from c', parameters: [] }) })).length, 0)
  })
}

if (ENGINES.includes('postgres')) {
  test('on PostgreSQL a storage that closes while leadership is taken reports nothing', async (t) => {
    const first = await openTestStorage('postgres', t, { report: () => undefined })
    const resign = await first.lead(candidate())
    const reported: unknown[] = []
    const report = (error: unknown) => void reported.push(error)
    const second = await openStorage({ database: addressOf(first), report })
    const one = interrupted(second)
    await second.lead(one)
    await resign()
    await one.began
    const closed = second.close()
    await one.fails()
    await closed
    assert.deepEqual(reported, [])
  })

  test('on PostgreSQL one process leads, and another takes over when it resigns, closes or loses its connection', async (t) => {
    const first = await openTestStorage('postgres', t, { report: () => undefined })
    const database = addressOf(first)
    const second = await openStorage({ database, report: () => undefined })
    const third = await openStorage({ database, report: () => undefined })
    t.after(() => Promise.all([second.close(), third.close()]))
    const [one, two, three] = [candidate(), candidate(), candidate()]
    const resign = await first.lead(one)
    await second.lead(two)
    assert.deepEqual([one.told, two.told], [['elected'], []])
    await resign()
    await two.first
    await third.lead(three)
    assert.deepEqual(three.told, [])
    await second.close()
    await three.first
    const again = candidate()
    await first.lead(again)
    const end = `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and pid <> pg_backend_pid()
      and database = (select oid from pg_database where datname = current_database())`
    await first.write((tx) => tx.run({ compile: () => ({ sql: end, parameters: [] }) }))
    await three.end
    await third.close()
    await again.first
    assert.deepEqual(three.told.slice(0, 2), ['elected', 'lost'])
    assert.deepEqual([one.told, two.told], [['elected'], ['elected']])
  })

  test('on PostgreSQL no leader leaves a transaction open', async (t) => {
    const first = await openTestStorage('postgres', t)
    const second = await openStorage({ database: addressOf(first) })
    t.after(() => second.close())
    await first.lead(candidate())
    await second.lead(candidate())
    const open = `select state, (backend_xid is null and backend_xmin is null)::int as free from pg_stat_activity
      where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`
    const rows = await first.all({ compile: () => ({ sql: open, parameters: [] }) })
    assert.deepEqual(rows, [])
  })
}

if (ENGINES.includes('postgres')) {
  test('a storage that is closed while it still asks for the role leaves no connection behind', async (t) => {
    const first = await openTestStorage('postgres', t)
    const second = await openStorage({ database: addressOf(first), report: () => undefined })
    const asking = second.lead(candidate())
    await second.close()
    await asking
    const held = `select count(*)::int as n from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`
    assert.deepEqual(await first.all({ compile: () => ({ sql: held, parameters: [] }) }), [{ n: 0 }])
  })
}
