import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApp } from './support/app.ts'
import { assertJournalMirrors } from './support/mirror.ts'
import { assertSound } from './support/sound.ts'

const app = await openTestApp({ after })
const LEAST = { title: 'Choir', start_date: '2027-01-04 10:00:00', end_date: '2027-01-04 11:30:00' }
const WEEKLY = { ...LEAST, recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'] }

// biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests assert
type Item = any

async function send(method: string, path: string, json: object): Promise<Item> {
  const { status, body } = await app.call('administrator', method, path, { json })
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`)
  return body
}

async function idsOf(series: number): Promise<number[]> {
  const query = { series, start_date: '2020-01-01', end_date: '2099-01-01' }
  return (await app.call('administrator', 'GET', '/events', { query })).body.events.map(({ id }: Item) => id)
}

/** What an event is after a write, which has answered the same. */
async function assertIs(answer: Item, wanted: Readonly<Record<string, unknown>>): Promise<void> {
  const { body } = await app.call('administrator', 'GET', `/events/${answer.id}`)
  for (const shown of [answer, body]) {
    assert.deepEqual(Object.fromEntries(Object.keys(wanted).map((name) => [name, shown[name]])), wanted)
    assert.deepEqual([shown.recurrence, shown.series], [undefined, undefined])
  }
  assert.deepEqual(await idsOf(answer.id), [answer.id])
}

for (const [index, nothing] of [null, [], ''].entries()) {
  test(`an event that recurs no more (${JSON.stringify(nothing)}) is what its first date was by itself`, async () => {
    const { id } = await send('POST', '/events', WEEKLY)
    const own = {
      slug: `choir-${index}-abroad`,
      title: 'Choir abroad',
      start_date: '2027-01-05 09:00:00',
      end_date: '2027-01-05 10:00:00',
    }
    await send('PATCH', `/events/${id}`, { ...own, scope: 'this' })
    await assertIs(await send('PATCH', `/events/${id}`, { recurrence: nothing }), own)
    const told = await send('PATCH', `/events/${id}`, { event_status: 'rescheduled' })
    assert.equal(told.previous_start_date, LEAST.start_date)
  })
}

test('what is sent when an event stops to recur is so, whatever its first date was by itself', async () => {
  const { id } = await send('POST', '/events', { ...WEEKLY, slug: 'concert' })
  const own = { slug: 'concert-abroad', title: 'Abroad', cost: '5', website: 'https://abroad.example/' }
  await send('PATCH', `/events/${id}`, {
    ...own,
    start_date: '2027-01-05 10:00:00',
    end_date: '2027-01-05 12:00:00',
    scope: 'this',
  })
  const sent = { title: 'At home', slug: 'concert', start_date: '2027-01-06 09:00:00', end_date: '2027-01-06 10:00:00' }
  const single = await send('PUT', `/events/${id}`, { ...sent, recurrence: null })
  await assertIs(single, { ...sent, website: own.website, cost: '$5' })
  assert.equal((await app.call('anonymous', 'GET', '/events/by-slug/concert')).body.id, id)
})

test('an event stops to recur with the slug that its first date took by itself', async () => {
  const { id } = await send('POST', '/events', { ...WEEKLY, slug: 'rehearsal' })
  await send('PATCH', `/events/${id}`, { slug: 'rehearsal-abroad', scope: 'this' })
  const sent = { slug: 'rehearsal-abroad', title: 'Rehearsal' }
  await assertIs(await send('PATCH', `/events/${id}`, { ...sent, recurrence: null }), sent)
})

test('a series that begins with a date and does not recur is that date as it was by itself', async () => {
  const { id } = await send('POST', '/events', { ...WEEKLY, slug: 'mass' })
  const [, second = 0] = await idsOf(id)
  await send('PATCH', `/events/${second}`, { slug: 'mass-abroad', title: 'Abroad', scope: 'this' })
  const single = await send('PATCH', `/events/${second}`, { scope: 'following', recurrence: null, cost: '3' })
  await assertIs(single, { slug: 'mass-abroad', title: 'Abroad', cost: '$3' })
})

test('an event that recurs no more moves as any other does, with each scope', async () => {
  const { id } = await send('POST', '/events', WEEKLY)
  const [, second = 0] = await idsOf(id)
  await send('PATCH', `/events/${id}`, { recurrence: null })
  for (const [index, scope] of [undefined, 'this', 'following', 'all'].entries()) {
    const day = `2027-01-0${index + 5}`
    const sent = {
      start_date: `${day} 10:00:00`,
      end_date: `${day} 11:00:00`,
      title: `Choir ${index}`,
      cost: `$${index + 1}`,
    }
    await assertIs(await send('PATCH', `/events/${id}`, { ...sent, scope }), sent)
    await assertIs(await send('PATCH', `/events/${id}`, { all_day: true, scope }), { start_date: `${day} 00:00:00` })
    await assertIs(await send('PATCH', `/events/${id}`, { all_day: false, ...sent, scope }), sent)
  }
  // One that was dropped comes back beside it.
  await send('PATCH', `/events/${second}`, { status: 'publish' })
  assert.deepEqual(await idsOf(id), [id, second])
})

test('an event that recurs no more goes to the trash as a whole, with each scope', async () => {
  for (const scope of [undefined, 'this', 'following', 'all']) {
    const { id } = await send('POST', '/events', WEEKLY)
    await send('PATCH', `/events/${id}`, { recurrence: null })
    const trashed = await app.call('administrator', 'DELETE', `/events/${id}`, {
      query: scope === undefined ? {} : { scope },
    })
    assert.deepEqual([trashed.status, trashed.body.status, trashed.body.series], [200, 'trash', undefined])
    const restored = await send('PATCH', `/events/${id}`, { status: 'publish', ...(scope !== undefined && { scope }) })
    await assertIs(restored, { status: 'publish', start_date: LEAST.start_date })
  }
})

test('what is sent of a series of one date that is left after a division holds for that date', async () => {
  const { id } = await send('POST', '/events', { ...LEAST, recurrence: ['RDATE:20270111T100000'] })
  const [, second = 0] = await idsOf(id)
  await send('PATCH', `/events/${second}`, { title: 'Abroad', cost: '4', scope: 'this' })
  const sent = { title: 'At home', start_date: '2027-01-12 09:00:00' }
  await assertIs(
    await send('PATCH', `/events/${second}`, { ...sent, end_date: '2027-01-12 10:00:00', scope: 'following' }),
    {
      ...sent,
      cost: '$4',
    },
  )
})

const OWN = { title: 'Abroad', start_date: '2027-01-05 09:00:00', end_date: '2027-01-05 10:00:00' }

/** A series whose first date has another title and day, ended before its second date in one of two ways: the id of its event. */
async function left(method: 'DELETE' | 'PATCH'): Promise<number> {
  const { id } = await send('POST', '/events', { ...LEAST, recurrence: ['RDATE:20270111T100000'] })
  const [, second = 0] = await idsOf(id)
  await send('PATCH', `/events/${id}`, { ...OWN, scope: 'this' })
  const scope = 'following'
  const sent = method === 'DELETE' ? { query: { scope } } : { json: { scope, title: 'Later' } }
  const { status } = await app.call('administrator', method, `/events/${second}`, sent)
  assert.equal(status, 200)
  return id
}

async function fileOf(id: number, type: string): Promise<Item> {
  return (await app.call('anonymous', 'GET', `${app.origin}/kalends/v1/events/${id}.${type}`)).body
}

for (const method of ['DELETE', 'PATCH'] as const) {
  test(`an event that is left of a series (${method}) is what its date was by itself, everywhere and for every change`, async () => {
    const id = await left(method)
    await assertIs(await send('PATCH', `/events/${id}`, {}), OWN)
    const [, ...components] = String(await fileOf(id, 'ics')).split('BEGIN:VEVENT')
    assert.deepEqual(components.join('').match(/^(SUMMARY|DTSTART|RECURRENCE-ID|RRULE).*\w/gm), [
      'DTSTART;TZID=America/New_York:20270105T090000',
      'SUMMARY:Abroad',
    ])
    const { title, start, recurrenceOverrides } = await fileOf(id, 'jscal')
    assert.deepEqual([title, start, recurrenceOverrides], ['Abroad', '2027-01-05T09:00:00', undefined])
    const before = await app.call('administrator', 'GET', `/events/${id}`)
    await send('PATCH', `/events/${id}`, {})
    const after = await app.call('administrator', 'GET', `/events/${id}`)
    assert.equal(after.headers.get('etag'), before.headers.get('etag'))
  })

  test(`what an event recurs by that is left of a series (${method}) begins with what is shown of it, or sent`, async () => {
    const recurrence = ['RRULE:FREQ=DAILY;COUNT=2']
    const other = { title: 'At home', start_date: '2027-02-01 10:00:00', end_date: '2027-02-01 11:00:00' }
    for (const sent of [{}, OWN, { title: OWN.title }, other]) {
      const wanted = { ...OWN, ...sent }
      for (const scope of [undefined, 'this', 'following', 'all']) {
        const id = await left(method)
        const told = await send('PATCH', `/events/${id}`, { ...sent, recurrence, scope })
        assert.deepEqual([told.title, told.start_date, told.series.exception], [wanted.title, wanted.start_date, false])
        const query = { series: id, start_date: '2027-01-01' }
        const { events } = (await app.call('anonymous', 'GET', '/events', { query })).body
        const next = wanted.start_date.replace(/\d (?=\d\d:)/, (day) => `${Number(day) + 1} `)
        const shown = events.map((one: Item) => [one.title, one.start_date])
        const dates = [wanted.start_date, next].map((start) => [wanted.title, start])
        assert.deepEqual(shown, dates)
      }
    }
  })
}

test('so is the first date of a series that comes back after the others have gone', async () => {
  for (const isBefore of [true, false]) {
    const { id } = await send('POST', '/events', { ...LEAST, recurrence: ['RDATE:20270111T100000'] })
    const [, second = 0] = await idsOf(id)
    if (isBefore) await send('PATCH', `/events/${id}`, { ...OWN, scope: 'this' })
    await app.call('administrator', 'DELETE', `/events/${id}`, { query: { scope: 'this' } })
    await app.call('administrator', 'DELETE', `/events/${second}`, { query: { scope: 'following' } })
    const back = await send('PATCH', `/events/${id}`, { status: 'publish', scope: 'this', ...(!isBefore && OWN) })
    await assertIs(back, OWN)
    assert.deepEqual(String(await fileOf(id, 'ics')).match(/^(SUMMARY|RECURRENCE-ID).*\w/gm), ['SUMMARY:Abroad'])
  }
})

test('the zone of an event that recurs no more stands in its file as in that of any other', async () => {
  const { id } = await send('POST', '/events', { ...WEEKLY, timezone: 'UTC+5' })
  await send('PATCH', `/events/${id}`, { recurrence: null })
  const plain = await send('POST', '/events', { ...LEAST, timezone: 'UTC+5' })
  const [one, other] = await Promise.all([id, plain.id].map((event) => fileOf(event, 'ics')))
  const linesOf = (file: string) => file.match(/^(BEGIN|DTSTART|DTEND|X-KALENDS-TIMEZONE|TZOFFSETTO).*\w/gm)
  assert.deepEqual(linesOf(one), linesOf(other))
  assert.match(one, /^X-KALENDS-TIMEZONE:UTC\+5/m)
})

test('what is derived of events that recur no more is sound', async () => {
  await assertSound(app.app.storage)
  await assertJournalMirrors(app.app.storage)
})
