import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readClock } from '../clock.ts'
import { WORK } from './dates.ts'
import { expandRule } from './expand.ts'
import { readRule } from './rule.ts'

/** The list, and how often one of its members has been read. */
function counted(list: readonly number[]): { readonly list: readonly number[]; readonly reads: () => number } {
  let reads = 0
  const counting = new Proxy(list, {
    get: (target, name, receiver) => {
      if (typeof name === 'string' && /^\d+$/.test(name)) reads += 1
      return Reflect.get(target, name, receiver)
    },
  })
  return { list: counting, reads: () => reads }
}

test('very many positions that no period has cost nothing for each period', () => {
  const positions = Array.from({ length: 365 }, (_, at) => at + 2).join()
  const reading = readRule(`FREQ=DAILY;BYHOUR=1;BYSETPOS=${positions}`)
  assert.ok(reading.ok)
  const { list: bySetPos, reads } = counted(reading.rule.bySetPos)
  const budget = { left: WORK, isSpent: false }
  const dates = [...expandRule({ ...reading.rule, bySetPos }, readClock('2027-01-01 10:00:00'), budget)]
  assert.deepEqual(dates, [])
  assert.equal(budget.isSpent, true)
  assert.ok(reads() < WORK, `${reads()} reads`)
})

test('positions count from both ends, each once and in the order of time', () => {
  const reading = readRule('FREQ=DAILY;BYHOUR=1,2,3,4;BYSETPOS=-300,-4,-1,1,2,9;COUNT=6')
  assert.ok(reading.ok)
  const dates = expandRule(reading.rule, readClock('2027-01-01 01:00:00'), { left: WORK, isSpent: false })
  const hours = Array.from({ length: 6 }, () => Number(dates.next().value ?? 0) - readClock('2027-01-01 00:00:00'))
  assert.deepEqual(
    hours.map((seconds) => seconds / 3600),
    [1, 2, 4, 25, 26, 28],
  )
})

test('before 1970 every minute that a rule of seconds names gives its dates', () => {
  const reading = readRule('FREQ=SECONDLY;INTERVAL=7;BYMINUTE=1,16')
  assert.ok(reading.ok)
  const midnight = readClock('1968-08-21 00:00:00')
  const dates = [...expandRule(reading.rule, midnight, { left: 2_000, isSpent: false })].slice(0, 17)
  const seventh = Array.from({ length: 200 }, (_, at) => at * 7)
  assert.deepEqual(
    dates.map((seconds) => seconds - midnight),
    seventh.filter((seconds) => [1, 16].includes(Math.floor(seconds / 60))).slice(0, 17),
  )
})
