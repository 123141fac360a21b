import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import { Client } from 'pg'
import { addressOf, ENGINES, openTestStorage } from '../../../test/support/test-storage.ts'
import type { Storage } from '../engine.ts'
import { openStorage } from '../open.ts'
import { record } from './append.ts'
import { followExternalChanges } from './external-changes.ts'
import { subscribe } from './subscribe.ts'

const AT = '2026-05-01 10:00:00'

const change = (storage: Storage, id: number): Promise<void> =>
  storage.write(async (tx) => {
    record(tx, { actor: null, resource: 'event', id, revision: 1, action: 'create', at: AT, snapshot: { id } })
  })

const text = (sql: string) => ({ compile: () => ({ sql, parameters: [] }) })

const fail = (error: unknown): void => assert.fail(String(error))

for (const engine of ENGINES) {
  test(`${engine}: what is known of the journal moves with own writes before their writer goes on`, async (t) => {
    const storage = await openTestStorage(engine, t)
    await change(storage, 1)
    const hearing = await followExternalChanges(storage, fail)
    assert.equal(hearing.seq(), 1)
    await change(storage, 2)
    assert.equal(hearing.seq(), 2)
    await hearing.stop()
  })
}

if (ENGINES.includes('sqlite')) {
  test('where nobody tells of other processes, what they wrote is found in the journal after some own writes', async (t) => {
    const other = await openTestStorage('sqlite', t)
    const storage = await openStorage({ database: addressOf(other), synchronous: 'NORMAL' })
    t.after(() => storage.close())
    const hearing = await followExternalChanges(storage, fail)
    await change(other, 1000)
    const told = new Promise<void>((resolve) => {
      subscribe(storage, (entries) => void (entries.some(({ id }) => id === 1000) && resolve()))
    })
    await Promise.all(Array.from({ length: 200 }, (_, id) => change(storage, id)))
    await told
    await hearing.stop()
  })
}

if (ENGINES.includes('postgres')) {
  /** Two processes on one database; what the second one is told, and a promise for the moment when it knows enough. */
  async function openTwo(t: Parameters<typeof openTestStorage>[1]) {
    const writer = await openTestStorage('postgres', t)
    const reader = await openStorage({ database: addressOf(writer), report: () => undefined })
    t.after(() => reader.close())
    const hearing = await followExternalChanges(reader, fail)
    const told: number[] = []
    let look = (): void => undefined
    subscribe(reader, (entries) => {
      told.push(...entries.map(({ seq }) => seq))
      look()
    })
    const until = (condition: () => boolean): Promise<void> =>
      new Promise((resolve) => {
        look = () => void (condition() && resolve())
        look()
      })
    return { writer, reader, hearing, told, until }
  }

  test('listeners of one process are told of every write of another, in order, with what it says', async (t) => {
    const { writer, reader, hearing, told, until } = await openTwo(t)
    const heard: unknown[] = []
    subscribe(reader, (entries) => heard.push(...entries.map(({ id, snapshot }) => [id, snapshot])))
    for (let id = 1; id <= 30; id += 1) await change(writer, id)
    await until(() => told.length >= 30)
    assert.deepEqual(
      told,
      Array.from({ length: 30 }, (_, index) => index + 1),
    )
    assert.deepEqual(heard[4], [5, { id: 5 }])
    assert.equal(hearing.seq(), 30)
    await hearing.stop()
  })

  test('of writes of two processes at once each is told of all, and of foreign ones once', async (t) => {
    const { writer, reader, hearing, told, until } = await openTwo(t)
    const own = new Set<number>()
    subscribe(reader, (entries) => {
      for (const { id, seq } of entries) if (id < 100) own.add(seq)
    })
    const all = Array.from({ length: 20 }, (_, index) => [change(reader, index), change(writer, 100 + index)])
    await Promise.all(all.flat())
    await until(() => new Set(told).size === 40)
    const foreign = told.filter((seq) => !own.has(seq))
    assert.deepEqual(
      foreign,
      [...new Set(foreign)].toSorted((a, b) => a - b),
    )
    assert.equal(foreign.length, 20)
    await hearing.stop()
  })

  test('who was told a number by another process waits for it, and not for one that nobody has written', async (t) => {
    const { writer, reader, hearing } = await openTwo(t)
    for (let id = 1; id <= 5; id += 1) {
      await change(writer, id)
      await hearing.reach(id)
      assert.ok(hearing.seq() >= id)
    }
    await change(reader, 6)
    await hearing.reach(6)
    await hearing.reach(Number.NaN)
    await hearing.reach(7)
    assert.equal(hearing.seq(), 6)
    await hearing.stop()
  })

  test('what was written while the connection was lost is told when it is there again', async (t) => {
    const { writer, hearing, told, until } = await openTwo(t)
    await change(writer, 1)
    await until(() => told.length === 1)
    await writer.write(async (tx) => {
      const end = `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and (query like 'listen%' or query = 'select 1')`
      await tx.run({ compile: () => ({ sql: end, parameters: [] }) })
    })
    await Promise.all([change(writer, 2), change(writer, 3)])
    await until(() => told.length === 3)
    assert.deepEqual(told, [1, 2, 3])
    await hearing.stop()
  })

  test('what could not be read when it was written is told a second later, and the failure is reported once', async (t) => {
    const writer = await openTestStorage('postgres', t)
    const reader = await openStorage({ database: addressOf(writer) })
    t.after(() => reader.close())
    const failures = new EventEmitter()
    const failed = once(failures, 'failure')
    const reported: unknown[] = []
    const hearing = await followExternalChanges(reader, (error) => {
      reported.push(error)
      failures.emit('failure')
    })
    const told = new Promise<number>((resolve) => subscribe(reader, ([entry]) => resolve(entry?.id ?? 0)))
    // Whoever fixes the table tells nobody: only looking again finds the entry.
    const silent = new Client(addressOf(writer))
    await silent.connect()
    await writer.write(async (tx) => {
      record(tx, { actor: null, resource: 'event', id: 7, revision: 1, action: 'create', at: AT, snapshot: null })
      tx.atEnd(() => tx.run(text('alter table journal rename to journal_away')).then(() => undefined))
    })
    await failed
    await silent.query('alter table journal_away rename to journal')
    await silent.end()
    assert.equal(await told, 7)
    await hearing.reach(1)
    assert.deepEqual(reported.map(String), ['error: relation "journal" does not exist'])
    await hearing.stop()
  })
}
