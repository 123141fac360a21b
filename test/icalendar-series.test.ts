// Only with --all: programs in another language expand hundreds of files.
// One engine: dates are computed by the program, and the list that they are held against is tested with both.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { after, test } from 'node:test'
import ICAL from 'ical.js'
import { addToLocal } from '../src/time/zones.ts'
import { openTestApp } from './support/app.ts'
import { draws } from './support/draws.ts'
import { skipWithout } from './support/missing.ts'

const app = await openTestApp({ after })
const FILES = `${app.origin}/kalends/v1`
const YOGA = {
  title: 'Yoga',
  start_date: '2027-01-04 10:00:00',
  end_date: '2027-01-04 11:30:00',
  timezone: 'Europe/Berlin',
  recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'],
}

// biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests assert
type Item = any

async function send(method: string, path: string, json: object = {}): Promise<Item> {
  const sent = method === 'DELETE' ? { query: json as never } : { json }
  const { status, body } = await app.call('administrator', method, path, sent)
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`)
  return body
}

async function datesOf(series: number): Promise<Item[]> {
  const all: Item[] = []
  for (let page = 1, total = 1; all.length < total; page += 1) {
    const query = { series, start_date: '1900-01-01', end_date: '9999-12-31', per_page: 50, page }
    const { status, body } = await app.call('anonymous', 'GET', '/events', { query })
    assert.equal(status, 200, JSON.stringify(body))
    total = body.total
    all.push(...body.events)
  }
  return all
}

/** A file as it is written; another program reads it on the way. */
async function fileAt(path: string): Promise<string> {
  const { status, body } = await app.call('anonymous', 'GET', `${FILES}${path}`, {
    headers: { 'accept-encoding': 'identity' },
  })
  assert.equal(status, 200, String(body))
  for (const event of new ICAL.Component(ICAL.parse(body)).getAllSubcomponents('vevent')) {
    const start = event.getFirstPropertyValue('dtstart')
    const rule = event.getFirstPropertyValue('rrule')
    assert.ok(start instanceof ICAL.Time)
    if (rule !== null) assert.ok(rule instanceof ICAL.Recur)
  }
  return body
}

/** The components of a file, each as its lines that say when; the first one is that of the rule. */
function timesOf(file: string): string[][] {
  const events = file.replaceAll('\r\n ', '').split('BEGIN:VEVENT\r\n').slice(1)
  const isTime = /^(UID|RECURRENCE-ID|DTSTART|DTEND|DURATION|RRULE|RDATE|EXDATE|STATUS:CANC)/
  return events.map((event) => event.split('\r\n').filter((line) => isTime.test(line)))
}

test('a series is one component with its rule, and one for each date that differs', async () => {
  const { id } = await send('POST', '/events', YOGA)
  const [first, second, third, last] = await datesOf(id)
  const uid = `UID:${id}@calendar.example`
  const rule = [
    uid,
    'DTSTART;TZID=Europe/Berlin:20270104T100000',
    'DTEND;TZID=Europe/Berlin:20270104T113000',
    'RRULE:FREQ=WEEKLY;COUNT=4',
  ]
  assert.deepEqual(timesOf(await fileAt(`/events/${id}.ics`)), [rule])
  await send('DELETE', `/events/${second.id}`)
  await send('PATCH', `/events/${third.id}`, {
    start_date: '2027-01-19 09:00:00',
    end_date: '2027-01-19 10:00:00',
    timezone: 'Asia/Tokyo',
  })
  await send('PATCH', `/events/${first.id}`, { scope: 'this', event_status: 'canceled' })
  await send('PATCH', `/events/${last.id}`, { hide_from_listings: true })
  const file = await fileAt(`/events/${id}.ics`)
  const own = [
    [...rule, 'EXDATE;TZID=Europe/Berlin:20270111T100000,20270125T100000'],
    [
      uid,
      'RECURRENCE-ID;TZID=Europe/Berlin:20270104T100000',
      'DTSTART;TZID=Europe/Berlin:20270104T100000',
      'DTEND;TZID=Europe/Berlin:20270104T113000',
      'STATUS:CANCELLED',
    ],
    [
      uid,
      'RECURRENCE-ID;TZID=Europe/Berlin:20270118T100000',
      'DTSTART;TZID=Asia/Tokyo:20270119T090000',
      'DTEND;TZID=Asia/Tokyo:20270119T100000',
    ],
  ]
  assert.deepEqual(timesOf(file), own)
  assert.deepEqual(file.match(/^TZID:.*(?=\r)/gm), ['TZID:Europe/Berlin', 'TZID:Asia/Tokyo'])
  const sequences = [...file.matchAll(/SEQUENCE:(\d+)/g)].map(([, number]) => Number(number))
  assert.ok(
    sequences.every((number) => number >= (sequences[0] ?? 0) && number > 0),
    String(sequences),
  )
  // A single date says which one it is, also one like all others.
  assert.deepEqual(timesOf(await fileAt(`/events/${third.id}.ics`)), [own[2]])
  await send('PATCH', `/events/${second.id}`, { status: 'publish' })
  assert.deepEqual(timesOf(await fileAt(`/events/${second.id}.ics`)), [
    [
      uid,
      'RECURRENCE-ID;TZID=Europe/Berlin:20270111T100000',
      'DTSTART;TZID=Europe/Berlin:20270111T100000',
      'DTEND;TZID=Europe/Berlin:20270111T113000',
    ],
  ])
})

test('a list has a series whole and once where it lists an ordinary date, else the dates that differ', async () => {
  const { id } = await send('POST', '/events', { ...YOGA, title: 'Choir', tags: ['choir'] })
  const dates = await datesOf(id)
  await send('PATCH', `/events/${dates[2].id}`, { title: 'Concert', tags: ['concert'] })
  const uid = `UID:${id}@calendar.example`
  const whole = await fileAt('/events.ics?tags=choir&start_date=2027-01-10&end_date=2027-01-12')
  const heads = (file: string): string[][] => timesOf(file).map((lines) => lines.slice(0, 2))
  const wholeHeads = [
    [uid, 'DTSTART;TZID=Europe/Berlin:20270104T100000'],
    [uid, 'RECURRENCE-ID;TZID=Europe/Berlin:20270118T100000'],
  ]
  assert.deepEqual(heads(whole), wholeHeads)
  assert.deepEqual(heads(await fileAt('/events.ics?tags=choir')), wholeHeads)
  assert.deepEqual(heads(await fileAt('/events.ics?tags=concert')), [wholeHeads[1]])
  // A cached text of the series follows its dates.
  await send('PATCH', `/events/${dates[1].id}`, { title: 'Rehearsal' })
  assert.equal(timesOf(await fileAt('/events.ics?tags=choir')).length, 3)
})

test('a list has a series whole that has no ordinary date where it lists all of its dates', async () => {
  const two = { ...YOGA, recurrence: ['RRULE:FREQ=WEEKLY;COUNT=2'], title: 'Quartet', tags: ['quartet'] }
  const { id } = await send('POST', '/events', two)
  const [first, second] = await datesOf(id)
  await send('PATCH', `/events/${first.id}`, { scope: 'this', title: 'Opening' })
  await send('PATCH', `/events/${second.id}`, { title: 'Finale', tags: ['quartet', 'finale'] })
  const uid = `UID:${id}@calendar.example`
  const whole = [
    [uid, 'DTSTART;TZID=Europe/Berlin:20270104T100000'],
    [uid, 'RECURRENCE-ID;TZID=Europe/Berlin:20270104T100000'],
    [uid, 'RECURRENCE-ID;TZID=Europe/Berlin:20270111T100000'],
  ]
  const heads = async (query: string) => timesOf(await fileAt(`/events.ics?${query}`)).map((lines) => lines.slice(0, 2))
  assert.deepEqual(await heads('tags=quartet'), whole)
  assert.deepEqual(await heads('tags=quartet&start_date=2027-01-10'), [whole[2]])
  assert.deepEqual(await heads('tags=finale'), [whole[2]])
  assert.deepEqual(await heads('tags=quartet&per_page=1'), [whole[1]])
  await send('DELETE', `/events/${second.id}`)
  assert.deepEqual(await heads('tags=quartet'), whole.slice(0, 2))
})

test('a protected series hides its content and that of its exceptions, and a draft is for its writers', async () => {
  const secret = { ...YOGA, title: 'Closed', description: 'the common words', password: 'sesame', tags: ['closed'] }
  const { id } = await send('POST', '/events', secret)
  const [, second] = (
    await app.call('anonymous', 'GET', '/events', {
      query: { series: id, start_date: '2027-01-01', end_date: '2028-01-01' },
    })
  ).body.events
  await send('PATCH', `/events/${second.id}`, { description: 'the single words' })
  for (const path of ['/events.ics?tags=closed', `/events/${id}.ics`]) {
    const join = path.includes('?') ? '&' : '?'
    const open = (await fileAt(`${path}${join}password=sesame`)).replaceAll('\r\n ', '')
    assert.deepEqual(open.match(/DESCRIPTION:.*(?=\r)/g), [
      'DESCRIPTION:the common words',
      'DESCRIPTION:the single words',
    ])
  }
  assert.doesNotMatch(await fileAt('/events.ics?tags=closed'), /words/)
  assert.equal((await app.call('anonymous', 'GET', `${FILES}/events/${id}.ics`)).status, 403)
  await send('PATCH', `/events/${id}`, { status: 'draft' })
  for (const one of [id, second.id])
    assert.equal((await app.call('anonymous', 'GET', `${FILES}/events/${one}.ics`)).status, 403)
  assert.doesNotMatch(await fileAt('/events.ics?tags=closed'), /VEVENT/)
})

test('days, plain offsets and changes of clocks are written so that others read the same', async () => {
  const times = async (json: object): Promise<string[][]> => {
    const { id } = await send('POST', '/events', { ...YOGA, ...json })
    return timesOf(await fileAt(`/events/${id}.ics`)).map((lines) => lines.slice(1))
  }
  const days = { all_day: true, start_date: '2027-03-27', end_date: '2027-03-28' }
  assert.deepEqual(
    await times({ ...days, recurrence: ['RRULE:FREQ=WEEKLY;UNTIL=20270412', 'EXDATE;VALUE=DATE:20270403'] }),
    [
      [
        'DTSTART;VALUE=DATE:20270327',
        'DTEND;VALUE=DATE:20270329',
        'RRULE:FREQ=WEEKLY;UNTIL=20270412',
        'EXDATE;VALUE=DATE:20270403',
      ],
    ],
  )
  // In UTC this would be another day of the week.
  const early = { start_date: '2027-01-04 02:00:00', end_date: '2027-01-04 03:00:00', timezone: 'UTC+5:30' }
  assert.deepEqual(await times({ ...early, recurrence: 'RRULE:FREQ=WEEKLY;BYDAY=MO,TU;UNTIL=20270118' }), [
    [
      'DTSTART;TZID=GMT+0530:20270104T020000',
      'DTEND;TZID=GMT+0530:20270104T030000',
      'RRULE:FREQ=WEEKLY;UNTIL=20270118T182959Z;BYDAY=MO,TU',
    ],
  ])
  const night = { start_date: '2027-03-27 22:00:00', end_date: '2027-03-28 04:00:00' }
  assert.deepEqual(await times({ ...night, recurrence: 'RRULE:FREQ=WEEKLY;COUNT=2' }), [
    ['DTSTART;TZID=Europe/Berlin:20270327T220000', 'DURATION:PT5H', 'RRULE:FREQ=WEEKLY;COUNT=2'],
  ])
  const twice = { start_date: '2027-10-30 02:30:00', end_date: '2027-10-30 02:45:00' }
  assert.deepEqual((await times({ ...twice, recurrence: 'RRULE:FREQ=DAILY;COUNT=3' })).slice(1), [
    ['RECURRENCE-ID;TZID=Europe/Berlin:20271031T023000', 'DTSTART:20271031T003000Z', 'DTEND:20271031T004500Z'],
  ])
  // A start that the rule does not give is a date all the same, and the first one of COUNT.
  assert.deepEqual((await times({ recurrence: 'RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=3' }))[0]?.slice(2), [
    'RRULE:FREQ=WEEKLY;UNTIL=20270112T090000Z;BYDAY=TU',
    'RDATE;TZID=Europe/Berlin:20270104T100000',
  ])
})

const EXPAND = join(import.meta.dirname, 'support', 'expand-icalendar.py')
const PYTHON = '/usr/bin/python3'
const isInstalled = spawnSync(PYTHON, ['-c', 'import dateutil, recurring_ical_events']).status === 0
const skip = skipWithout(
  isInstalled,
  'dateutil and recurring_ical_events (python3-dateutil, python3-recurring-ical-events)',
)

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const ZONES = [
  ...['Europe/Berlin', 'America/New_York', 'America/Santiago', 'Australia/Lord_Howe', 'Africa/Casablanca'],
  ...['Asia/Kolkata', 'America/Sao_Paulo', 'UTC', 'UTC+5:30', 'UTC-3', 'Europe/Lisbon'],
  ...['Pacific/Auckland', 'Asia/Jerusalem', 'America/St_Johns', 'Africa/Cairo', 'Europe/Dublin', 'America/Nuuk'],
  ...['Antarctica/Troll', 'Atlantic/Azores', 'America/Havana', 'Asia/Tehran', 'Australia/Sydney'],
]
const YEARS = [1968, 1999, 2005, 2024, 2026, 2027, 2036, 2044]

let state = 15

function random(limit: number): number {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
  return Math.floor((state / 0x80000000) * limit)
}

function pick<One>(all: readonly One[]): One {
  return all[random(all.length)] as One
}

function some(all: readonly (string | number)[]): string {
  return [...new Set([pick(all), pick(all), pick(all)])].slice(0, 1 + random(3)).join()
}

/** Parts of rules by the frequencies that may have them. */
const PARTS: readonly (readonly [string, readonly string[], () => string])[] = [
  ['BYMONTH', [], () => some([1, 2, 3, 6, 10, 11, 12])],
  ['BYDAY', [], () => some(WEEKDAYS)],
  ['BYDAY', ['YEARLY', 'MONTHLY'], () => some(WEEKDAYS.flatMap((day) => [`1${day}`, `-1${day}`, `3${day}`]))],
  [
    'BYMONTHDAY',
    ['YEARLY', 'MONTHLY', 'DAILY', 'HOURLY', 'MINUTELY', 'SECONDLY'],
    () => some([1, 13, 29, 30, 31, -1, -9]),
  ],
  ['BYYEARDAY', ['YEARLY', 'HOURLY', 'MINUTELY', 'SECONDLY'], () => some([1, 60, 100, 366, -1, -100])],
  ['BYWEEKNO', ['YEARLY'], () => some([2, 10, 20, 33, 50])],
  ['BYHOUR', [], () => some([0, 1, 2, 3, 9, 23])],
  ['BYMINUTE', [], () => some([0, 15, 30, 45])],
  ['BYSECOND', [], () => some([0, 30])],
]
const CLOCK_PARTS = ['BYHOUR', 'BYMINUTE', 'BYSECOND']

function randomRule(isAllDay: boolean): string {
  const longer = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY']
  const frequency = pick(isAllDay ? longer : [...longer, ...longer, 'HOURLY', 'MINUTELY', 'SECONDLY'])
  const parts = new Map<string, string>()
  for (let left = random(4); left > 0; left -= 1) {
    const [name, frequencies, value] = pick(PARTS)
    const fits = frequencies.length === 0 || frequencies.includes(frequency)
    if (fits && !parts.has(name) && !(isAllDay && CLOCK_PARTS.includes(name))) parts.set(name, value())
  }
  if (/\d/.test(parts.get('BYDAY') ?? '')) parts.delete('BYWEEKNO')
  if (parts.size > 0 && random(4) === 0) parts.set('BYSETPOS', some([1, 2, -1, -2]))
  if (random(2) === 0) parts.set('INTERVAL', String(1 + random(4)))
  if (random(4) === 0) parts.set('WKST', pick(WEEKDAYS))
  parts.set('COUNT', String(2 + random(30)))
  return [`RRULE:FREQ=${frequency}`, ...[...parts].map(([name, value]) => `${name}=${value}`)].join(';')
}

function randomSeries(title: string) {
  const all_day = random(6) === 0
  const day = `${pick(YEARS)}-${String(1 + random(12)).padStart(2, '0')}-${String(1 + random(28)).padStart(2, '0')}`
  const time = all_day ? '00:00:00' : pick(['00:30:00', '01:30:00', '02:30:00', '09:00:00', '18:15:00', '23:30:00'])
  const start_date = `${day} ${time}`
  const stamp = (local: string) =>
    all_day ? local.slice(0, 10).replaceAll('-', '') : local.replaceAll(/[-:]/g, '').replace(' ', 'T')
  const value = all_day ? ';VALUE=DATE' : ''
  return {
    title,
    start_date,
    end_date: addToLocal(start_date, { seconds: all_day ? random(3) * 86_400 : pick([0, 900, 3600, 14_400]) }),
    timezone: pick(ZONES),
    all_day,
    recurrence: [
      randomRule(all_day),
      ...(random(4) === 0 ? [`RDATE${value}:${stamp(addToLocal(start_date, { days: 400 }))}`] : []),
      ...(random(5) === 0 ? [`EXDATE${value}:${stamp(start_date)}`] : []),
    ],
  }
}

interface Expected {
  readonly json: ReturnType<typeof randomSeries>
  readonly text: string
  readonly dates: string[]
  /** Whether the second engine can read it: one date a day, and a clock as old tables of zones have it. */
  readonly isSimple: boolean
}

/** Moves a date, perhaps to another zone, cancels one and takes one out, each of some series only. */
async function changeSome([, ...dates]: readonly Item[], { all_day, timezone }: Expected['json']): Promise<void> {
  if (dates.length < 3) return
  const [moved, canceled, removed] = [pick(dates), pick(dates), pick(dates)]
  if (random(3) === 0) {
    const start_date = addToLocal(moved.start_date, { days: 1, seconds: all_day ? 0 : 5400 })
    const zone = all_day ? timezone : pick([timezone, 'Asia/Tokyo', 'America/Toronto'])
    const end_date = addToLocal(start_date, { seconds: all_day ? 86_400 : 2700 })
    await send('PATCH', `/events/${moved.id}`, { start_date, end_date, timezone: zone, all_day })
  }
  if (random(3) === 0) await send('PATCH', `/events/${canceled.id}`, { event_status: 'canceled' })
  if (random(3) === 0) await send('DELETE', `/events/${removed.id}`)
}

async function expectedOf(json: Expected['json']): Promise<Expected | undefined> {
  const { status, body } = await app.call('administrator', 'POST', '/events', { json })
  if (status === 400) return undefined
  await changeSome(await datesOf(body.id), json)
  const listed = await datesOf(body.id)
  const whole = (one: Item): string =>
    `${one.start_date.slice(0, 10)} ${addToLocal(one.end_date, { seconds: 1 }).slice(0, 10)}`
  const dates = listed.map((one) => (json.all_day ? whole(one) : `${one.utc_start_date} ${one.utc_end_date}`)).sort()
  const daysOf = (starts: readonly string[]): number => new Set(starts.map((start) => start.slice(0, 10))).size
  const ruled = daysOf(listed.map(({ series, start_date }) => series?.recurrence_id ?? start_date))
  const days = Math.min(ruled, daysOf(listed.map((one) => one.start_date)))
  const isOld = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'UTC'].includes(json.timezone)
  const isSimple = isOld && days === dates.length && listed.every((one) => one.start_date < '2036')
  return { json, text: await fileAt(`/events/${body.id}.ics`), dates, isSimple }
}

test('other engines read the dates of the list from the file, whatever the rule', { skip }, async () => {
  const made: Expected[] = []
  for (let number = 0; number < draws(120, 400); number += 1) {
    const expected = await expectedOf(randomSeries(`Random ${number}`))
    if (expected !== undefined) made.push(expected)
  }
  const files = made.map(({ text, dates }) => {
    const [first = '', last = ''] = [dates[0], dates.at(-1)].map((date) => date?.slice(0, 10))
    const [from, to] = [addToLocal(`${first} 00:00:00`, { days: -3 }), addToLocal(`${last} 00:00:00`, { days: 3 })]
    return { text, from: from.slice(0, 10), to: to.slice(0, 10) }
  })
  const run = spawnSync(PYTHON, [EXPAND], { input: JSON.stringify(files), maxBuffer: 1 << 28, encoding: 'utf8' })
  assert.equal(run.status, 0, run.stderr)
  const read: { rules: unknown; calendar: unknown }[] = JSON.parse(run.stdout)
  const told = (dates: unknown): string[] =>
    Array.isArray(dates) ? dates.map(([_uid, start, end]) => `${start} ${end}`).sort() : [String(dates)]
  let simple = 0
  for (const [index, { json, dates, isSimple }] of made.entries()) {
    assert.deepEqual(told(read[index]?.rules), dates, JSON.stringify(json))
    if (isSimple) assert.deepEqual(told(read[index]?.calendar), dates, JSON.stringify(json))
    simple += isSimple ? 1 : 0
  }
  assert.ok(made.length > 100 && simple > 5, `${made.length} ${simple}`)
})
