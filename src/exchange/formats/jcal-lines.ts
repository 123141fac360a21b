// Content lines of iCalendar (RFC 5545) as arrays of jCal (RFC 7265). Only lines of our own are read, so they are sound.

/** A property: name, parameters, type, and one value or several. */
export type JcalProperty = readonly [string, Readonly<Record<string, string | readonly string[]>>, string, ...unknown[]]

/** A component: name, properties, components inside. */
export type JcalComponent = readonly [string, JcalProperty[], JcalComponent[]]

/** Types of values where VALUE names none (RFC 5545 section 3.8, RFC 7986), other than text. */
const TYPES: Readonly<Record<string, string>> = {
  dtstart: 'date-time',
  dtend: 'date-time',
  dtstamp: 'date-time',
  created: 'date-time',
  'last-modified': 'date-time',
  'recurrence-id': 'date-time',
  exdate: 'date-time',
  rdate: 'date-time',
  duration: 'duration',
  'refresh-interval': 'duration',
  url: 'uri',
  tzurl: 'uri',
  source: 'uri',
  concept: 'uri',
  link: 'uri',
  attach: 'uri',
  image: 'uri',
  conference: 'uri',
  organizer: 'cal-address',
  attendee: 'cal-address',
  sequence: 'integer',
  priority: 'integer',
  geo: 'float',
  rrule: 'recur',
  tzoffsetfrom: 'utc-offset',
  tzoffsetto: 'utc-offset',
}

/** Names of properties of text (the same, RFC 9073 and 9253); the types of all others are not known. */
const TEXTS = new Set([
  ...['calscale', 'method', 'prodid', 'version', 'name', 'color', 'uid', 'status', 'transp', 'class', 'related-to'],
  ...['summary', 'description', 'styled-description', 'location', 'categories', 'comment', 'contact', 'resources'],
  ...['tzid', 'tzname', 'refid', 'location-type', 'participant-type', 'resource-type'],
])

/** Names of properties that hold lists. */
const LISTS = new Set(['categories', 'resources', 'exdate', 'rdate'])

/** The components of a text, which has complete ones. */
export function jcalComponents(text: string): JcalComponent[] {
  const root: JcalComponent = ['', [], []]
  const open: JcalComponent[] = [root]
  for (const line of text.replaceAll('\r\n ', '').split('\r\n')) {
    const top = open.at(-1) ?? root
    if (line.startsWith('BEGIN:')) {
      const component: JcalComponent = [line.slice(6).toLowerCase(), [], []]
      top[2].push(component)
      open.push(component)
    } else if (line.startsWith('END:')) open.pop()
    else if (line !== '') top[1].push(jcalProperty(line))
  }
  return root[2]
}

/** A content line without its end and not folded. */
export function jcalProperty(line: string): JcalProperty {
  const head = /^(?:[^":]|"[^"]*")*/.exec(line)?.[0] ?? ''
  const value = line.slice(head.length + 1)
  const [, name = '', written = ''] = /^([^;]*)(.*)$/s.exec(head) ?? []
  const lower = name.toLowerCase()
  const parameters: Record<string, string | string[]> = {}
  let type = TYPES[lower] ?? (TEXTS.has(lower) ? 'text' : 'unknown')
  for (const [, key = '', list = ''] of written.matchAll(/;([^=;]+)=((?:[^";]|"[^"]*")*)/g)) {
    const values = list.match(/"[^"]*"|[^,]+/g)?.map(parameterText) ?? ['']
    if (key === 'VALUE') type = (values[0] ?? '').toLowerCase()
    else parameters[key.toLowerCase()] = values.length === 1 ? (values[0] ?? '') : values
  }
  return [lower, parameters, type, ...valuesOf(lower, type, value)]
}

/** RFC 6868. */
function parameterText(written: string): string {
  const inner = written.startsWith('"') ? written.slice(1, -1) : written
  return inner.replace(/\^([n^'])/g, (_all, sign: string) => (sign === 'n' ? '\n' : sign === "'" ? '"' : '^'))
}

function valuesOf(name: string, type: string, value: string): unknown[] {
  if (name === 'geo') return [value.split(';').map(Number)]
  const parts = LISTS.has(name) ? (value.match(/(?:\\.|[^,\\])+/gs) ?? ['']) : [value]
  return parts.map((part) => jcalValue(type, part))
}

function jcalValue(type: string, value: string): unknown {
  if (type === 'text') return value.replace(/\\(.)/gs, (_all, sign: string) => (/n/i.test(sign) ? '\n' : sign))
  if (type === 'date' || type === 'date-time') return momentText(value)
  if (type === 'integer' || type === 'float') return Number(value)
  if (type === 'utc-offset') return value.replace(/(?<=\d)(?=(?:\d\d)+$)/g, ':')
  if (type === 'period') return value.split('/').map((part) => (part.startsWith('P') ? part : momentText(part)))
  return type === 'recur' ? ruleOf(value) : value
}

/** `20261120T190000Z` is `2026-11-20T19:00:00Z`, `20261120` is `2026-11-20`. */
function momentText(value: string): string {
  return value.replace(/^(\d{4})(\d\d)(\d\d)/, '$1-$2-$3').replace(/T(\d\d)(\d\d)(\d\d)/, 'T$1:$2:$3')
}

/** The parts of a rule by name (RFC 7265 section 3.6.10). */
function ruleOf(value: string): Readonly<Record<string, unknown>> {
  const parts = value.split(';').map((part) => {
    const [key = '', text = ''] = part.split('=')
    if (key === 'UNTIL') return ['until', momentText(text)]
    const values = text.split(',').map((one) => (/^[+-]?\d+$/.test(one) ? Number(one) : one))
    return [key.toLowerCase(), values.length === 1 ? values[0] : values]
  })
  return Object.fromEntries(parts)
}
