import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TestScope, testClient, testDatabase } from '../../../../test/support/test-storage.ts'
import { Failure } from '../../../base/errors.ts'
import { forTheCalendar, onBehalfOf } from '../../../base/requester.ts'
import { ReadDropped } from '../../read-queue.ts'
import { openConnection, rowObjects } from './connection.ts'
import { ReadLane } from './read-lane.ts'

const SLOW = `with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000000) select max(i) as top from n`
const ENDLESS = `with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) as n from n`

/** Long enough for a machine that is busy with other things. */
const PATIENT = 60_000

async function openLane(t: TestScope, { readers = 1, timeout = PATIENT } = {}): Promise<ReadLane> {
  const path = (await testDatabase('sqlite', t)).slice('sqlite:'.length)
  const connection = openConnection(path, { busyTimeout: 0 })
  connection.pragma('journal_mode = wal')
  t.after(() => connection.close())
  const lane = new ReadLane({ path, readers, timeout })
  t.after(() => lane.close())
  return lane
}

async function read(lane: ReadLane, sql: string, parameters: readonly unknown[] = []): Promise<unknown[]> {
  return rowObjects(await lane.read({ sql, parameters }))
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function failsWith(code: string) {
  return (error: unknown): boolean => error instanceof Failure && error.code === code
}

test('more queries than processes wait for their turn and all are answered', async (t) => {
  const lane = await openLane(t, { readers: 2 })
  const rows = await Promise.all(Array.from({ length: 30 }, (_, index) => read(lane, `select ${index} as n`)))
  assert.deepEqual(
    rows.flat(),
    Array.from({ length: 30 }, (_, n) => ({ n })),
  )
})

test('values of all kinds and results of megabytes arrive as they are', async (t) => {
  const lane = await openLane(t)
  const text = `${'ä€😀'.repeat(300_000)}`
  const bytes = new Uint8Array([0, 1, 255])
  const [row] = await read(lane, 'select ? as text, ? as bytes, ? as whole, ? as real, ? as none', [
    text,
    bytes,
    2 ** 53 - 1,
    0.5,
    null,
  ])
  assert.deepEqual(row, { text, bytes, whole: 2 ** 53 - 1, real: 0.5, none: null })
  await assert.rejects(read(lane, 'select ?', [undefined]), /cannot be stored: undefined/)
})

test('a slow query does not hold up this thread', async (t) => {
  const lane = await openLane(t)
  let answered = false
  let turns = 0
  const slow = read(lane, SLOW).then((rows) => {
    answered = true
    return rows
  })
  while (!answered) {
    await new Promise((resolve) => setImmediate(resolve))
    turns += 1
  }
  assert.deepEqual(await slow, [{ top: 3000000 }])
  assert.ok(turns > 100, `${turns} turns`)
})

test('a query that would never end is stopped at its deadline, its process with it, and the lane goes on', async (t) => {
  const lane = await openLane(t, { timeout: 2000 })
  await read(lane, 'select 1')
  const [pid = 0] = lane.pids
  await assert.rejects(read(lane, ENDLESS), failsWith('rest_query_too_costly'))
  assert.ok(!lane.pids.includes(pid))
  while (isRunning(pid)) await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(await read(lane, 'select 2 as n'), [{ n: 2 }])
  assert.deepEqual(lane.stats, { readsWaiting: 0, readsRefused: 0, readsTimedOut: 1, readsDropped: 0 })
})

test('the calendar itself may read for longer', async (t) => {
  const lane = await openLane(t, { timeout: 1 })
  const long = forTheCalendar(() => read(lane, SLOW))
  assert.deepEqual(await long, [{ top: 3000000 }])
})

test('a query that nobody waits for is stopped, and one that waits is never begun', async (t) => {
  const lane = await openLane(t)
  const one = testClient('192.0.2.1')
  const [first, second] = onBehalfOf(one, () => [read(lane, ENDLESS), read(lane, ENDLESS)])
  const outcomes = Promise.allSettled([first, second])
  const other = onBehalfOf(testClient('192.0.2.2'), () => read(lane, 'select 3 as n'))
  one.leave()
  assert.deepEqual(await other, [{ n: 3 }])
  for (const outcome of await outcomes)
    assert.ok(outcome.status === 'rejected' && outcome.reason instanceof ReadDropped)
  assert.equal(lane.stats.readsDropped, 2)
  await assert.rejects(
    onBehalfOf(one, () => read(lane, 'select 4 as n')),
    ReadDropped,
  )
})

test('when a process is killed, its query rejects clearly, waiting ones and later ones get a new process', async (t) => {
  const lane = await openLane(t)
  await read(lane, 'select 1')
  const [pid = 0] = lane.pids
  const first = read(lane, ENDLESS)
  const second = read(lane, 'select 2 as n')
  process.kill(pid, 'SIGKILL')
  await assert.rejects(first, /the reading process ended before it had answered/)
  assert.deepEqual(await second, [{ n: 2 }])
  assert.ok(!lane.pids.includes(pid))
  assert.deepEqual(await read(lane, 'select 3 as n'), [{ n: 3 }])
})

test('a process that is killed while idle is replaced when the next query comes', async (t) => {
  const lane = await openLane(t)
  await read(lane, 'select 1 as n')
  const [pid = 0] = lane.pids
  process.kill(pid, 'SIGKILL')
  while (lane.pids.includes(pid)) await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(await read(lane, 'select 2 as n'), [{ n: 2 }])
})

test('signals that are meant for the server leave its readers alone', async (t) => {
  const lane = await openLane(t)
  await read(lane, 'select 1 as n')
  const [pid = 0] = lane.pids
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid, signal)
  assert.deepEqual(await read(lane, 'select 2 as n'), [{ n: 2 }])
  assert.deepEqual(lane.pids, [pid])
})

test('a file that cannot be opened rejects each query with the cause', async () => {
  const lane = new ReadLane({ path: '/nonexistent/kalends.db', readers: 1, timeout: PATIENT })
  await assert.rejects(read(lane, 'select 1'), /unable to open/)
  await lane.close()
})

test('an error keeps the text and result code of SQLite', async (t) => {
  const lane = await openLane(t)
  await assert.rejects(read(lane, 'select * from nowhere'), { message: /no such table: nowhere/, errcode: 1 })
})

test('closing waits for accepted queries and leaves no process behind', async (t) => {
  const lane = await openLane(t)
  const answers = [read(lane, SLOW), read(lane, 'select 2 as n')]
  await read(lane, 'select 3 as n')
  const [pid = 0] = lane.pids
  await lane.close()
  assert.deepEqual(await Promise.all(answers), [[{ top: 3000000 }], [{ n: 2 }]])
  assert.ok(!isRunning(pid))
})
