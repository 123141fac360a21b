import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApp } from './support/app.ts'
import { assertSound } from './support/sound.ts'

/* All dates of a series are moved: what was taken out, added by name or written about single dates moves along. */

const app = await openTestApp({ after })
const HOUR = { start_date: '2027-01-04 10:00:00', end_date: '2027-01-04 11:00:00', timezone: 'Europe/Berlin' }
const LATER = { start_date: '2027-01-04 12:00:00', end_date: '2027-01-04 13:00:00' }

// biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests assert
type Item = any

async function send(method: string, path: string, json: object = {}): Promise<Item> {
  const { status, body } = await app.call('administrator', method, path, { json })
  assert.ok(status < 300, `${method} ${path} ${status} ${JSON.stringify(body)}`)
  return body
}

async function create(recurrence: readonly string[], more: object = {}): Promise<Item> {
  return send('POST', '/events', { title: 'Yoga', ...HOUR, recurrence, ...more })
}

async function datesOf(series: number): Promise<Item[]> {
  const query = { series, start_date: '2020-01-01', end_date: '2099-01-01', per_page: 50 }
  return (await app.call('anonymous', 'GET', '/events', { query })).body.events
}

async function startsOf(series: number): Promise<string[]> {
  return (await datesOf(series)).map((one) => one.start_date)
}

async function linesOf(series: number): Promise<string[]> {
  return (await app.call('administrator', 'GET', `/events/${series}`)).body.recurrence
}

test('what EXDATE takes out and RDATE adds moves with the start', async () => {
  const { id } = await create(['RRULE:FREQ=WEEKLY;COUNT=4', 'RDATE:20270107T150000', 'EXDATE:20270111T100000'])
  await send('PATCH', `/events/${id}`, LATER)
  assert.deepEqual(await linesOf(id), ['RRULE:FREQ=WEEKLY;COUNT=4', 'RDATE:20270107T170000', 'EXDATE:20270111T120000'])
  const moved = ['2027-01-04 12:00:00', '2027-01-07 17:00:00', '2027-01-18 12:00:00', '2027-01-25 12:00:00']
  assert.deepEqual(await startsOf(id), moved)
  const [, second] = await datesOf(id)
  // Named by a further date, and to another day.
  await send('PATCH', `/events/${second.id}`, {
    ...{ start_date: '2027-01-08 17:00:00', end_date: '2027-01-08 18:00:00', scope: 'all' },
  })
  assert.deepEqual(
    await startsOf(id),
    moved.map((start) => start.replace(/\d\d (?=\d\d:)/, (day) => `${String(Number(day) + 1).padStart(2, '0')} `)),
  )
})

const at = (day: string, hour = 10): object => ({
  start_date: `${day} ${hour}:00:00`,
  end_date: `${day} ${hour + 1}:00:00`,
})

async function shownOf(series: number): Promise<unknown[]> {
  return (await datesOf(series)).map((one) => [one.id, one.title, one.start_date.slice(5, 13)])
}

test('where all dates shift by the same amount, each keeps its id, what it has for itself, and whether it takes place', async () => {
  for (const [lines, days] of [
    [['RRULE:FREQ=WEEKLY;COUNT=5'], ['12', '26', '02', '09']],
    [['RRULE:FREQ=WEEKLY;UNTIL=20270201'], ['12', '26', '02']],
    [['RDATE:20270111T100000,20270118T100000,20270125T100000,20270201T100000'], ['12', '26', '02']],
  ] as const) {
    const { id } = await create(lines)
    const [, second, third, fourth] = await datesOf(id)
    await send('DELETE', `/events/${third.id}`)
    await send('PATCH', `/events/${fourth.id}`, { title: 'Guest' })
    await send('PATCH', `/events/${id}`, at('2027-01-05', 12))
    const shown = await shownOf(id)
    assert.deepEqual(shown.slice(0, 3), [
      [id, 'Yoga', '01-05 12'],
      [second.id, 'Yoga', '01-12 12'],
      [fourth.id, 'Guest', '01-26 12'],
    ])
    assert.ok(shown.length <= days.length + 1)
    const gone = (await app.call('administrator', 'GET', `/events/${third.id}`)).body
    assert.deepEqual([gone.status, gone.start_date], ['trash', '2027-01-19 12:00:00'])
  }
})

test('so they do where they shift on to each other, and where the rule comes along with another one', async () => {
  const { id } = await create(['RRULE:FREQ=WEEKLY;COUNT=3'])
  const [, second, third] = await datesOf(id)
  await send('PATCH', `/events/${third.id}`, { title: 'Guest' })
  await send('PATCH', `/events/${id}`, at('2027-01-11'))
  const moved = [
    [id, 'Yoga', '01-11 10'],
    [second.id, 'Yoga', '01-18 10'],
    [third.id, 'Guest', '01-25 10'],
  ]
  assert.deepEqual(await shownOf(id), moved)
  await send('PATCH', `/events/${id}`, { ...at('2027-01-13'), recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=WE;COUNT=4'] })
  const shown = await shownOf(id)
  assert.deepEqual(shown.slice(1, 3), [
    [second.id, 'Yoga', '01-20 10'],
    [third.id, 'Guest', '01-27 10'],
  ])
  assert.equal(shown.length, 4)
})

test('otherwise what the rule still gives stays, and the others go to the trash with what they have for themselves', async () => {
  const { id } = await create(['RRULE:FREQ=WEEKLY;BYDAY=MO,TH;COUNT=6', 'EXDATE:20270118T100000'])
  const [, second, third, fourth, last] = await datesOf(id)
  await send('PATCH', `/events/${third.id}`, { title: 'Guest' })
  await send('PATCH', `/events/${fourth.id}`, { title: 'Concert' })
  // The rule goes on giving Mondays and Thursdays after the new first date.
  await send('PATCH', `/events/${id}`, at('2027-01-06'))
  assert.deepEqual((await linesOf(id))[1], 'EXDATE:20270118T100000')
  assert.deepEqual((await shownOf(id)).slice(0, 4), [
    [id, 'Yoga', '01-06 10'],
    [second.id, 'Yoga', '01-07 10'],
    [third.id, 'Guest', '01-11 10'],
    [fourth.id, 'Concert', '01-14 10'],
  ])
  assert.equal((await datesOf(id)).at(-1).id, last.id)
  await send('PATCH', `/events/${id}`, { recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=TH;COUNT=4'] })
  assert.deepEqual((await shownOf(id)).slice(1, 3), [
    [second.id, 'Yoga', '01-07 10'],
    [fourth.id, 'Concert', '01-14 10'],
  ])
  const gone = (await app.call('administrator', 'GET', `/events/${third.id}`)).body
  assert.deepEqual([gone.status, gone.title, gone.start_date], ['trash', 'Guest', '2027-01-11 10:00:00'])
  await send('PATCH', `/events/${id}`, { recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=MO,TH;COUNT=6'] })
  assert.deepEqual((await shownOf(id))[2], [third.id, 'Guest', '01-11 10'])
})

test('a series that begins earlier and ends when it did has further dates, and the others stay', async () => {
  const { id } = await create(['RRULE:FREQ=WEEKLY;UNTIL=20270201'], at('2027-01-11'))
  const [, second] = await datesOf(id)
  await send('PATCH', `/events/${second.id}`, { title: 'Guest' })
  await send('PATCH', `/events/${id}`, at('2027-01-04'))
  assert.deepEqual(
    (await shownOf(id)).map((one) => (one as unknown[])[2]),
    ['01-04 10', '01-11 10', '01-18 10', '01-25 10', '02-01 10'],
  )
  assert.deepEqual((await shownOf(id))[2], [second.id, 'Guest', '01-18 10'])
})

test('an end or a title leaves the lines as they were written', async () => {
  const lines = ['RRULE:FREQ=WEEKLY;COUNT=4', 'EXDATE:20270111T090000Z', 'EXDATE;TZID=America/New_York:20270118T040000']
  const { id } = await create(lines)
  assert.deepEqual(await startsOf(id), ['2027-01-04 10:00:00', '2027-01-25 10:00:00'])
  const written = await linesOf(id)
  await send('PATCH', `/events/${id}`, { title: 'Longer', end_date: '2027-01-04 13:00:00' })
  assert.deepEqual(await linesOf(id), written)
  assert.deepEqual(await startsOf(id), ['2027-01-04 10:00:00', '2027-01-25 10:00:00'])
})

test('another zone leaves out the same readings, however they were written', async () => {
  const until = 'RRULE:FREQ=WEEKLY;UNTIL=20270201T090000Z'
  const { id } = await create([until, 'EXDATE:20270111T090000Z', 'EXDATE;TZID=America/New_York:20270118T040000'])
  const ids = (await datesOf(id)).map((one) => one.id)
  const readings = ['2027-01-04 10:00:00', '2027-01-25 10:00:00', '2027-02-01 10:00:00']
  assert.deepEqual(await startsOf(id), readings)
  for (const timezone of ['America/New_York', 'Asia/Tokyo', 'UTC', 'Europe/Berlin']) {
    await send('PATCH', `/events/${id}`, { timezone })
    assert.deepEqual(await startsOf(id), readings, timezone)
    assert.deepEqual(
      (await datesOf(id)).map((one) => one.id),
      ids,
    )
  }
  assert.deepEqual(await linesOf(id), [until, 'EXDATE:20270111T100000,20270118T100000'])
})

test('whole days leave out and add the same days, and so do times again', async () => {
  const { id } = await create(['RRULE:FREQ=WEEKLY;COUNT=3', 'RDATE:20270107T050000', 'EXDATE:20270111T100000'])
  await send('PATCH', `/events/${id}`, { all_day: true })
  assert.deepEqual(await linesOf(id), [
    'RRULE:FREQ=WEEKLY;COUNT=3',
    'RDATE;VALUE=DATE:20270107',
    'EXDATE;VALUE=DATE:20270111',
  ])
  const days = ['2027-01-04 00:00:00', '2027-01-07 00:00:00', '2027-01-18 00:00:00']
  assert.deepEqual(await startsOf(id), days)
  await send('PATCH', `/events/${id}`, { all_day: false, ...LATER })
  assert.deepEqual(
    await startsOf(id),
    days.map((start) => start.replace('00:00:00', '12:00:00')),
  )
  await send('PATCH', `/events/${id}`, { all_day: true, start_date: '2027-01-05', end_date: '2027-01-05' })
  assert.deepEqual(await startsOf(id), ['2027-01-05 00:00:00', '2027-01-08 00:00:00', '2027-01-19 00:00:00'])
})

test('a date that went before its event lasted whole days comes back as a whole day, unless that has one', async () => {
  const { id } = await create(['RRULE:FREQ=DAILY;COUNT=3', 'RDATE:20270105T180000'])
  const [, , evening, third] = await datesOf(id)
  await send('PATCH', `/events/${id}`, { recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
  await send('PATCH', `/events/${id}`, { all_day: true })
  const back = await send('PATCH', `/events/${third.id}`, { status: 'publish' })
  assert.deepEqual([back.id, back.start_date, back.end_date], [third.id, '2027-01-06 00:00:00', '2027-01-06 23:59:59'])
  assert.deepEqual(await linesOf(id), ['RRULE:FREQ=DAILY;COUNT=2', 'RDATE;VALUE=DATE:20270106'])
  const json = { status: 'publish' }
  const refused = await app.call('administrator', 'PATCH', `/events/${evening.id}`, { json })
  assert.match(refused.body.data.params.status, /the series has another date with the same start/)
  assert.deepEqual(await startsOf(id), ['2027-01-04 00:00:00', '2027-01-05 00:00:00', '2027-01-06 00:00:00'])
})

test('an UNTIL with a time moves along, one that names a day stays', async () => {
  const { id } = await create(['RRULE:FREQ=WEEKLY;UNTIL=20270118T090000Z'])
  await send('PATCH', `/events/${id}`, LATER)
  assert.deepEqual(await linesOf(id), ['RRULE:FREQ=WEEKLY;UNTIL=20270118T110000Z'])
  assert.equal((await datesOf(id)).length, 3)
  const day = await create(['RRULE:FREQ=WEEKLY;UNTIL=20270118'])
  await send('PATCH', `/events/${day.id}`, LATER)
  assert.deepEqual(await linesOf(day.id), ['RRULE:FREQ=WEEKLY;UNTIL=20270118'])
  assert.equal((await datesOf(day.id)).length, 3)
})

test('both parts of a divided series keep their dates when they are moved', async () => {
  const { id } = await create(['RRULE:FREQ=DAILY;UNTIL=20270110T090000Z', 'EXDATE:20270109T100000'])
  const dates = await datesOf(id)
  const begun = dates[3]
  await send('PATCH', `/events/${begun.id}`, {
    ...{ scope: 'following', start_date: '2027-01-07 08:00:00', end_date: '2027-01-07 09:00:00' },
  })
  assert.deepEqual(await startsOf(begun.id), ['2027-01-07 08:00:00', '2027-01-08 08:00:00', '2027-01-10 08:00:00'])
  assert.deepEqual((await linesOf(begun.id))[1], 'EXDATE:20270109T080000')
  await send('PATCH', `/events/${id}`, { start_date: '2027-01-04 06:00:00', end_date: '2027-01-04 07:00:00' })
  assert.deepEqual(await startsOf(id), ['2027-01-04 06:00:00', '2027-01-05 06:00:00', '2027-01-06 06:00:00'])
})

test('a date that was taken out keeps its id, and comes back where the others are now with what it has for itself', async () => {
  const { id } = await create(['RRULE:FREQ=WEEKLY;COUNT=4'], { slug: 'taken-along' })
  const [, second] = await datesOf(id)
  await send('PATCH', `/events/${second.id}`, { title: 'Guest' })
  await send('DELETE', `/events/${second.id}`)
  await send('PATCH', `/events/${id}`, { start_date: '2027-01-05 12:00:00', end_date: '2027-01-05 13:00:00' })
  const gone = await app.call('administrator', 'GET', `/events/${second.id}`)
  assert.deepEqual(
    [gone.body.status, gone.body.title, gone.body.start_date, gone.body.slug],
    ['trash', 'Guest', '2027-01-12 12:00:00', 'taken-along-2027-01-11__trashed'],
  )
  await send('PATCH', `/events/${second.id}`, { status: 'publish' })
  assert.deepEqual(
    (await datesOf(id)).map((one) => [one.title, one.start_date]),
    [
      ['Yoga', '2027-01-05 12:00:00'],
      ['Guest', '2027-01-12 12:00:00'],
      ['Yoga', '2027-01-19 12:00:00'],
      ['Yoga', '2027-01-26 12:00:00'],
    ],
  )
  assert.equal((await datesOf(id))[1].id, second.id)
  assert.deepEqual(await linesOf(id), ['RRULE:FREQ=WEEKLY;COUNT=4'])
})

test('a date that moves on to the day of another event keeps its slug, one that is new there gets the next number', async () => {
  const plain = await send('POST', '/events', { title: 'Gala', ...HOUR, slug: 'numbered-2027-01-12' })
  const { id } = await create(['RRULE:FREQ=WEEKLY;COUNT=2'], { slug: 'numbered' })
  const [, second] = await datesOf(id)
  await send('DELETE', `/events/${second.id}`)
  await send('PATCH', `/events/${id}`, { start_date: '2027-01-05 10:00:00', end_date: '2027-01-05 11:00:00' })
  const back = await send('PATCH', `/events/${second.id}`, { status: 'publish' })
  assert.deepEqual([back.id, back.slug], [second.id, 'numbered-2027-01-11'])
  await send('PATCH', `/events/${id}`, { recurrence: ['RRULE:FREQ=WEEKLY;COUNT=2', 'RDATE:20270112T150000'] })
  const added = (await datesOf(id)).at(-1)
  assert.equal(added.slug, 'numbered-2027-01-12-2')
  for (const one of [plain, back, added])
    assert.equal((await app.call('anonymous', 'GET', `/events/by-slug/${one.slug}`)).body.id, one.id)
})

test('a series is divided at a date whose reading the clock skips, and what follows keeps its ids', async () => {
  const night = { start_date: '2027-03-26 02:30:00', end_date: '2027-03-26 03:30:00' }
  for (const rule of ['RRULE:FREQ=DAILY;COUNT=6', 'RRULE:FREQ=DAILY;UNTIL=20270331T003000Z']) {
    const { id } = await create([rule, 'EXDATE:20270330T023000'], night)
    const before = (await datesOf(id)).map((one) => [one.id, one.start_date])
    assert.deepEqual(before[2]?.[1], '2027-03-28 03:30:00')
    await send('PATCH', `/events/${before[2]?.[0]}`, { scope: 'following', cost: '5' })
    const parts = [...(await datesOf(id)), ...(await datesOf(before[2]?.[0]))]
    assert.deepEqual(
      parts.map((one) => [one.id, one.start_date]),
      before,
    )
  }
  // Two dates take place at once here, of which one is called by the hour that the clock skips.
  const early = { start_date: '2027-03-28 00:30:00', end_date: '2027-03-28 00:45:00' }
  for (const rule of ['RRULE:FREQ=HOURLY;COUNT=6', 'RRULE:FREQ=HOURLY;UNTIL=20270328T040000Z']) {
    const { id } = await create([rule], early)
    const before = (await datesOf(id)).map((one) => [one.id, one.start_date])
    assert.deepEqual(before[2]?.[1], before[3]?.[1])
    await send('PATCH', `/events/${before[2]?.[0]}`, { scope: 'following', cost: '5' })
    const parts = [...(await datesOf(id)), ...(await datesOf(before[2]?.[0]))]
    assert.deepEqual(
      parts.map((one) => [one.id, one.start_date]),
      before,
    )
  }
})

test('a move beyond the last year is refused where it would lose a date', async () => {
  const { id } = await create(['RRULE:FREQ=WEEKLY;COUNT=2', 'RDATE:99991230T100000', 'EXDATE:99991231T100000'])
  const json = { start_date: '2027-01-07 10:00:00', end_date: '2027-01-07 11:00:00' }
  const { status, body } = await app.call('administrator', 'PATCH', `/events/${id}`, { json })
  assert.deepEqual([status, Object.keys(body.data.params)], [400, ['start_date']])
  await send('PATCH', `/events/${id}`, { start_date: '2027-01-05 10:00:00', end_date: '2027-01-05 11:00:00' })
  assert.deepEqual(await linesOf(id), ['RRULE:FREQ=WEEKLY;COUNT=2', 'RDATE:99991231T100000'])
})

test('a series stays empty, and without its first date, when it is moved', async () => {
  const { id } = await create(['RRULE:FREQ=WEEKLY;COUNT=2'])
  await send('DELETE', `/events/${id}?scope=this`)
  await send('PATCH', `/events/${id}`, LATER)
  assert.deepEqual(await startsOf(id), ['2027-01-11 12:00:00'])
  const [last] = await datesOf(id)
  await send('DELETE', `/events/${last.id}?scope=this`)
  await send('PATCH', `/events/${id}`, HOUR)
  assert.deepEqual(await startsOf(id), [])
  await send('PATCH', `/events/${last.id}`, { status: 'publish' })
  assert.deepEqual(await startsOf(id), ['2027-01-11 10:00:00'])
})

test('everything that is made of these series is whole', async () => {
  await assertSound(app.app.storage)
})
