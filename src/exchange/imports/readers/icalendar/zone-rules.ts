import { readClock } from '../../../../base/time/clock.ts'
import { expandRule } from '../../../../base/time/recurrence/expand.ts'
import { readRule } from '../../../../base/time/recurrence/rule.ts'
import { readStamp } from '../../../../base/time/recurrence/stamp.ts'
import type { Component } from './components.ts'
import { propertiesOf, propertyOf } from './values.ts'

/** A clock that a file defines by itself (VTIMEZONE); seconds from 1970-01-01 00:00:00. */
export interface ZoneRules {
  /** The UTC second of a wall clock second: skipped readings move forward, of those that occur twice the first. */
  instantOf(wall: number): number
  /** Seconds ahead of UTC. */
  offsetAt(utc: number): number
}

/** A change of clocks: the first UTC second of the new offset. */
interface Change {
  readonly at: number
  readonly before: number
  readonly after: number
}

/** What one zone may hold: enough for two changes a year since 1601. */
const MOST = { observances: 500, changes: 1_500, work: 50_000 } as const
/** Changes after this year are not looked at. */
const LAST = readClock('2200-01-01 00:00:00')
const DAY = 86_400

/** The clock that a VTIMEZONE defines; undefined for one that is broken or has more changes than any place has. */
export function readZoneRules(zone: Component): ZoneRules | undefined {
  const observances = zone.components.filter(({ name }) => name === 'STANDARD' || name === 'DAYLIGHT')
  if (observances.length === 0 || observances.length > MOST.observances) return undefined
  const changes: Change[] = []
  for (const observance of observances) {
    const own = changesOf(observance)
    if (own === undefined || changes.length + own.length > 2 * MOST.changes) return undefined
    changes.push(...own)
  }
  changes.sort((one, other) => one.at - other.at)
  return rulesOf(changes)
}

function changesOf(observance: Component): Change[] | undefined {
  const before = offsetOf(propertyOf(observance, 'TZOFFSETFROM')?.value)
  const after = offsetOf(propertyOf(observance, 'TZOFFSETTO')?.value)
  const start = readStamp(propertyOf(observance, 'DTSTART')?.value.trim() ?? '')
  if (before === undefined || after === undefined || start === undefined) return undefined
  const onsets = new Set([start.seconds])
  for (const { value } of propertiesOf(observance, 'RDATE'))
    for (const text of value.split(',', MOST.changes)) {
      const stamp = readStamp(text.split('/', 1)[0]?.trim() ?? '')
      if (stamp !== undefined) onsets.add(stamp.seconds)
    }
  for (const { value } of propertiesOf(observance, 'RRULE')) {
    const ruled = onsetsOf(value, start.seconds, before)
    if (ruled === undefined) return undefined
    for (const onset of ruled) onsets.add(onset)
  }
  return [...onsets].map((onset) => ({ at: onset - before, before, after }))
}

/** What a rule gives; undefined where it gives more than the clock of any place. */
function onsetsOf(text: string, start: number, before: number): number[] | undefined {
  const reading = readRule(text)
  if (!reading.ok) return []
  const { until, count = MOST.changes } = reading.rule
  const last =
    until === undefined ? LAST : until.isUtc ? until.seconds + before : until.seconds + (until.isDate ? DAY : 0)
  const onsets: number[] = []
  const budget = { left: MOST.work, isSpent: false }
  for (const onset of expandRule(reading.rule, start, budget)) {
    if (onset > Math.min(last, LAST) || onsets.length === count) return onsets
    onsets.push(onset)
    if (onsets.length > MOST.changes) return undefined
  }
  return budget.isSpent ? undefined : onsets
}

/** Reads `+0100`, `-053000`; undefined for anything else, and for more than a day. */
function offsetOf(text: string | undefined): number | undefined {
  const [, sign, hours, minutes, seconds = '0'] = /^\s*([+-])(\d\d)(\d\d)(\d\d)?\s*$/.exec(text ?? '') ?? []
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined
  const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return sign === '-' ? -size : size
}

function rulesOf(changes: readonly Change[]): ZoneRules {
  const offsetAt = (utc: number): number => {
    let [low, high] = [0, changes.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((changes[middle]?.at ?? 0) <= utc) low = middle + 1
      else high = middle
    }
    return low === 0 ? (changes[0]?.before ?? 0) : (changes[low - 1]?.after ?? 0)
  }
  const instantOf = (wall: number): number => {
    const [before, after] = [offsetAt(wall - DAY), offsetAt(wall + DAY)]
    if (before === after || offsetAt(wall - before) === before) return wall - before
    return offsetAt(wall - after) === after ? wall - after : wall - before
  }
  return { offsetAt, instantOf }
}
