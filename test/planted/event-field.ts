// Runs in a copy of the tree in which test/recipe.test.ts has planted two plain fields of events.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { visitor } from '../support/admin.ts'
import { openTestApp } from '../support/app.ts'
import { calendar, event, send } from '../support/icalendar-import.ts'

const app = await openTestApp({ after })
const TIMES = { start_date: '2027-01-04 10:00:00', end_date: '2027-01-04 11:00:00', timezone: 'Europe/Berlin' }
const SET = { step_free: true, door_note: 'Ring, then wait' }

// biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests assert
type Item = any

async function call(method: string, path: string, json: object = {}): Promise<Item> {
  return (await app.call('administrator', method, path, { json })).body
}

/** An event by its title, as far as the planted fields go. */
async function planted(title: string): Promise<unknown> {
  const query = { search: title, start_date: '2020-01-01', end_date: '2030-01-01' }
  const { events } = (await app.call('administrator', 'GET', '/events', { query })).body
  assert.equal(events.length, 1, title)
  return { step_free: events[0].step_free, door_note: events[0].door_note }
}

async function file(path: string): Promise<string> {
  const response = await fetch(`${app.origin}/kalends/v1/${path}`)
  assert.equal(response.status, 200)
  return response.text()
}

const made = await call('POST', '/events', { title: 'Regatta', ...TIMES, ...SET })

test('a form shows and stores it', async () => {
  const ada = await visitor(app, 'editor')
  const { text } = await ada.show(`/admin/events/${made.id}`)
  assert.match(text, /Step-free/)
  assert.match(text, /name="door_note"[^>]*value="Ring, then wait"/)
  await ada.submit(`/admin/events/${made.id}`, { door_note: 'Knock', action: 'update' })
  assert.deepEqual(await planted('Regatta'), { step_free: true, door_note: 'Knock' })
  // What it was stands in the history.
  const history = await ada.show(`/admin/events/${made.id}/history`)
  assert.match(history.text, /Door note[\s\S]*Ring, then wait/)
  await call('PATCH', `/events/${made.id}`, SET)
})

test('a table is written and read with it', async () => {
  const table = await file('events.csv?start_date=2027-01-01&end_date=2027-02-01')
  assert.match(table, /,step_free,door_note,/)
  assert.match(table, /,true,"Ring, then wait",/)
  const other = table.replaceAll('Regatta', 'Rowing').replace(/\d+@[^,\r]+\r\n/, 'rowing@there\r\n')
  assert.equal((await send(app, Buffer.from(other), { name: 'a.csv' })).created, 1)
  assert.deepEqual(await planted('Rowing'), SET)
  const headed = 'Event Name,Start Date,Barrier-free\r\nSail,2027-03-01,yes\r\n'
  assert.equal((await send(app, Buffer.from(headed), { name: 'b.csv' })).created, 1)
  assert.deepEqual(await planted('Sail'), { step_free: true, door_note: '' })
})

test('a calendar file is written and read with it, and nothing of it is kept twice', async () => {
  const written = await file(`events.ics?start_date=2027-01-01&end_date=2027-02-01`)
  assert.match(written, /\r\nX-STEP-FREE:TRUE\r\nX-DOOR-NOTE:Ring\\, then wait\r\n/)
  const lines = ['SUMMARY:Diving', 'DTSTART:20270105T100000Z', 'X-STEP-FREE:TRUE', 'X-DOOR-NOTE:Mind\\, the gap']
  assert.equal((await send(app, calendar(...event('dive@there', ...lines)))).created, 1)
  assert.deepEqual(await planted('Diving'), { step_free: true, door_note: 'Mind, the gap' })
  const changed = lines.map((line) => line.replace('X-STEP-FREE:TRUE', 'X-STEP-FREE:FALSE'))
  assert.equal((await send(app, calendar(...event('dive@there', ...changed)))).updated, 1)
  assert.deepEqual(await planted('Diving'), { step_free: false, door_note: 'Mind, the gap' })
  const again = await file('events.ics?search=Diving&start_date=2027-01-01')
  assert.equal(again.match(/X-DOOR-NOTE/g)?.length, 1)
})

test('a date of a series differs in it, or does not, as it is declared', async () => {
  const { id } = await call('POST', '/events', { title: 'Choir', ...TIMES, recurrence: ['RRULE:FREQ=WEEKLY;COUNT=2'] })
  const query = { series: id, start_date: '2027-01-01', end_date: '2028-01-01' }
  const dates = async () => (await app.call('administrator', 'GET', '/events', { query })).body.events as Item[]
  const [, second] = await dates()
  await call('PATCH', `/events/${second.id}`, { step_free: true })
  assert.deepEqual(
    (await dates()).map((one) => [one.step_free, one.series.exception]),
    [
      [false, false],
      [true, true],
    ],
  )
  const refused = await app.call('administrator', 'PATCH', `/events/${second.id}`, { json: { door_note: 'Mine' } })
  assert.deepEqual([refused.status, Object.keys(refused.body.data.params)], [400, ['door_note']])
})
