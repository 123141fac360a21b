import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { draws } from '../../../test/support/draws.ts'
import { offsetsOf, readClock, writeClock } from './clock.ts'
import { resolveZone } from './zone-names.ts'
import { toLocal, toUtc } from './zones.ts'

const FROM = readClock('1970-01-01 00:00:00')
const UNTIL = readClock('2050-01-01 00:00:00')
const STEP = 45 * 86_400
const ALIASES = [
  'US/Eastern',
  'GB',
  'Eire',
  'NZ',
  'PRC',
  'Cuba',
  'Asia/Kolkata',
  'Europe/Kyiv',
  'CET',
  'EST5EDT',
  'UTC',
]

interface Change {
  readonly at: number
  readonly before: number
  readonly after: number
}

/** One name of each zone: names of the same zone would only repeat the work. */
function distinctZones(): string[] {
  const names = [...Intl.supportedValuesOf('timeZone'), ...ALIASES]
  return [...new Set(names.map((name) => resolveZone(name) ?? name))]
}

/** The changes of clocks of a zone; of two that undo each other within 45 days, the pair may be passed over. */
function changesOf(zone: string): Change[] {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset', minute: 'numeric' })
  const shownAt = (seconds: number) => format.format(seconds * 1000).replace(/^\d+/, '')
  const changes: Change[] = []
  let shown = shownAt(FROM)
  for (let low = FROM; low < UNTIL; low += STEP) {
    const next = shownAt(low + STEP)
    if (next !== shown) changes.push(changeWithin(zone, low))
    shown = next
  }
  return changes
}

function changeWithin(zone: string, low: number): Change {
  const offsetAt = offsetsOf(zone)
  const before = offsetAt(low)
  let [start, end] = [low, low + STEP]
  while (end - start > 1) {
    const middle = Math.floor((start + end) / 2)
    if (offsetAt(middle) === before) start = middle
    else end = middle
  }
  return { at: end, before, after: offsetAt(end) }
}

function proveChange(zone: string, { at, before, after }: Change): void {
  const utcOf = (local: number) => readClock(toUtc(writeClock(local), zone))
  const localOf = (utc: number) => readClock(toLocal(writeClock(utc), zone))
  const hint = `${zone} ${writeClock(at)}`
  assert.equal(localOf(at - 1), at - 1 + before, hint)
  assert.equal(localOf(at), at + after, hint)
  const first = at + Math.min(before, after)
  const end = at + Math.max(before, after)
  // Right outside the gap or overlap there is one instant for each reading.
  assert.equal(utcOf(first - 1), first - 1 - before, hint)
  assert.equal(utcOf(end), end - after, hint)
  for (const inside of [first, Math.floor((first + end) / 2), end - 1]) {
    assert.equal(utcOf(inside), inside - before, hint)
    const gap = Math.max(after - before, 0)
    assert.equal(localOf(utcOf(inside)), inside + gap, hint)
  }
}

const zones = distinctZones()
const changes = zones.map((zone) => ({ zone, changes: changesOf(zone) }))

test('around every change of clocks of every zone, 1970 to 2050, gaps move forward and overlaps take the first', () => {
  assert.ok(zones.length > 400)
  for (const { zone, changes: all } of changes) for (const change of all) proveChange(zone, change)
})

const anyZone = fc.constantFrom(...zones)
const anyInstant = fc.integer({ min: FROM, max: UNTIL })

test('an instant read on a clock and read back is that instant, or the earlier one with the same reading', () => {
  fc.assert(
    fc.property(anyZone, anyInstant, (zone, seconds) => {
      const utc = writeClock(seconds)
      const local = toLocal(utc, zone)
      const back = toUtc(local, zone)
      assert.ok(back <= utc)
      assert.equal(toLocal(back, zone), local)
      if (back < utc) assert.ok(offsetsOf(zone)(readClock(back)) > offsetsOf(zone)(seconds))
    }),
    { numRuns: draws(5000) },
  )
})

function temporalUtc(local: string, zone: string): string {
  const instant = Temporal.PlainDateTime.from(local.replace(' ', 'T')).toZonedDateTime(zone).toInstant()
  return instant.toString().slice(0, 19).replace('T', ' ')
}

test('wall clock readings agree with Temporal, near changes of clocks and anywhere', () => {
  const anyChange = fc
    .constantFrom(...changes.filter(({ changes: all }) => all.length > 0))
    .chain(({ zone, changes: all }) => fc.record({ zone: fc.constant(zone), change: fc.constantFrom(...all) }))
  const near = fc.tuple(anyChange, fc.integer({ min: -7200, max: 7200 })).map(([{ zone, change }, shift]) => ({
    zone,
    local: writeClock(change.at + change.before + shift),
  }))
  const anywhere = fc.record({ zone: anyZone, local: anyInstant.map(writeClock) })
  fc.assert(
    fc.property(fc.oneof(near, anywhere), ({ zone, local }) => {
      assert.equal(toUtc(local, zone), temporalUtc(local, zone), `${local} ${zone}`)
    }),
    { numRuns: draws(1000) },
  )
})
