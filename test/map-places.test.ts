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

async function mapPage(query = ''): Promise<string> {
  return (await fetch(`${origin}/events/map/${query}`)).text()
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

test('the map has what the list has of a period and filters, each series once with its next date', async () => {
  app.clock.now = Date.UTC(2026, 10, 27, 12, 0, 0)
  const venue = [(await make('/venues', { venue: 'Tower', geo_lat: 42, geo_lng: -72 })).id]
  const at = (day: string, [from, to]: readonly [string, string], until = day) => ({
    ...{ venue, timezone: 'UTC', start_date: `2026-${day} ${from}`, end_date: `2026-${until} ${to}` },
  })
  const daily = { recurrence: ['RRULE:FREQ=DAILY;COUNT=40'] }
  await make('/events', { title: 'Tour', ...at('11-20', ['15:00', '16:00']), ...daily })
  await make('/events', { title: 'Club', ...at('11-20', ['20:00', '03:00'], '11-21'), ...daily })
  await make('/events', {
    title: 'Course',
    ...at('11-26', ['10:00', '18:00'], '11-28'),
    recurrence: ['RRULE:FREQ=WEEKLY;COUNT=5'],
  })
  await make('/events', { title: 'Show', ...at('11-20', ['10:00', '18:00'], '12-20'), cost: '5' })
  await make('/events', { title: 'Matinee', ...at('11-28', ['11:00', '12:00']) })
  await make('/events', { title: 'Late', ...at('12-03', ['23:00', '02:00'], '12-04') })
  const page = async (view: string, query: string) => {
    const text = await (await fetch(`${origin}/events/${view}${query}`)).text()
    const cards = text.matchAll(/<time datetime="([^T"]*)[^>]*>[\s\S]*?<h3 class="title"><a [^>]*>([^<]*)</g)
    return [...cards].map(([, day, title]) => `${title} ${day}`).toSorted()
  }
  const today = 'start_date=2026-11-27&starts_before=2026-11-27'
  assert.deepEqual(await page('map/', `?${today}`), [
    'Club 2026-11-27',
    'Course 2026-11-26',
    'Show 2026-11-20',
    'Tour 2026-11-27',
  ])
  const titles = async (view: string, query: string) =>
    (await page(view, query)).map((card) => card.slice(0, card.lastIndexOf(' ')))
  const weekend = 'start_date=2026-11-28&starts_before=2026-11-29'
  const morning = 'start_date=2026-12-04&starts_before=2026-12-04'
  for (const query of [today, `${today}&cost=free`, weekend, morning, 'starts_after=2026-12-01', 'search=club', '']) {
    const listed = await titles('', `?${query}&geoloc=true&per_page=50`)
    assert.deepEqual(await titles('map/', `?${query}`), listed, query)
    assert.equal(new Set(listed).size, listed.length)
  }
  const text = await mapPage(`?${today}&cost=free`)
  assert.match(text, /<a class="chip" href="[^"]*" aria-current="true">Today</)
  assert.match(text, /<a class="chip x" href="\/events\/map\/\?start_date/)
  assert.match(await mapPage('?search=nothing+of+that'), /No events match your search/)
  // The dates of one series are what its own map is about.
  const { length } = await page('../series/tour/map/', '')
  assert.equal(length, 33)
})
