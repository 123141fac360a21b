import assert from 'node:assert/strict'
import test from 'node:test'
import { openTestApp, type TestApp } from '../../../../../test/support/app.ts'

const RANGE = { start_date: '2027-01-01', end_date: '2029-01-01', status: 'any', per_page: 50 }

const PLACES = [
  { venue: 'Pier, north', address: 'Quay 1', city: 'Oldport' },
  { venue: 'Boathouse', address: 'Quay 9', city: 'Newport' },
]

/** Events with everything that a table says in another way than it is stored, or does not say. */
const EVENTS: readonly Readonly<Record<string, unknown>>[] = [
  {
    title: 'Regatta, day 2',
    description: '<p>Bring a <b>dry bag</b></p>',
    excerpt: 'Boats',
    ...{ start_date: '2027-04-17 09:30:00', end_date: '2027-04-17 15:00:00', timezone: 'Europe/Berlin' },
    ...{ cost: '12.50', website: 'https://regatta.example', show_map: true, show_map_link: true, sticky: true },
    ...{ featured: true, event_status: 'canceled', event_status_reason: 'Storm' },
    ...{
      venue: PLACES,
      organizer: [{ organizer: 'Rowers, Bay', email: 'rowers@bay.example' }, { organizer: 'Mermaids' }],
    },
    ...{ tags: ['fun', 'A, b'], categories: ['Water'] },
  },
  {
    ...{ title: '=Boat', start_date: '2027-05-02', end_date: '2027-05-03', all_day: true, status: 'draft' },
    ...{ is_virtual: true, venue: [PLACES[1]] },
  },
  // The second time that the clock shows it.
  { title: 'Night', start_date: '2027-11-07T01:30:00-05:00', end_date: '2027-11-07 03:00:00' },
]

const SERIES = {
  ...{ title: 'Choir', start_date: '2027-06-01 19:00:00', end_date: '2027-06-01 20:00:00' },
  recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'],
}

async function make(app: TestApp, json: Readonly<Record<string, unknown>>): Promise<void> {
  const { status, body } = await app.call('administrator', 'POST', '/events', { json })
  assert.equal(status, 201, JSON.stringify(body))
}

async function exported(app: TestApp): Promise<string> {
  const query = new URLSearchParams({ start_date: RANGE.start_date, end_date: RANGE.end_date, status: RANGE.status })
  const headers = { authorization: app.authorization('administrator') }
  const response = await fetch(`${app.origin}/kalends/v1/events.csv?${query}`, { headers })
  assert.equal(response.status, 200)
  return response.text()
}

function send(app: TestApp, text: string) {
  assert.ok(app.app.importCalendars)
  const files = [{ name: 'events.csv', bytes: Buffer.from(text) }]
  return app.app.importCalendars({ files }, () => undefined)
}

interface Listed extends Readonly<Record<string, unknown>> {
  readonly title: string
  readonly venue: readonly Readonly<Record<'venue' | 'city', string>>[] | Readonly<Record<'venue' | 'city', string>>
}

async function listed(app: TestApp): Promise<readonly Listed[]> {
  return (await app.call('administrator', 'GET', '/events', { query: RANGE })).body.events
}

test('a table that comes back into its calendar changes nothing, and a changed cell changes only that', async (t) => {
  const app = await openTestApp(t)
  for (const event of [...EVENTS, SERIES]) await make(app, event)
  const before = await listed(app)
  assert.equal(before.length, EVENTS.length + 3)
  const table = await exported(app)
  for (const _time of [1, 2]) {
    const report = await send(app, table)
    assert.deepEqual(await listed(app), before)
    assert.deepEqual(report.counts.event, { created: 0, updated: 0, unchanged: EVENTS.length })
    assert.deepEqual(
      report.skipped.map(({ why }) => why),
      Array.from({ length: 3 }, () => 'import.problem.dateOfSeries'),
    )
    assert.deepEqual([report.notes, report.counts.venue.created], [[], 0])
  }
  const report = await send(app, table.replace('Regatta, day 2', 'Regatta, day 3'))
  assert.deepEqual(report.counts.event, { created: 0, updated: 1, unchanged: EVENTS.length - 1 })
  const after = await listed(app)
  assert.deepEqual(
    after.map((event, index) => Object.keys(event).filter((key) => !same(event[key], before[index]?.[key]))),
    after.map(({ title }) => (title === 'Regatta, day 3' ? ['title'] : [])),
  )
})

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

test('a table without the columns of a part leaves that as it is', async (t) => {
  const app = await openTestApp(t)
  await make(app, EVENTS[0] ?? {})
  const [before] = await listed(app)
  const uid = `${before?.['id']}@calendar.example`
  const row = `Regatta,2027-04-18 09:30,2027-04-18 15:00,Europe/Berlin,${uid}`
  const report = await send(app, `title,start_date,end_date,timezone,uid\n${row}\n`)
  assert.deepEqual(report.counts.event, { created: 0, updated: 1, unchanged: 0 })
  const [after] = await listed(app)
  assert.deepEqual([after?.title, after?.['start_date']], ['Regatta', '2027-04-18 09:30:00'])
  for (const name of ['description', 'excerpt', 'cost', 'website', 'show_map', 'sticky', 'featured', 'venue', 'tags'])
    assert.deepEqual(after?.[name], before?.[name], name)
})

test('elsewhere each row is made once, and a second import of the table changes nothing', async (t) => {
  const here = await openTestApp(t)
  for (const event of [...EVENTS, SERIES]) await make(here, event)
  const table = await exported(here)
  const there = await openTestApp(t, { siteHost: 'other.example' })
  const report = await send(there, table)
  const count = EVENTS.length + 3
  assert.deepEqual([report.counts.event, report.skipped], [{ created: count, updated: 0, unchanged: 0 }, []])
  const events = await listed(there)
  assert.equal(events.filter(({ title }) => title === 'Choir').length, 3)
  const places = [events.find(({ title }) => title === 'Regatta, day 2')?.venue ?? []].flat()
  assert.deepEqual(
    places.map(({ venue, city }) => [venue, city]),
    PLACES.map(({ venue, city }) => [venue, city]),
  )
  const again = await send(there, table)
  assert.deepEqual(again.counts.event, { created: 0, updated: 0, unchanged: count })
  assert.deepEqual([again.counts.venue.created, again.notes], [0, []])
  assert.deepEqual(await listed(there), events)
})

test('what was imported under a UID of another program keeps it in tables', async (t) => {
  const app = await openTestApp(t)
  await send(app, 'title,start_date,uid\nWalk,2027-03-01,walk-1@diary.example\n')
  const table = await exported(app)
  assert.match(table, /,walk-1@diary\.example\r\n$/)
  assert.deepEqual((await send(app, table)).counts.event, { created: 0, updated: 0, unchanged: 1 })
})
