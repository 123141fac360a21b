import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createLog } from '../../base/log.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import { mayHaveScheduled, openSchedule, type Schedule } from './schedule.ts'

const START = Date.UTC(2026, 10, 20, 18)

/** A schedule over dates that a test chooses, on the clock of the test runner; what was published with its moment. */
function scheduleOf(
  t: TestContext,
  dates: number[],
): {
  schedule: Schedule
  published: [number, number][]
  wait(milliseconds: number): Promise<void>
  /** Lets the next attempts to publish fail. */
  fail(times: number): void
} {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: START })
  const published: [number, number][] = []
  let left = 0
  const room = {
    publishDue: async (at: string) => {
      left -= 1
      if (left >= 0) throw new Error('the disk is full')
      const due = dates.filter((date) => utcFromMillis(date) <= at).slice(0, 1)
      for (const date of due) {
        dates.splice(dates.indexOf(date), 1)
        published.push([date, Date.now()])
      }
      return due.length
    },
  }
  const schedule = openSchedule([room], {
    now: Date.now,
    log: createLog({ level: 'silent', now: Date.now }),
    next: async () => (dates.length === 0 ? undefined : utcFromMillis(Math.min(...dates))),
  })
  t.after(() => schedule.stop())
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  const wait = async (milliseconds: number): Promise<void> => {
    for (let passed = 0; passed < milliseconds; passed += 250) {
      await settle()
      t.mock.timers.tick(250)
      await settle()
    }
  }
  const fail = (times: number): void => {
    left = times
  }
  return { schedule, published, wait, fail }
}

test('what waits is published within a second of its date, however far away that is, and not before', async (t) => {
  const dates = [START + 90_000, START + 1_000, START + 2_000, START + 2_000]
  const { schedule, published, wait } = scheduleOf(t, [...dates])
  await schedule.begin()
  await wait(100_000)
  assert.deepEqual(
    published.map(([date]) => date),
    dates.toSorted((a, b) => a - b),
  )
  for (const [date, moment] of published) assert.ok(moment >= date && moment < date + 1_000, `${moment - date} ms late`)
})

test('an earlier date that comes later is noticed', async (t) => {
  const dates = [START + 25_000]
  const { schedule, published, wait } = scheduleOf(t, dates)
  await schedule.begin()
  await wait(1_000)
  dates.push(START + 2_000)
  schedule.reconsider()
  await wait(2_000)
  assert.deepEqual(
    published.map(([date]) => date),
    [START + 2_000],
  )
})

test('beginning publishes everything that is due and nothing else', async (t) => {
  const dates = [START, START - 86_400_000, START - 1_000, START + 1_000]
  const { schedule, published } = scheduleOf(t, dates)
  await schedule.begin()
  assert.equal(published.length, 3)
  assert.deepEqual(dates, [START + 1_000])
})

test('after a failure it tries again', async (t) => {
  const { schedule, published, wait, fail } = scheduleOf(t, [START + 1_000])
  await schedule.begin()
  fail(2)
  await wait(15_000)
  assert.equal(published.length, 1)
})

test('a beginning that fails is told, and nothing is published before the next one', async (t) => {
  const { schedule, published, wait, fail } = scheduleOf(t, [START])
  fail(1)
  await assert.rejects(schedule.begin(), { message: 'the disk is full' })
  schedule.reconsider()
  await wait(2_000)
  assert.equal(published.length, 0)
  await schedule.begin()
  assert.equal(published.length, 1)
})

test('a schedule that was stopped publishes nothing more', async (t) => {
  const { schedule, published, wait } = scheduleOf(t, [START + 1_000])
  await schedule.begin()
  await schedule.stop()
  schedule.reconsider()
  await schedule.begin()
  await wait(5_000)
  assert.deepEqual(published, [])
})

test('a schedule publishes nothing before it begins and while it pauses, and then what was missed', async (t) => {
  const { schedule, published, wait } = scheduleOf(t, [START + 1_000, START + 2_000, START + 9_000])
  schedule.reconsider()
  await wait(1_500)
  assert.deepEqual(published, [])
  await schedule.begin()
  assert.equal(published.length, 1)
  schedule.pause()
  schedule.reconsider()
  await wait(1_500)
  assert.equal(published.length, 1)
  await schedule.begin()
  assert.equal(published.length, 2)
  await wait(6_000)
  assert.equal(published.length, 3)
})

test('changes that may have left something that waits are those of its status, and those of others', () => {
  const row = (status: string) => ({ snapshot: { id: 1, status } })
  assert.ok(mayHaveScheduled(row('future')))
  assert.ok(mayHaveScheduled({ snapshot: null, elsewhere: true }))
  for (const change of [row('publish'), row('draft'), { snapshot: null }, { snapshot: { id: 1, name: 'Music' } }])
    assert.ok(!mayHaveScheduled(change))
})
