import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, openTestStorage, type TestScope } from '../../../test/support/test-storage.ts'
import { fail } from '../../base/errors.ts'
import { type LongWork, type NewLongWork, openLongWork } from './index.ts'

const BY = { id: 7, name: 'ada' }

/** Two processes of one calendar, with a clock that is set. */
async function twoProcesses(engine: (typeof ENGINES)[number], t: TestScope) {
  const storage = await openTestStorage(engine, t)
  const clock = { now: Date.parse('2026-11-20T18:00:00Z') }
  const errors: unknown[] = []
  const parts = { storage, now: () => clock.now, report: (error: unknown) => void errors.push(error) }
  return { clock, errors, one: openLongWork(parts), other: openLongWork(parts) }
}

/** Work that ends when it is told to, or stopped. */
function held(lane = 'backup') {
  const gate = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const work: NewLongWork = {
    ...{ kind: 'backup', lane, by: BY, about: { folder: 'x' } },
    run: async ({ signal, progress }) => {
      progress({ done: 3, total: 9 })
      signal.addEventListener('abort', () => gate.resolve())
      begun.resolve()
      await gate.promise
      signal.throwIfAborted()
      return { rows: 12 }
    },
  }
  return { work, begun: begun.promise, end: () => gate.resolve() }
}

/** The entry once it has ended: each look is a query, and work takes as long as it takes. */
async function ended(work: LongWork, id = 0, isEnd = (state?: string) => state !== 'running') {
  for (;;) {
    const entry = await work.find(id)
    if (isEnd(entry?.state)) return entry
    await new Promise(setImmediate)
  }
}

for (const engine of ENGINES) {
  test(`${engine}: every process sees how long work stands, and of a lane one goes on at a time`, async (t) => {
    const { one, other, errors } = await twoProcesses(engine, t)
    const { work, begun, end } = held()
    const id = await one.begin(work)
    await begun
    const seen = await other.find(id ?? 0)
    assert.deepEqual([seen?.state, seen?.by, seen?.about], ['running', BY, '{"folder":"x"}'])
    assert.equal(await other.begin(held().work), undefined)
    const elsewhere = held('bulk 7')
    assert.notEqual(await other.begin(elsewhere.work), undefined)
    elsewhere.end()
    end()
    const entry = await ended(other, id)
    assert.deepEqual([entry?.state, entry?.done, entry?.total, entry?.outcome], ['done', 3, 9, '{"rows":12}'])
    const next = held()
    next.end()
    assert.equal((await ended(other, await other.begin(next.work)))?.state, 'done')
    assert.deepEqual(errors, [])
  })

  test(`${engine}: what fails says why, and what nobody foresaw goes to the log`, async (t) => {
    const { one, errors } = await twoProcesses(engine, t)
    const failing = (error: Error): NewLongWork => ({ ...held().work, run: () => Promise.reject(error) })
    const refused = await ended(one, await one.begin(failing(fail('no_such_user', { name: 'eve' }))))
    assert.deepEqual([refused?.state, refused?.problem], ['failed', { code: 'no_such_user', slots: { name: 'eve' } }])
    assert.deepEqual(errors, [])
    const unforeseen = new Error('unforeseen')
    const broken = await ended(one, await one.begin(failing(unforeseen)))
    assert.deepEqual(broken?.problem, { code: 'internal_server_error', slots: {} })
    assert.deepEqual(errors, [unforeseen])
  })

  test(`${engine}: another process stops work`, async (t) => {
    const { one, other } = await twoProcesses(engine, t)
    const { work, begun } = held()
    const id = (await one.begin(work)) ?? 0
    await begun
    await other.stop(id)
    assert.equal((await ended(other, id))?.state, 'stopped')
  })

  test(`${engine}: work of a process that ends or dies is said to be broken off`, async (t) => {
    const { one, other, clock } = await twoProcesses(engine, t)
    const closed = held()
    const id = (await one.begin(closed.work)) ?? 0
    await closed.begun
    await one.close()
    assert.equal((await other.find(id))?.state, 'lost')
    assert.equal(await one.begin(held().work), undefined)
    const { work, begun, end } = held()
    const last = (await other.begin(work)) ?? 0
    await begun
    // The clock runs on faster than signs of life are given.
    clock.now += 120_000
    assert.equal((await other.find(last))?.state, 'lost')
    end()
    // It lived all the same, and says so.
    await ended(other, last, (state) => state === 'done')
  })

  test(`${engine}: a hundred reports are kept, for three months`, async (t) => {
    const { one, clock } = await twoProcesses(engine, t)
    const quick: NewLongWork = { ...held().work, run: async () => ({}) }
    for (let number = 1; number <= 103; number += 1) await ended(one, await one.begin(quick))
    const recent = await one.recent('backup')
    assert.deepEqual([recent[0]?.id, recent[0]?.outcome, recent.length], [103, '{}', 25])
    assert.deepEqual([(await one.find(4))?.state, await one.find(3)], ['done', undefined])
    clock.now += 91 * 86_400_000
    assert.deepEqual([await one.recent('backup'), await one.recentOfAll()], [[], []])
    await ended(one, await one.begin(quick))
    assert.equal(await one.find(103), undefined)
  })

  test(`${engine}: reports outlive work that leaves none, and work of other kinds`, async (t) => {
    const { one } = await twoProcesses(engine, t)
    const kept = await one.begin({ ...held().work, run: async () => ({}) })
    await ended(one, kept)
    const look = (told: unknown) =>
      one.during({ kind: 'site-import', by: BY, about: {}, run: async () => 'looked', told: () => told })
    for (let number = 1; number <= 101; number += 1) await look(undefined)
    const listed = async () => (await one.recentOfAll()).map(({ id }) => id)
    assert.deepEqual(await listed(), [kept])
    for (let number = 1; number <= 101; number += 1) await look('changed')
    assert.equal((await one.find(kept ?? 0))?.state, 'done')
    const all = await listed()
    assert.deepEqual([all.length, all.at(-1)], [26, kept], 'what there are many of hides nothing else')
  })

  test(`${engine}: of failures in a row that are the same the first and the last are kept`, async (t) => {
    const { one } = await twoProcesses(engine, t)
    const look = async (address: string, reason?: string): Promise<void> => {
      const run = async () => {
        if (reason !== undefined) throw fail('bad_subscription', { reason })
      }
      await one
        .during({ kind: 'site-import', by: BY, about: { address }, run, told: () => 'changed' })
        .catch(() => undefined)
    }
    await look('one')
    for (let number = 2; number <= 6; number += 1) await look('one', 'nobody answers')
    await look('two', 'nobody answers')
    await look('one', 'nobody answers')
    await look('one', 'it is too slow')
    await look('one')
    await look('one', 'it is too slow')
    const entries = (await one.recent('site-import')).toReversed()
    assert.deepEqual(
      entries.map(({ id, state }) => [id, state]),
      [
        [1, 'done'],
        [2, 'failed'],
        [7, 'failed'],
        [8, 'failed'],
        [9, 'failed'],
        [10, 'done'],
        [11, 'failed'],
      ],
    )
  })

  test(`${engine}: of changes of many items twenty reports of each user are kept`, async (t) => {
    const { one } = await twoProcesses(engine, t)
    const begin = async (id: number) => {
      const work: NewLongWork = {
        kind: 'bulk',
        lane: `bulk ${id}`,
        by: { id, name: 'x' },
        about: {},
        run: async () => 1,
      }
      const number = await one.begin(work)
      await ended(one, number)
      return number ?? 0
    }
    const other = await begin(8)
    const first = await begin(7)
    for (let number = 1; number <= 20; number += 1) await begin(7)
    assert.deepEqual([(await one.find(other))?.state, await one.find(first)], ['done', undefined])
    assert.equal((await one.find(first + 1))?.state, 'done')
  })
}
