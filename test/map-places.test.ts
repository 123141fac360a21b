import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApp } from './support/app.ts'

const app = await openTestApp({ after }, { mapTiles: 'http://tiles.example/{z}/{x}/{y}.png' })
const { origin, call } = app

async function make(path: string, json: object) {
  const { status, body } = await call('administrator', 'POST', path, { json })
  assert.equal(status, 201, JSON.stringify(body))
  return body
}

/** An event on the same day as all others, at these venues. */
function event(title: string, venue: readonly number[]) {
  return make('/events', { title, start_date: '2026-12-05 10:00', end_date: '2026-12-05 11:00', venue })
}

async function mapPage(): Promise<string> {
  return (await fetch(`${origin}/events/map/`)).text()
}

test('a venue that is to be without a map is listed and never on one', async () => {
  const quiet = await make('/venues', { venue: 'Quiet Yard', geo_lat: 40, geo_lng: -70, show_map: false })
  await event('Retreat', [quiet.id])
  const text = await mapPage()
  assert.match(text, /Quiet Yard/)
  assert.doesNotMatch(text, /data-lat|<event-map/)
})

test('an event at several venues stands at the one that says where it is', async () => {
  const nowhere = await make('/venues', { venue: 'Somewhere' })
  const pier = await make('/venues', { venue: 'Long Pier', geo_lat: 41, geo_lng: -71 })
  await event('Regatta', [nowhere.id, pier.id])
  const text = await mapPage()
  assert.match(text, /<event-map/)
  assert.match(text, /data-lat="41" data-lng="-71" data-name="Long Pier"/)
})
