import assert from 'node:assert/strict'
import test from 'node:test'
import { Failure } from '../../base/errors.ts'
import { Budget } from './budget.ts'
import { type LogIn, LogIns } from './log-ins.ts'

interface Bench {
  readonly logIns: LogIns
  readonly clock: { now: number }
  /** Delays that were asked for, milliseconds. */
  readonly delays: number[]
  /** Ends all waiting. */
  wake(): void
}

/** `isStuck`: delays end with `wake` only. */
function open({ count = 20, isStuck = false } = {}): Bench {
  const clock = { now: 1_000_000_000 }
  const now = (): number => clock.now
  const delays: number[] = []
  let waiting: (() => void)[] = []
  const sleep = (milliseconds: number): Promise<void> => {
    delays.push(milliseconds)
    if (!isStuck) return Promise.resolve()
    return new Promise((resolve) => waiting.push(resolve))
  }
  const budget = (name: string): Budget => new Budget({ policy: { name, count, seconds: 900 }, now })
  const logIns = new LogIns({ byAddress: budget('log-ins'), byName: budget('names'), now, sleep })
  const wake = (): void => {
    for (const resolve of waiting.splice(0)) resolve()
    waiting = []
  }
  return { logIns, clock, delays, wake }
}

const WRONG: LogIn = { client: '192.0.2.1', login: 'ann', proof: 'ann wrong' }
const RIGHT: LogIn = { client: '192.0.2.1', login: 'ann', proof: 'ann right' }
const nothing = (): void => undefined

async function failTo({ logIns }: Bench, logIn: LogIn, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await logIns.begin(logIn, nothing).failed()
}

function codeOf(step: () => unknown): string | undefined {
  try {
    step()
    return undefined
  } catch (error) {
    return refusalOf(error)
  }
}

function refusalOf(error: unknown): string {
  return error instanceof Failure ? error.code : 'unexpected'
}

test('the first failed log-ins are answered at once, further ones later and later, many not at all', async () => {
  const bench = open()
  await failTo(bench, WRONG, 10)
  assert.deepEqual(bench.delays, [])
  await failTo(bench, WRONG, 10)
  assert.deepEqual(bench.delays, [100, 200, 400, 800, 1600, 2000, 2000, 2000, 2000, 2000])
  assert.throws(
    () => bench.logIns.begin(WRONG, nothing),
    (refused) => {
      assert.ok(refused instanceof Failure)
      assert.deepEqual([refused.code, refused.status], ['rest_too_many_requests', 429])
      const seconds = Number(refused.slots['seconds'])
      return seconds >= 1 && seconds <= 900
    },
  )
  bench.clock.now += 900_000
  await failTo(bench, WRONG, 1)
})

test('nobody is locked out: credentials that were right before are heard, from wherever', async () => {
  const bench = open()
  bench.logIns.begin(RIGHT, nothing).succeeded()
  await failTo(bench, WRONG, 20)
  assert.equal(
    codeOf(() => bench.logIns.begin(WRONG, nothing)),
    'rest_too_many_requests',
  )
  bench.logIns.begin(RIGHT, nothing).succeeded()
  const elsewhere = { ...RIGHT, client: '198.51.100.7', proof: 'ann other right one' }
  const before = bench.delays.length
  bench.logIns.begin(elsewhere, nothing).succeeded()
  assert.equal(bench.delays.length, before)
})

test('failed log-ins under one name from many addresses are delayed, also of names that nobody has', async () => {
  for (const login of ['ann', 'nobody']) {
    const bench = open()
    for (let number = 0; number < 30; number += 1)
      await failTo(bench, { ...WRONG, login, client: `192.0.2.${number}` }, 1)
    assert.equal(bench.delays.length, 20, login)
    assert.equal(bench.delays.at(-1), 2000)
    await failTo(bench, { ...WRONG, login: 'somebody else', client: '198.51.100.1' }, 1)
    assert.equal(bench.delays.length, 20)
  }
})

test('right log-ins cost nothing, and those that nobody could judge neither', async () => {
  const bench = open()
  for (let number = 0; number < 100; number += 1) {
    bench.logIns.begin({ ...RIGHT, proof: `right ${number}` }, nothing).succeeded()
    bench.logIns.begin({ ...RIGHT, proof: `unknown ${number}` }, nothing).gaveUp()
  }
  assert.equal(
    codeOf(() => bench.logIns.begin(WRONG, nothing)),
    undefined,
  )
})

test('a password that is no longer valid counts like any wrong one', async () => {
  const bench = open()
  bench.logIns.begin(RIGHT, nothing).succeeded()
  for (let time = 0; time < 20; time += 1) await bench.logIns.begin(RIGHT, nothing).failed()
  assert.equal(
    codeOf(() => bench.logIns.begin(RIGHT, nothing)),
    'rest_too_many_requests',
  )
})

test('attempts at the same time are counted before any of them is judged', () => {
  const bench = open()
  const codes = Array.from({ length: 50 }, () => codeOf(() => bench.logIns.begin(WRONG, nothing)))
  assert.equal(codes.filter((code) => code === undefined).length, 20)
})

test('a bounded number of answers wait, further ones are refused at once', async () => {
  const bench = open({ count: 1000, isStuck: true })
  const free = Array.from({ length: 500 }, () => bench.logIns.begin(WRONG, nothing))
  await Promise.all(free.map((attempt) => attempt.failed()))
  const late = Array.from({ length: 150 }, () => bench.logIns.begin(WRONG, nothing))
  const results = late.map(({ failed }) => failed().then(() => undefined, refusalOf))
  // Until all of them wait or are refused.
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate)
  assert.equal(bench.delays.length, 100)
  bench.wake()
  const codes = await Promise.all(results)
  assert.equal(codes.filter((code) => code === 'rest_too_many_requests').length, 50)
  assert.equal(codes.filter((code) => code === undefined).length, 100)
})
