import { daysInMonth, readClock, weekdayOf } from '../../time/clock.ts'
import { type Observance, observancesOf, type Place } from '../../time/observances.ts'
import { dateTime, line, textValue } from './lines.ts'

/**
 * The VTIMEZONE of a place (RFC 5545 section 3.6.5): its clock in certain years of its own. Years in between that nothing
 * takes place in are passed over.
 */
export function zoneComponent(place: Place, years: Iterable<number>): string {
  const observances: Observance[] = []
  for (const year of [...years].sort((a, b) => a - b)) {
    for (const one of observancesOf(place, year)) {
      const last = observances.at(-1)
      const isNew = one.before !== one.offset || one.offset !== last?.offset || one.letters !== last.letters
      if (isNew) observances.push(one)
    }
  }
  const alike = Map.groupBy(observances, ({ onset, before, offset, letters, isDaylight }) =>
    [onset.slice(11), before, offset, letters, isDaylight].join(),
  )
  const inOrder = [...alike.values()]
    .flatMap(repetitionsOf)
    .sort((a, b) => (a.first.onsetUtc < b.first.onsetUtc ? -1 : 1))
  const head = line('BEGIN', 'VTIMEZONE') + line('TZID', place.name)
  return head + inOrder.map(observanceComponent).join('') + line('END', 'VTIMEZONE')
}

/** The same change of clocks, once or in several years that follow each other. */
interface Repetition {
  readonly first: Observance
  readonly last: Observance
  /** Rules that tell all of them, one in each year, the plainest first. */
  readonly rules: readonly string[]
}

/**
 * Years that one rule tells, as one; what none does, each alone. Lists of dates (RDATE) would be shorter, but the readers
 * of many programs see only one date of them.
 */
function repetitionsOf(alike: readonly Observance[]): Repetition[] {
  const found: Repetition[] = []
  for (const one of alike) {
    const run = found.at(-1)
    const rules = run?.rules.filter((rule) => rulesOf(one).includes(rule)) ?? []
    const isNext = run !== undefined && yearOf(run.last) + 1 === yearOf(one) && rules.length > 0
    if (isNext) found.splice(-1, 1, { ...run, last: one, rules })
    else found.push({ first: one, last: one, rules: rulesOf(one) })
  }
  return found
}

function observanceComponent(repetition: Repetition): string {
  const { onset, before, offset, letters, isDaylight } = repetition.first
  const kind = isDaylight ? 'DAYLIGHT' : 'STANDARD'
  return [
    line('BEGIN', kind),
    line('DTSTART', dateTime(onset)),
    line('TZOFFSETFROM', offsetValue(before)),
    line('TZOFFSETTO', offsetValue(offset)),
    line('TZNAME', textValue(letters)),
    repetitionLine(repetition),
    line('END', kind),
  ].join('')
}

function repetitionLine({ first, last, rules }: Repetition): string {
  if (first === last) return ''
  return line('RRULE', `FREQ=YEARLY;${rules[0]};UNTIL=${dateTime(last.onsetUtc)}Z`)
}

const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

function yearOf({ onset }: Observance): number {
  return Number(onset.slice(0, 4))
}

/** The weekdays of a month that an onset is on: `BYMONTH=3;BYDAY=-1SU` before `BYMONTH=3;BYDAY=4SU`. */
function rulesOf(one: Observance): string[] {
  const [month, day] = [Number(one.onset.slice(5, 7)), Number(one.onset.slice(8, 10))]
  const weekday = WEEKDAYS[weekdayOf(Math.floor(readClock(one.onset) / 86_400))]
  const isLast = day + 7 > daysInMonth(yearOf(one), month)
  const places = [...(isLast ? [-1] : []), Math.ceil(day / 7)]
  return places.map((place) => `BYMONTH=${month};BYDAY=${place}${weekday}`)
}

/** `+0530`, `-005328` (RFC 5545 section 3.3.14). */
function offsetValue(offset: number): string {
  const size = Math.abs(offset)
  const parts = [Math.floor(size / 3600), Math.floor(size / 60) % 60, size % 60]
  const [hours, minutes, seconds] = parts.map((part) => String(part).padStart(2, '0'))
  return `${offset < 0 ? '-' : '+'}${hours}${minutes}${seconds === '00' ? '' : seconds}`
}
