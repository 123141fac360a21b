import { readFileSync } from 'node:fs'

/** A recurrence and the dates that independent engines read from it; see `about` in the fixture. */
export interface RecurrenceVector {
  readonly id: string
  /** `19970902T090000`, or a date for all-day events. */
  readonly dtstart: string
  /** UTC is used where it is absent. */
  readonly tzid?: string
  readonly rrule: string
  readonly rdate?: readonly string[]
  readonly exdate?: readonly string[]
  /** Number of all dates; absent for rules without end. */
  readonly count_total?: number
  /** The RFC by which it is allowed and that need not be known. */
  readonly optional?: string
  /** The first dates, 50 at most: local time, and after a slash UTC where there is a zone. */
  readonly expected: readonly string[]
}

/** All recurrences of the fixture. */
export const VECTORS: readonly RecurrenceVector[] = JSON.parse(
  readFileSync(new URL('../fixtures/rrule-vectors.json', import.meta.url), 'utf8'),
).vectors

/** `19970902T090000Z` or `19970902` as responses write it: `1997-09-02 09:00:00`. */
export function readingOf(stamp: string): string {
  const [, year, month, day, hour = '00', minute = '00', second = '00'] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z?)?$/.exec(stamp) ?? []
  return `${year}-${month}-${day} ${hour}:${minute}:${second}`
}

/** An event with that recurrence, to be sent. */
export function eventOf({ id, dtstart, tzid = 'UTC', rrule, rdate, exdate }: RecurrenceVector) {
  const isAllDay = dtstart.length === 8
  const start_date = readingOf(dtstart)
  const dates = (name: string, all: readonly string[] = []): string[] =>
    all.length === 0 ? [] : [`${name}${isAllDay ? ';VALUE=DATE' : ''}:${all.join()}`]
  return {
    ...{ title: `Vector ${id}`, slug: `vector-${id}`, start_date, all_day: isAllDay, timezone: tzid },
    end_date: isAllDay ? `${start_date.slice(0, 10)} 23:59:59` : start_date,
    recurrence: [`RRULE:${rrule}`, ...dates('RDATE', rdate), ...dates('EXDATE', exdate)],
  }
}
