import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { skipWithout } from './missing.ts'
import { RULES } from './recurrence-rules.ts'

/** A date as `20270104T100000` or `20270104`, and in UTC, `20270104T090000Z`, where there is a zone. */
export interface KnownDate {
  readonly local: string
  readonly utc?: string | null
}

/** A recurrence and the dates that an independent engine reads from it. */
export interface KnownRecurrence {
  readonly id: string
  /** `20270104T100000`, or a day for all-day events; the rule has it. */
  readonly dtstart: string
  /** UTC is used if there is none. */
  readonly tzid?: string | null
  readonly rrule: string
  readonly rdate?: readonly string[]
  readonly exdate?: readonly string[]
  /** Number of all dates; absent for rules without end. */
  readonly count_total?: number
  /** The RFC by which it is allowed and that need not be known. */
  readonly optional?: string
  /** The first dates, 50 at most. */
  readonly expected: readonly KnownDate[]
}

const PYTHON = '/usr/bin/python3'
const isInstalled = spawnSync(PYTHON, ['-c', 'import dateutil']).status === 0

/** Why nothing can be compared; false where it can. */
export const skipRecurrences = skipWithout(isInstalled, 'dateutil (python3-dateutil)')

/**
 * Rules of every kind with their dates by python-dateutil, and what the file KALENDS_RECURRENCES knows, where there is one:
 * `{vectors: KnownRecurrence[]}`. `[]` where python-dateutil is missing.
 */
export const RECURRENCES: readonly KnownRecurrence[] = isInstalled ? [...expanded(), ...given()] : []

function expanded(): readonly KnownRecurrence[] {
  const input = JSON.stringify(RULES.map((rule, index) => ({ id: `r${index + 1}`, ...rule })))
  const { status, stdout, stderr } = spawnSync(PYTHON, [join(import.meta.dirname, 'expand-rules.py')], {
    input,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

function given(): readonly KnownRecurrence[] {
  const file = process.env['KALENDS_RECURRENCES']
  return file === undefined ? [] : JSON.parse(readFileSync(file, 'utf8')).vectors
}

/** `20270104T100000Z` or `20270104` as responses write it: `2027-01-04 10:00:00`. */
export function readingOf(stamp: string): string {
  const [, year, month, day, hour = '00', minute = '00', second = '00'] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z?)?$/.exec(stamp) ?? []
  return `${year}-${month}-${day} ${hour}:${minute}:${second}`
}

/** An event with that recurrence, to be sent. */
export function eventOf({ id, dtstart, tzid, rrule, rdate, exdate }: KnownRecurrence) {
  const isAllDay = dtstart.length === 8
  const start_date = readingOf(dtstart)
  const dates = (name: string, all: readonly string[] = []): string[] =>
    all.length === 0 ? [] : [`${name}${isAllDay ? ';VALUE=DATE' : ''}:${all.join()}`]
  return {
    ...{ title: `Vector ${id}`, slug: `vector-${id}`, start_date, all_day: isAllDay, timezone: tzid ?? 'UTC' },
    end_date: isAllDay ? `${start_date.slice(0, 10)} 23:59:59` : start_date,
    recurrence: [`RRULE:${rrule}`, ...dates('RDATE', rdate), ...dates('EXDATE', exdate)],
  }
}
