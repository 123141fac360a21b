import { isHttpUrl } from '../../../../base/text/http-url.ts'
import { type DateStamp, readStamp } from '../../../../base/time/recurrence/stamp.ts'
import type { Component } from './components.ts'
import type { Property } from './content-lines.ts'

/** A date or time as it was written: on which clock its seconds count. */
export interface WrittenTime {
  readonly stamp: DateStamp
  /** TZID; undefined for UTC, for dates and for times of no zone. */
  readonly tzid: string | undefined
}

/** A length of time (RFC 5545 section 3.3.6): days are those of the calendar, whatever their clock does. */
export interface Duration {
  readonly days: number
  readonly seconds: number
}

/** The first property of a name. */
export function propertyOf(component: Component, name: string): Property | undefined {
  return component.properties.find((one) => one.name === name)
}

/** All properties of a name. */
export function propertiesOf(component: Component, name: string): readonly Property[] {
  return component.properties.filter((one) => one.name === name)
}

/** The text of a value (RFC 5545 section 3.3.11), without what is around it. */
export function plainValue(value: string): string {
  return unescaped(value).trim()
}

function unescaped(value: string): string {
  if (!value.includes('\\')) return value
  return value.replace(/\\(.?)/gs, (_pair, char: string) => (char === 'n' || char === 'N' ? '\n' : char))
}

/** The text of the first property of a name; '' if there is none. */
export function textOf(component: Component, name: string): string {
  return plainValue(propertyOf(component, name)?.value ?? '')
}

/** The texts of a value that is a list: commas are escaped within them. Empty ones are left out. */
export function listOf(value: string): string[] {
  const parts = value.match(/(?:\\.|[^,\\])+/gs) ?? []
  return parts.map(plainValue).filter((one) => one !== '')
}

/** Reads a date or time; undefined for anything else. */
export function timeOf({ value, parameters }: Property): WrittenTime | undefined {
  return stampedTime(value, parameters)
}

/** A date or time in a zone; a time of UTC has no other. What is declared to be a date is one (RFC 5545 section 3.2.20). */
export function stampedTime(text: string, parameters: Property['parameters']): WrittenTime | undefined {
  const read = readAnyStamp(text.trim())
  if (read === undefined) return undefined
  const isDate = read.isDate || /^date$/i.test(parameters.get('VALUE') ?? '')
  const stamp = isDate ? { seconds: Math.floor(read.seconds / DAY) * DAY, isUtc: false, isDate } : read
  return { stamp, tzid: stamp.isUtc || isDate ? undefined : parameters.get('TZID') || undefined }
}

const DAY = 86_400

const ANY_STAMP =
  /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ]?(\d\d):?(\d\d)(?::?(\d\d))?(?:[.,]\d+)?(?:(Z)|([+-])(\d\d)(?::?(\d\d))?)?)?$/i

/**
 * Reads a stamp as iCalendar or ISO 8601 writes it: `2027-01-14T23:00+01:00` is a time of UTC, and 24:00 is the midnight
 * at the end of its day. Undefined for anything else.
 */
export function readAnyStamp(text: string): DateStamp | undefined {
  const [, year = '', month = '', day = '', hour, minute = '', second = '00', utc, sign, hours, minutes] =
    ANY_STAMP.exec(text) ?? []
  if (hour === undefined) return readStamp(year + month + day)
  const isEndOfDay = hour === '24' && Number(minute + second) === 0
  const stamp = readStamp(`${year}${month}${day}T${isEndOfDay ? '00' : hour}${minute}${second}`)
  const ahead = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === '-' ? -60 : 60)
  const isUtc = (utc ?? sign) !== undefined
  return stamp && { ...stamp, seconds: stamp.seconds + (isEndOfDay ? DAY : 0) - ahead, isUtc }
}

/** Whether an event takes whole days, by its start or by what some programs write of it. */
export function takesWholeDays(event: Component, { stamp }: WrittenTime): boolean {
  const isMark = ({ name, value }: Property): boolean =>
    /^X-[A-Z-]+-ALLDAY(?:EVENT)?$/.test(name) && /^\s*(?:TRUE|1|YES)\s*$/i.test(value)
  return stamp.isDate || event.properties.some(isMark)
}

/** Most seconds of a duration: some thirty years. */
const LONGEST = 1_000_000_000

/** Reads `P1DT2H30M`, `P2W`, `-PT15M`, also `PT1D` and `P1H`; undefined for anything else, such as months. */
export function readDuration(text: string): Duration | undefined {
  const [, sign, body = ''] = /^([+-])?P?((?:T|\d{1,10}(?:\.\d{1,6})?[WDHMS])+)$/i.exec(text.trim()) ?? []
  let [days, seconds, isTime] = [0, 0, false]
  for (const [, mark, amount, unit = ''] of body.matchAll(/(T)|([\d.]+)([WDHMS])/gi)) {
    const name = unit.toUpperCase()
    isTime ||= mark !== undefined || name === 'H'
    // Months have no length, and weeks among the hours mean one thing to some readers and nothing to others.
    if (isTime ? name === 'W' : name === 'M') return undefined
    if (name === 'W' || name === 'D') days += Number(amount) * (name === 'W' ? 7 : 1)
    else if (name !== '') seconds += Number(amount) * (name === 'H' ? 3600 : name === 'M' ? 60 : 1)
  }
  const whole = Math.floor(days)
  const rest = Math.round(seconds + (days - whole) * DAY)
  if (!/\d/.test(body) || whole * DAY + rest > LONGEST) return undefined
  return sign === '-' ? { days: 0 - whole, seconds: 0 - rest } : { days: whole, seconds: rest }
}

/** A web address; '' for anything else. */
export function addressIn(text: string): string {
  const address = text.trim()
  return address.length <= 2000 && isHttpUrl(address) ? address : ''
}
