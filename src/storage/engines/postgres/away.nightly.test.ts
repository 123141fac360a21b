import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type OwnCluster, startCluster } from '../../../../test/support/cluster.ts'
import type { TestScope } from '../../../../test/support/test-storage.ts'
import type { Compilable, Storage } from '../../engine.ts'
import { migrate } from '../../migrate.ts'
import { openStorage } from '../../open.ts'

/*
 * A database that vanishes, stops, refuses and comes back: a cluster of its own, whose processes get the signals.
 */

const clusters: OwnCluster[] = []
after(() => Promise.all(clusters.map((cluster) => cluster.close())))

async function onlyCluster(): Promise<OwnCluster> {
  if (clusters[0] !== undefined) return clusters[0]
  const cluster = await startCluster()
  clusters.push(cluster)
  const storage = await openStorage({ database: cluster.database })
  await migrate(storage, { now: () => 0 })
  await storage.close()
  return cluster
}

interface Opened {
  readonly cluster: OwnCluster
  readonly storage: Storage
  /** What was said of the database, errors and sentences, the address as D. */
  readonly said: string[]
}

async function open(t: TestScope, flags = {}): Promise<Opened> {
  const cluster = await onlyCluster()
  const said: string[] = []
  const tell = (sentence: string): void => void said.push(sentence.replace(/postgres:\S+\/calendar/, 'D'))
  const storage = await openStorage({
    database: cluster.database,
    synchronous: 'NORMAL',
    silence: 500,
    now: () => performance.now(),
    notice: tell,
    report: (_error, circumstance) => tell(circumstance),
    ...flags,
  })
  t.after(() => storage.close())
  return { cluster, storage, said }
}

function text<Row>(sql: string): Compilable<Row> {
  return { compile: () => ({ sql, parameters: [] }) }
}

let count = 0

function write(storage: Storage): Promise<unknown> {
  count += 1
  const row = { key: `key ${count}`, value: 'x' }
  return storage.write((tx) => tx.run(tx.db.insertInto('meta').values(row)))
}

function read(storage: Storage): Promise<unknown> {
  return storage.first(storage.db.selectFrom('meta').select('key'))
}

/** What became of each: a code, `fulfilled`, or a message. */
async function outcomes(all: readonly Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(all)
  return settled.map((one) => (one.status === 'fulfilled' ? 'fulfilled' : (one.reason.code ?? one.reason.message)))
}

async function untilBack({ storage, said }: Opened): Promise<void> {
  while (said.at(-1) !== 'the database D is back') await sleep(10)
  await Promise.all(Array.from({ length: 30 }, () => read(storage)))
  await write(storage)
}

const AWAY = 'the database D is away; requests are refused until it is back'

test('a database that vanishes without a word holds nobody up for long, and is used again when it is back', async (t) => {
  const opened = await open(t)
  const { cluster, storage, said } = opened
  await Promise.all([...Array.from({ length: 12 }, () => read(storage)), write(storage)])
  await cluster.signal('SIGSTOP')
  const began = performance.now()
  const waiting = Array.from({ length: 15 }, () => read(storage))
  const found = await outcomes([...waiting, write(storage), write(storage)])
  assert.deepEqual([...new Set(found)], ['rest_unavailable'])
  const later = performance.now()
  // Each would wait for half a second if it asked the database.
  for (let time = 0; time < 200; time += 1)
    assert.deepEqual(await outcomes([read(storage), write(storage)]), ['rest_unavailable', 'rest_unavailable'])
  const [first, second] = [later - began, performance.now() - later]
  assert.ok(first < 60_000 && second < 60_000, `${first} and ${second} ms`)
  await cluster.signal('SIGCONT')
  await untilBack(opened)
  assert.deepEqual(said, [AWAY, 'the database D is back'])
})

test('while the database refuses connections everybody is refused at once, and the log says it once', async (t) => {
  const opened = await open(t)
  const { cluster, storage, said } = opened
  await Promise.all(Array.from({ length: 12 }, () => read(storage)))
  await cluster.signal('SIGQUIT')
  const found: string[] = []
  while (found.length < 2000) found.push(...(await outcomes([read(storage), write(storage)])))
  assert.deepEqual([...new Set(found)], ['rest_unavailable'])
  await cluster.start()
  await untilBack(opened)
  assert.deepEqual(said, [AWAY, 'the database D is back'])
})

test('requests that come while the database restarts wait for it', async (t) => {
  const { cluster, storage, said } = await open(t)
  await read(storage)
  const ending = `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'calendar'`
  await cluster.ask('alter database calendar allow_connections false')
  await cluster.ask(ending)
  await cluster.ask('alter database calendar allow_connections true')
  assert.deepEqual(await outcomes([read(storage), write(storage)]), ['fulfilled', 'fulfilled'])
  assert.ok(!said.includes(AWAY))
})

test('a commit whose answer never comes is uncertain, and what waits behind it is refused', async (t) => {
  const opened = await open(t)
  const { cluster, storage } = opened
  await storage.write(async (tx) => {
    await tx.run(
      text(`create or replace function slow() returns trigger language plpgsql as $$
        begin perform pg_sleep(20); return null; end $$`),
    )
    await tx.run(
      text(`create constraint trigger slow after insert on meta deferrable initially deferred
        for each row when (new.key = 'slow') execute function slow()`),
    )
  })
  const row = { key: 'slow', value: 'x' }
  const slow = storage.write((tx) => tx.run(tx.db.insertInto('meta').values(row)))
  const sleeping = `select 1 from pg_stat_activity where datname = 'calendar' and wait_event = 'PgSleep'`
  while ((await cluster.ask(sleeping)).length === 0) await sleep(5)
  await cluster.signal('SIGSTOP')
  assert.deepEqual(await outcomes([slow, write(storage)]), ['rest_write_uncertain', 'rest_unavailable'])
  await cluster.signal('SIGCONT')
  await cluster.ask(`select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep'`)
  await untilBack(opened)
})

test('a database that takes no more connections is told once, and those that there are go on', async (t) => {
  const { cluster } = await open(t)
  for (const statement of [
    `create role guest login password 'guest' connection limit 3`,
    'grant all on database calendar to guest',
  ])
    await cluster.ask(statement)
  const address = Object.assign(new URL(cluster.database), { username: 'guest', password: 'guest' }).href
  const { storage, said } = await open(t, { database: address })
  await storage.first(text('select 1'))
  // One connection listens, two can read.
  const slow = Array.from({ length: 6 }, () => storage.first(text('select pg_sleep(0.5)')))
  const found = await outcomes(slow)
  assert.deepEqual(
    [...new Set(found)].filter((outcome) => outcome !== 'fulfilled'),
    ['rest_unavailable'],
  )
  assert.ok(found.includes('fulfilled'))
  assert.deepEqual(await outcomes([storage.first(text('select 1'))]), ['fulfilled'])
  assert.deepEqual(said, ['the database D takes no more connections'])
})

test('a storage closes also while its database is silent', async (t) => {
  const { cluster, storage } = await open(t)
  await Promise.all(Array.from({ length: 5 }, () => read(storage)))
  await cluster.signal('SIGSTOP')
  const began = performance.now()
  await storage.close()
  const took = performance.now() - began
  await cluster.signal('SIGCONT')
  assert.ok(took < 60_000, `${took} ms`)
})
