import { type RecurrenceRule, readRule } from '../../../../base/time/recurrence/rule.ts'
import { writeStamp } from '../../../../base/time/recurrence/stamp.ts'
import type { Component, Note } from './components.ts'
import type { Property } from './content-lines.ts'
import { propertiesOf, readAnyStamp, readDuration, stampedTime, type WrittenTime } from './values.ts'

/** What an event recurs by, as its component writes it. */
export interface WrittenRecurrence {
  readonly rules: readonly RecurrenceRule[]
  /** EXRULE of RFC 2445. */
  readonly exceptRules: readonly RecurrenceRule[]
  readonly added: readonly AddedDate[]
  readonly excluded: readonly WrittenTime[]
}

/** An RDATE, with its own length where it is a period. */
interface AddedDate {
  readonly time: WrittenTime
  readonly seconds: number | undefined
}

const DAY = 86_400

/** Dates of one property that are read; further ones are not. */
const MOST_LISTED = 20_000

/** Reads RRULE, EXRULE, RDATE and EXDATE; undefined for an event that does not recur. */
export function readRecurring(event: Component, note: Note): WrittenRecurrence | undefined {
  const rules = rulesOf(event, 'RRULE', note)
  const added = timesIn(event, 'RDATE', note).map(({ time, property, end }) => {
    const seconds = end === undefined ? undefined : periodOf(time, end, property.parameters)
    if (end !== undefined && seconds === undefined) note({ ...property, value: end }, 'import.note.unread')
    return { time, seconds }
  })
  const excluded = timesIn(event, 'EXDATE', note).map(({ time }) => time)
  if (rules.length + added.length === 0) return undefined
  return { rules, exceptRules: rulesOf(event, 'EXRULE', note), added, excluded }
}

/** Rules of one kind that are read. */
const MOST_RULES = 20

function rulesOf(event: Component, name: string, note: Note): RecurrenceRule[] {
  return propertiesOf(event, name).flatMap((property, index) => {
    const reading = readRule(plainRule(property.value))
    if (reading.ok && index < MOST_RULES) return [reading.rule]
    note(property, 'import.note.unread')
    return []
  })
}

/** A rule as iCalendar writes it: without blanks and empty parts, with its end as a stamp and `MO` for `MON`. */
function plainRule(rule: string): string {
  const parts = rule
    .replace(/\s+/g, '')
    .replace(/^RRULE:/i, '')
    .split(';')
    .filter((part) => !/^(?:[A-Z-]+=)?$/i.test(part))
  return parts
    .join(';')
    .replace(/(?<=[=,\d])(MO|TU|WE|TH|FR|SA|SU)[NEDUIT](?=[,;]|$)/gi, '$1')
    .replace(/\bUNTIL=([^;]+)/gi, (whole, text: string) => {
      const stamp = readAnyStamp(text)
      return stamp === undefined ? whole : `UNTIL=${writeStamp(stamp)}`
    })
}

/** The times of a list, with the ends of periods as they are written. */
function timesIn(
  event: Component,
  name: string,
  note: Note,
): { readonly time: WrittenTime; readonly property: Property; readonly end: string | undefined }[] {
  return propertiesOf(event, name).flatMap((property) =>
    property.value.split(/[,;]/, MOST_LISTED).flatMap((value) => {
      const [start = '', end] = value.split('/', 2)
      const time = stampedTime(start, property.parameters)
      if (time === undefined && value.trim() !== '') note({ ...property, value }, 'import.note.unread')
      return time === undefined ? [] : [{ time, property, end }]
    }),
  )
}

/** Seconds of a period by its end or length; undefined for what is neither, or an end before the start. */
function periodOf({ stamp }: WrittenTime, end: string, parameters: Property['parameters']): number | undefined {
  const duration = readDuration(end)
  const until = duration === undefined ? stampedTime(end, parameters) : undefined
  const seconds = duration ? duration.days * DAY + duration.seconds : until && until.stamp.seconds - stamp.seconds
  return seconds !== undefined && seconds >= 0 ? seconds : undefined
}
