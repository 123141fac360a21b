import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApp } from './support/app.ts'
import { filesOfSeries } from './support/series-files.ts'

const app = await openTestApp({ after })
const { send, datesOf, fileAt, origin: FILES } = filesOfSeries(app)
const YOGA = {
  title: 'Yoga',
  start_date: '2027-01-04 10:00:00',
  end_date: '2027-01-04 11:30:00',
  timezone: 'Europe/Berlin',
  recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'],
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
  // Programs that reckon all dates with the offset of the first one must not miss the last one in summer.
  assert.deepEqual((await times({ recurrence: 'RRULE:FREQ=DAILY;UNTIL=20270412T100000' }))[0]?.slice(2), [
    'RRULE:FREQ=DAILY;UNTIL=20270412T090000Z',
  ])
  // A start that the rule does not give is a date all the same, and the first one of COUNT.
  assert.deepEqual((await times({ recurrence: 'RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=3' }))[0]?.slice(2), [
    'RRULE:FREQ=WEEKLY;UNTIL=20270112T090000Z;BYDAY=TU',
    'RDATE;TZID=Europe/Berlin:20270104T100000',
  ])
})
