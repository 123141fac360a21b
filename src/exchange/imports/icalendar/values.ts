import { type DateStamp, readStamp } from '../../../base/time/recurrence/stamp.ts'
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
  return stampedTime(value, parameters.get('TZID'))
}

/** A date or time in a zone; a time of UTC has no other. */
export function stampedTime(text: string, tzid: string | undefined): WrittenTime | undefined {
  const stamp = readStamp(text.trim())
  return stamp && { stamp, tzid: stamp.isUtc || stamp.isDate || tzid === '' ? undefined : tzid }
}

/** Most seconds of a duration: some thirty years. */
const LONGEST = 1_000_000_000

/** Reads `P1DT2H30M`, `P2W`, `-PT15M`; undefined for anything else. */
export function readDuration(text: string): Duration | undefined {
  const match = /^([+-])?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/i.exec(text.trim())
  if (match === null || !/\d/.test(text)) return undefined
  const [weeks, days, hours, minutes, seconds] = match.slice(2).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
  ]
  const sign = match[1] === '-' ? -1 : 1
  const whole = weeks * 7 + days
  const rest = hours * 3600 + minutes * 60 + seconds
  if (whole * 86_400 + rest > LONGEST) return undefined
  return { days: sign * whole, seconds: sign * rest }
}
