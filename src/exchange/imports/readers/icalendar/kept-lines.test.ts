import assert from 'node:assert/strict'
import test from 'node:test'
import { openTestApp, type TestApp } from '../../../../../test/support/app.ts'
import { calendar, event, listed, send } from '../../../../../test/support/icalendar-import.ts'

/** The lines of the file of an event, as an editor gets it. */
async function linesOf({ origin, authorization }: TestApp, id: number): Promise<string[]> {
  const headers = { authorization: authorization('administrator') }
  const response = await fetch(`${origin}/kalends/v1/events/${id}.ics`, { headers })
  return (await response.text()).replaceAll('\r\n ', '').split('\r\n')
}

test('what has no place here is given back as it was written, once', async (t) => {
  const app = await openTestApp(t)
  const given = [
    ...['STATUS:TENTATIVE', 'CLASS:CONFIDENTIAL', 'TRANSP:TRANSPARENT', 'COMMENT:If it does not rain'],
    ...['CONTACT:Ben', 'RELATED-TO:other@there.example', 'FUTURE-WORD;LANGUAGE=de:Eins\\, zwei', 'X-ROOM:Blue'],
    'IMAGE;VALUE=URI;DISPLAY=BADGE:https://there.example/badge.png',
  ]
  const [first, own] = ['IMAGE;VALUE=URI:http://127.0.0.1/boat.jpg', 'CONTACT:Ada']
  const elsewhere = [
    'ATTENDEE:mailto:guest@private.example',
    'VERSION:2.0',
    'SEQUENCE:4',
    'X-MOZ-LASTACK:20270101T000000Z',
  ]
  const file = event('fair', 'DTSTART:20270228T100000Z', 'SUMMARY:Fair', first, own, ...given, ...elsewhere)
  await send(app, calendar(...file))
  const [fair] = await listed(app, { status: 'private' })
  assert.equal(fair.status, 'private')
  const lines = await linesOf(app, fair.id)
  for (const one of [...given, own]) assert.equal(lines.filter((line) => line === one).length, 1, one)
  const names = lines.map((line) => line.split(/[;:]/, 1)[0])
  for (const name of ['STATUS', 'CLASS', 'TRANSP']) assert.equal(names.filter((one) => one === name).length, 1, name)
  const other = await app.call('administrator', 'GET', `${app.origin}/kalends/v1/events/${fair.id}.jscal`)
  const { uid, status, privacy, freeBusyStatus } = other.body
  assert.deepEqual([uid, status, privacy, freeBusyStatus], ['fair', 'tentative', 'secret', 'free'])
  const { body: jcal } = await app.call('administrator', 'GET', `${app.origin}/kalends/v1/events/${fair.id}.jcal`)
  const called =
    (wanted: string) =>
    ([name]: readonly unknown[]) =>
      name === wanted
  const word = jcal[2].find(called('vevent'))[1].find(called('future-word'))
  // Of what type its value is nobody knows (RFC 7265 section 5).
  assert.deepEqual(word, ['future-word', { language: 'de' }, 'unknown', 'Eins\\, zwei'])
  assert.doesNotMatch(lines.slice(lines.indexOf('BEGIN:VEVENT')).join('\n'), /private\.example|^VERSION|X-MOZ/m)
  const day = event(
    'day',
    'DTSTART;VALUE=DATE:20270301',
    'SUMMARY:Day',
    'TRANSP:OPAQUE',
    'COMMENT:Storm',
    'COMMENT:Sorry',
  )
  await send(app, calendar(...day.toSpliced(-1, 0, 'STATUS:CANCELLED')))
  const [off] = (await listed(app)).filter(({ title }: { title: string }) => title === 'Day')
  assert.deepEqual([off.event_status_reason, off.icalendar.lines], ['Storm', ['TRANSP:OPAQUE', 'COMMENT:Sorry']])
  // What is decided here counts more.
  await app.call('administrator', 'POST', `/events/${fair.id}`, {
    json: { event_status: 'canceled', status: 'publish' },
  })
  const now = await linesOf(app, fair.id)
  assert.deepEqual([now.includes('STATUS:CANCELLED'), now.some((line) => /^CLASS|TENTATIVE/.test(line))], [true, false])
})

test('an event whose class is not known is private, and one that is public is not', async (t) => {
  const app = await openTestApp(t)
  const of = (name: string) => event(name, 'DTSTART:20270228T100000Z', `SUMMARY:${name}`, `CLASS:${name}`)
  await send(app, calendar(...of('X-BOARD'), ...of('Public'), ...of('PRIVATE')))
  const titles = async (status: string) =>
    (await listed(app, { status })).map(({ title }: { title: string }) => title).sort()
  assert.deepEqual([await titles('private'), await titles('publish')], [['PRIVATE', 'X-BOARD'], ['Public']])
})

test('an event that comes back in a file of its own calendar keeps nothing of what the file was made of', async (t) => {
  const app = await openTestApp(t)
  const create = (json: object) => app.call('administrator', 'POST', '/events', { json })
  const times = { start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 11:00:00' }
  const { body: whole } = await create({ title: 'Festival', ...times })
  const organizer = [{ organizer: 'Ada' }, { organizer: 'Ben', email: 'ben@harbour.example' }, { organizer: 'Cy' }]
  const more = { event_status: 'postponed', event_status_reason: 'Storm', post_parent: whole.id, organizer }
  const { body: part, status } = await create({ title: 'Opening', ...times, ...more })
  assert.equal(status, 201, JSON.stringify(part))
  const read = async (): Promise<string> =>
    (await fetch(`${app.origin}/kalends/v1/events.ics?start_date=2027-01-01`)).text()
  const before = await read()
  assert.match(before, /STATUS:TENTATIVE[\s\S]*COMMENT:Storm/)
  const report = await send(app, Buffer.from(before))
  assert.equal(report.counts.event.unchanged, 2, JSON.stringify(report))
  assert.equal(await read(), before)
})

test('a first date that was changed here is the event when its series recurs no more there', async (t) => {
  const app = await openTestApp(t)
  const fair = (...lines: string[]) =>
    calendar(...event('fair', 'DTSTART;TZID=America/New_York:20270104T100000', 'SUMMARY:Fair', ...lines))
  await send(app, fair('RDATE;TZID=America/New_York:20270111T100000'))
  const [{ id }] = await listed(app)
  await app.call('administrator', 'PATCH', `/events/${id}`, { json: { title: 'Local', scope: 'this' } })
  for (const _turn of [1, 2]) {
    await send(app, fair())
    const { body } = await app.call('administrator', 'GET', `/events/${id}`)
    assert.deepEqual([body.title, body.start_date, body.series], ['Local', '2027-01-04 10:00:00', undefined])
    const lines = await linesOf(app, id)
    assert.deepEqual(
      lines.filter((line) => /^(SUMMARY|RECURRENCE-ID)/.test(line)),
      ['SUMMARY:Local'],
    )
  }
})
