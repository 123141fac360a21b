import { type Observance, observancesOf, type ZoneRef } from '../../base/time/observances.ts'
import { dateTime, line, textValue } from './lines.ts'
import { followRules, kindOf, type OpenEndedRules, openEndedRulesOf, yearlyRule } from './zone-rules.ts'

/**
 * The VTIMEZONE of a place (RFC 5545 section 3.6.5): its clock in the given years of its own. Rules that hold permanently
 * start with the first of these years that follows them and have no end; other years between the given ones are left out.
 */
export function zoneComponent(place: ZoneRef, years: Iterable<number>): string {
  const rules = openEndedRulesOf(place)
  const observances = [...years].sort((a, b) => a - b).map((year) => observancesOf(place, year))
  const steady = steadyFrom(observances, rules)
  const opening = observances[steady] ?? []
  const openEnded = new Set(opening.slice(1))
  const changes = withoutRepeats([...observances.slice(0, steady).flat(), ...opening])
  const ended = Map.groupBy(
    changes.filter((one) => !openEnded.has(one)),
    kindOf,
  )
  const repetitions = [
    ...[...ended.values()].flatMap(repetitionsOf),
    ...[...openEnded].map((first) => ({ first, rule: rules?.get(kindOf(first))?.text })),
  ]
  repetitions.sort((a, b) => (a.first.onsetUtc < b.first.onsetUtc ? -1 : 1))
  const head = line('BEGIN', 'VTIMEZONE') + line('TZID', place.name)
  return head + repetitions.map(observanceComponent).join('') + line('END', 'VTIMEZONE')
}

/** The VTIMEZONE of an offset that never changes. */
export function fixedZoneComponent(name: string, offset: number): string {
  const observance = [
    'DTSTART:19700101T000000',
    `TZOFFSETFROM:${offsetValue(offset)}`,
    `TZOFFSETTO:${offsetValue(offset)}`,
  ]
  const lines = ['BEGIN:VTIMEZONE', `TZID:${name}`, 'BEGIN:STANDARD', ...observance, 'END:STANDARD', 'END:VTIMEZONE']
  return lines.map((one) => `${one}\r\n`).join('')
}

/**
 * The index of the first year from which all follow the rules and start with the same time in force; the number of years
 * when the last one does not.
 */
function steadyFrom(years: readonly (readonly Observance[])[], rules: OpenEndedRules | undefined): number {
  if (rules === undefined) return years.length
  const inForce = years.at(-1)?.[0]?.offset
  return years.findLastIndex(([first, ...changes]) => first?.offset !== inForce || !followRules(changes, rules)) + 1
}

/** A year starts with what is already in force, which need not be repeated. */
function withoutRepeats(observances: readonly Observance[]): Observance[] {
  const found: Observance[] = []
  for (const one of observances) {
    const last = found.at(-1)
    const isNew = one.before !== one.offset || one.offset !== last?.offset || one.letters !== last.letters
    if (isNew) found.push(one)
  }
  return found
}

/** The same change of clocks, once or every year. */
interface Repetition {
  readonly first: Observance
  /** Text of the rule by which it is repeated; absent when it happens once. */
  readonly rule?: string | undefined
  /** Absent when the rule holds permanently. */
  readonly last?: Observance
}

/**
 * Years in a row that one rule describes, as one; the others one by one. Lists of dates (RDATE) would be shorter, but many
 * programs read only one date of them.
 */
function repetitionsOf(alike: readonly Observance[]): Repetition[] {
  const runs: Observance[][] = []
  for (const one of alike) {
    const run = runs.at(-1) ?? []
    const last = run.at(-1)
    const isNext = last !== undefined && yearOf(last) + 1 === yearOf(one) && yearlyRule([...run, one]) !== undefined
    if (isNext) run.push(one)
    else runs.push([one])
  }
  return runs.flatMap((run) => {
    const [first, last] = [run[0], run.at(-1)]
    if (first === undefined || last === undefined) return []
    return first === last ? { first } : { first, last, rule: yearlyRule(run)?.text }
  })
}

function observanceComponent({ first, rule, last }: Repetition): string {
  const { onset, before, offset, letters, isDaylight } = first
  const kind = isDaylight ? 'DAYLIGHT' : 'STANDARD'
  return [
    line('BEGIN', kind),
    line('DTSTART', dateTime(onset)),
    line('TZOFFSETFROM', offsetValue(before)),
    line('TZOFFSETTO', offsetValue(offset)),
    line('TZNAME', textValue(letters)),
    rule === undefined ? '' : line('RRULE', `FREQ=YEARLY;${rule}${last === undefined ? '' : untilPart(last)}`),
    line('END', kind),
  ].join('')
}

/**
 * The last onset, in UTC. East of Greenwich its wall clock reading is written as if it were UTC: python-dateutil compares
 * the two as they stand and would drop the last onset; for everybody else nothing happens between the two.
 */
function untilPart({ onset, onsetUtc }: Observance): string {
  return `;UNTIL=${dateTime(onset > onsetUtc ? onset : onsetUtc)}Z`
}

function yearOf({ onset }: Observance): number {
  return Number(onset.slice(0, 4))
}

/** `+0530`, `-005328` (RFC 5545 section 3.3.14). */
function offsetValue(offset: number): string {
  const size = Math.abs(offset)
  const parts = [Math.floor(size / 3600), Math.floor(size / 60) % 60, size % 60]
  const [hours, minutes, seconds] = parts.map((part) => String(part).padStart(2, '0'))
  return `${offset < 0 ? '-' : '+'}${hours}${minutes}${seconds === '00' ? '' : seconds}`
}
