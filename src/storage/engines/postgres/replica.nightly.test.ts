import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Client } from 'pg'
import { skipWithout } from '../../../../test/support/missing.ts'
import { type Pair, programsForReplicas, REPLICA_PROGRAMS, startPair } from '../../../../test/support/replica.ts'
import type { TestScope } from '../../../../test/support/test-storage.ts'
import type { Storage } from '../../engine.ts'
import { record } from '../../journal/append.ts'
import { headSeq } from '../../journal/read.ts'
import { migrate } from '../../migrate.ts'
import { openStorage } from '../../open.ts'

/*
 * A primary and a replica, two real clusters. Whether something was read from the replica is asked of the very
 * connection that answers.
 */

const programs = programsForReplicas()
const skip = skipWithout(programs !== undefined, REPLICA_PROGRAMS)

const pairs: Pair[] = []
after(() => Promise.all(pairs.map((pair) => pair.close())))

async function onlyPair(): Promise<Pair> {
  if (pairs[0] !== undefined) return pairs[0]
  const pair = await startPair(programs ?? '')
  pairs.push(pair)
  const storage = await openStorage({ database: pair.primary.database })
  await migrate(storage, { now: () => 0 })
  await storage.close()
  const [{ place } = { place: '' }] = await pair.primary.ask('select pg_current_wal_lsn()::text as place')
  const arrived = `select pg_last_wal_replay_lsn() >= '${place}' as arrived`
  while ((await pair.replica.ask(arrived))[0]?.['arrived'] !== true) await sleep(5)
  return pair
}

/** A storage of its own, and everything it said of its replica. */
async function open(t: TestScope, flags = {}): Promise<{ storage: Storage; said: string[]; pair: Pair }> {
  const pair = await onlyPair()
  const said: string[] = []
  const tell = (sentence: string): void => {
    if (sentence.includes('replica')) said.push(sentence.replace(/postgres:\S+\/calendar/, 'R'))
  }
  const storage = await openStorage({
    database: pair.primary.database,
    replica: pair.replica.database,
    synchronous: 'NORMAL',
    now: () => performance.now(),
    notice: tell,
    report: (_error, circumstance) => tell(circumstance),
    ...flags,
  })
  t.after(() => storage.close())
  return { storage, said, pair }
}

async function isReadFromReplica(storage: Storage): Promise<boolean> {
  const query = { compile: () => ({ sql: 'select pg_is_in_recovery() as follows', parameters: [] }) }
  return (await storage.first<{ follows: number }>(query))?.follows === 1
}

/** Reads until it comes from the replica, or no longer. */
async function untilRead(storage: Storage, from: 'replica' | 'primary'): Promise<void> {
  while ((await isReadFromReplica(storage)) !== (from === 'replica')) await sleep(5)
}

let count = 0

/** Writes a row with an entry in the journal. */
async function write(storage: Storage): Promise<string> {
  count += 1
  const key = `key ${count}`
  await storage.write(async (tx) => {
    await tx.run(tx.db.insertInto('meta').values({ key, value: 'x' }))
    record(tx, { actor: null, resource: 'tag', id: count, revision: 1, action: 'create', at: '', snapshot: null })
  })
  return key
}

async function isSeen(storage: Storage, key: string): Promise<boolean> {
  const rows = await storage.all(storage.db.selectFrom('meta').select('key').where('key', '=', key))
  return rows.length === 1
}

/** Whatever is written is seen at once, by the same process and by one that has just heard of it. */
async function assertSeen(storage: Storage, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) assert.ok(await isSeen(storage, await write(storage)), `write ${time}`)
}

test('lists are read from the replica, and what was written is seen at once', { skip }, async (t) => {
  const { storage, said, pair } = await open(t)
  await untilRead(storage, 'replica')
  await assertSeen(storage, 100)
  await Promise.all(Array.from({ length: 40 }, () => assertSeen(storage, 5)))
  await untilRead(storage, 'replica')
  const other = await openStorage({ database: pair.primary.database })
  t.after(() => other.close())
  for (let time = 0; time < 20; time += 1) {
    const version = storage.dataVersion()
    const key = await write(other)
    while (storage.dataVersion() === version) await new Promise(setImmediate)
    assert.ok(await isSeen(storage, key))
  }
  const follows = await storage.write((tx) => isReadFromReplica(tx as unknown as Storage))
  assert.equal(follows, false, 'what a write reads')
  assert.equal(said[0], 'reading from the replica R')
  const { replica, pools } = storage.stats()
  assert.equal(replica, 'used')
  const [reading] = pools.filter(({ name }) => name === 'replica')
  assert.ok(reading !== undefined && reading.open > 0 && reading.idle === reading.open, JSON.stringify(pools))
})

test('while the replica is behind the primary is read, and the log says so once', { skip }, async (t) => {
  const { storage, said, pair } = await open(t)
  await untilRead(storage, 'replica')
  await pair.replica.ask('select pg_wal_replay_pause()')
  const key = await write(storage)
  while (said.length < 2) {
    assert.deepEqual([await isSeen(storage, key), await isReadFromReplica(storage)], [true, false])
    await sleep(5)
  }
  assert.equal(storage.stats().replica, 'behind')
  await assertSeen(storage, 20)
  await pair.replica.ask('select pg_wal_replay_resume()')
  await untilRead(storage, 'replica')
  assert.ok(await isSeen(storage, key))
  assert.deepEqual(said.slice(1), [
    'the replica R is behind; reading from the primary',
    'reading from the replica R again',
  ])
})

test('a replica that is always late is read for what it has, and never too early', { skip }, async (t) => {
  const { storage, pair } = await open(t)
  await pair.replica.ask(`alter system set recovery_min_apply_delay = '200ms'`)
  await pair.replica.ask('select pg_reload_conf()')
  await untilRead(storage, 'replica')
  let last = 0
  const reading = { goesOn: true }
  const reader = (async () => {
    while (reading.goesOn) {
      const seq = await headSeq(storage)
      assert.ok(seq >= last, `${seq} after ${last}: time ran backwards`)
      last = seq
    }
  })()
  await assertSeen(storage, 60)
  await untilRead(storage, 'replica')
  await assertSeen(storage, 10)
  reading.goesOn = false
  await reader
  await pair.replica.ask('alter system reset recovery_min_apply_delay')
  await pair.replica.ask('select pg_reload_conf()')
})

test('a replica that stops is told once, and is used again when it is back', { skip }, async (t) => {
  const { storage, said, pair } = await open(t)
  await untilRead(storage, 'replica')
  const reading = Promise.all(Array.from({ length: 20 }, () => assertSeen(storage, 10)))
  await pair.replica.signal('SIGQUIT')
  await reading
  await untilRead(storage, 'primary')
  await assertSeen(storage, 20)
  await pair.replica.start()
  await untilRead(storage, 'replica')
  assert.deepEqual(said.slice(1, 2), ['the replica R is away; reading from the primary'])
  assert.deepEqual([said.length <= 4, said.at(-1)], [true, 'reading from the replica R again'])
})

test('a replica that hangs holds reads up for no more than its second', { skip }, async (t) => {
  const { storage, said, pair } = await open(t)
  await untilRead(storage, 'replica')
  await pair.replica.signal('SIGSTOP')
  const began = performance.now()
  await Promise.all(Array.from({ length: 10 }, () => assertSeen(storage, 3)))
  const took = performance.now() - began
  await pair.replica.signal('SIGCONT')
  assert.ok(took < 120_000, `${took} ms`)
  assert.equal(said[1], 'the replica R is away; reading from the primary')
  await untilRead(storage, 'replica')
  await assertSeen(storage, 5)
})

test('a server starts while its replica is away, and one address too many is refused', { skip }, async (t) => {
  const { storage, said } = await open(t, { replica: 'postgres://ann:hidden@127.0.0.1:1/calendar' })
  await assertSeen(storage, 3)
  while (said.length === 0) await sleep(5)
  assert.deepEqual(said, ['the replica R is away; reading from the primary'])
  await assert.rejects(openStorage({ database: 'sqlite:x.db', replica: 'postgres://h/x' }), /has no replica/)
})

test('a replica whose connections are all in use is read no less, and nobody says that it is away', {
  skip,
}, async (t) => {
  const { storage, said, pair } = await open(t, { connections: 2, readTimeout: 60_000 })
  await untilRead(storage, 'replica')
  const holder = new Client(pair.replica.database)
  await holder.connect()
  await holder.query('select pg_advisory_lock(1)')
  const sql = 'select pg_advisory_xact_lock_shared(1), pg_is_in_recovery() as follows'
  const busy = [1, 2].map(() => storage.first<{ follows: number }>({ compile: () => ({ sql, parameters: [] }) }))
  assert.equal(await isReadFromReplica(storage), false)
  await holder.end()
  for (const answer of await Promise.all(busy)) assert.equal(answer?.follows, 1)
  assert.equal(await isReadFromReplica(storage), true)
  assert.deepEqual(said, ['reading from the replica R'])
})

test('after the clock was set back a replica that has caught up is read as before', { skip }, async (t) => {
  const clock = { offset: 0 }
  const { storage } = await open(t, { now: () => performance.now() + clock.offset })
  await untilRead(storage, 'replica')
  clock.offset = -3_600_000
  await write(storage)
  let isRead = false
  for (let time = 0; time < 1000 && !isRead; time += 1) {
    await sleep(5)
    isRead = await isReadFromReplica(storage)
  }
  assert.ok(isRead)
  assert.equal(storage.stats().replica, 'used')
})

test('what was read from a replica is not held any longer', { skip }, async (t) => {
  const { storage } = await open(t)
  await untilRead(storage, 'replica')
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const large = { compile: () => ({ sql: `select repeat('x', 100000) as text`, parameters: [] }) }
  const before = storage.stats().readsInline
  await storage.all(large)
  collect()
  const atFirst = process.memoryUsage().heapUsed
  for (let time = 0; time < 300; time += 1) await storage.all(large)
  collect()
  const grown = process.memoryUsage().heapUsed - atFirst
  assert.ok(grown < 5_000_000, `${grown} of 30,000,000 bytes`)
  assert.equal(storage.stats().replica, 'used')
  assert.ok(storage.stats().readsInline - before >= 300)
})

test('while the primary is away the replica is read, and writes are refused', { skip }, async (t) => {
  const { storage, pair } = await open(t, { silence: 500 })
  const key = await write(storage)
  await untilRead(storage, 'replica')
  await pair.primary.signal('SIGSTOP')
  const reading = Array.from({ length: 20 }, () => isReadFromReplica(storage))
  assert.deepEqual([...new Set(await Promise.all(reading))], [true])
  await assert.rejects(write(storage), { code: 'rest_unavailable' })
  for (let time = 0; time < 50; time += 1) assert.ok(await isSeen(storage, key))
  await pair.primary.signal('SIGCONT')
  while (!(await write(storage).catch(() => ''))) await sleep(20)
  await assertSeen(storage, 10)
})

test('a replica that may lack something is not read while the primary is away', { skip }, async (t) => {
  const { storage, pair } = await open(t, { silence: 500 })
  await untilRead(storage, 'replica')
  await pair.replica.ask('select pg_wal_replay_pause()')
  const key = await write(storage)
  await pair.primary.signal('SIGSTOP')
  await assert.rejects(isSeen(storage, key), { code: 'rest_unavailable' })
  await assert.rejects(isSeen(storage, key), { code: 'rest_unavailable' })
  await pair.primary.signal('SIGCONT')
  await pair.replica.ask('select pg_wal_replay_resume()')
  while (!(await isSeen(storage, key).catch(() => false))) await sleep(20)
  await assertSeen(storage, 10)
})

// The last one: there is no way back.
test('a replica that was promoted is not read any more, whatever is written to it', { skip }, async (t) => {
  const { storage, said, pair } = await open(t)
  await untilRead(storage, 'replica')
  await pair.replica.ask('select pg_promote()')
  await untilRead(storage, 'primary')
  const stray = await openStorage({ database: pair.replica.database })
  t.after(() => stray.close())
  const keys = [await write(stray), await write(stray)]
  await assertSeen(storage, 10)
  for (const key of keys) assert.equal(await isSeen(storage, key), false)
  assert.deepEqual(said.slice(1), ['R follows no other database and is no replica; reading from the primary'])
})
