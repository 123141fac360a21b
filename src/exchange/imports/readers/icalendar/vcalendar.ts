import type { Component } from './components.ts'
import type { Property } from './content-lines.ts'
import { propertyOf, textOf } from './values.ts'
import { zoneCalled } from './zone-labels.ts'

/** Whether a calendar is written in vCalendar 1.0, the format before iCalendar. */
export function isVcalendar(calendar: Component): boolean {
  return textOf(calendar, 'VERSION') === '1.0'
}

/** An event of vCalendar 1.0 as iCalendar writes it. What has no counterpart stays as it is. */
export function fromVcalendar(event: Component): Component {
  return { ...event, properties: event.properties.filter(({ name }) => !/^[ADMP]ALARM$/.test(name)).map(converted) }
}

function converted(property: Property): Property {
  const { name, value } = property
  if (name === 'RRULE' || name === 'EXRULE') return { ...property, value: ruleOf(value) ?? value }
  if (/^(?:RDATE|EXDATE|CATEGORIES|RESOURCES)$/.test(name))
    return { ...property, value: value.replace(/(?<!\\);/g, ',') }
  if (name === 'TRANSP' && /^\d+$/.test(value)) return { ...property, value: value === '0' ? 'OPAQUE' : 'TRANSPARENT' }
  return name === 'DCREATED' ? { ...property, name: 'CREATED' } : property
}

/** The zone of times without one: where daylight saving is named, an offset does not say when clocks change. */
export function zoneOfVcalendar(calendar: Component): string | undefined {
  const offset = textOf(calendar, 'TZ')
  const hasDaylight = /^TRUE/i.test(propertyOf(calendar, 'DAYLIGHT')?.value.trim() ?? '')
  return offset === '' || hasDaylight ? undefined : (zoneCalled(`UTC${offset}`) ?? zoneCalled(offset))
}

const FREQUENCIES: Readonly<Record<string, string>> = {
  D: 'DAILY',
  W: 'WEEKLY',
  MP: 'MONTHLY',
  MD: 'MONTHLY',
  YM: 'YEARLY',
  YD: 'YEARLY',
}

/** A rule such as `W2 MO WE #10` or `MP1 1+ SU 20271231T000000Z`; undefined for one that has no counterpart. */
function ruleOf(text: string): string | undefined {
  const [, kind = '', interval = '', rest = ''] = /^\s*(D|W|MP|MD|YM|YD)(\d{1,4})\b(.*)$/.exec(text) ?? []
  const tokens = rest.split(/\s+/).filter((token) => token !== '')
  const ends = tokens.filter((token) => /^(?:#\d+|\d{8}(?:T\d{6}Z?)?)$/.test(token))
  const by = byOf(
    kind,
    tokens.filter((token) => !ends.includes(token)),
  )
  const [end = '#2'] = ends
  if (by === undefined || ends.length > 1) return undefined
  const until = end === '#0' ? '' : end.startsWith('#') ? `;COUNT=${end.slice(1)}` : `;UNTIL=${end}`
  return `FREQ=${FREQUENCIES[kind]};INTERVAL=${interval}${by}${until}`
}

/** What a rule says of days and months, `''` for nothing. */
function byOf(kind: string, tokens: readonly string[]): string | undefined {
  if (kind === '' || (kind === 'D' && tokens.length > 0)) return undefined
  if (tokens.length === 0) return ''
  if (kind === 'W') return tokens.every(isWeekday) ? `;BYDAY=${tokens.join()}` : undefined
  if (kind === 'MP') return byPosition(tokens)
  const numbers = tokens.map((token) =>
    token === 'LD'
      ? '-1'
      : token.replace(/^(\d+)([+-])$/, (_token, number, sign) => (sign === '-' ? `-${number}` : number)),
  )
  const part = kind === 'MD' ? 'BYMONTHDAY' : kind === 'YM' ? 'BYMONTH' : 'BYYEARDAY'
  return numbers.every((number) => /^-?\d{1,3}$/.test(number)) ? `;${part}=${numbers.join()}` : undefined
}

/** Weekdays of a month: each occurrence is followed by its days. */
function byPosition(tokens: readonly string[]): string | undefined {
  const days: string[] = []
  let nth = ''
  for (const token of tokens) {
    const [, number, sign] = /^([1-5])([+-])$/.exec(token) ?? []
    if (number !== undefined) nth = sign === '-' ? `-${number}` : number
    else if (nth !== '' && isWeekday(token)) days.push(nth + token)
    else return undefined
  }
  return days.length === 0 ? undefined : `;BYDAY=${days.join()}`
}

function isWeekday(token: string): boolean {
  return /^(?:MO|TU|WE|TH|FR|SA|SU)$/.test(token)
}
