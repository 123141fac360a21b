import type { TestApp } from './app.ts'
import { sampleImage } from './sample-image.ts'
import { upload } from './upload.ts'

const PLACES = [
  ['Old Customs House', '1 Pier Road', 'Harbourtown', 40.71, -74.01],
  ['Riverside Library', '12 Mill Lane', 'Harbourtown', 40.72, -74.02],
  ['Blue Note Cellar', '88 Dock Street', 'Harbourtown', 40.73, -74.0],
] as const

const TITLES = [
  ['Harbour Jazz Night', 'Music', '19:30', '22:30', '€18'],
  ['Poetry Slam: New Voices', 'Theatre', '20:00', '22:00', '€8'],
  ['Story Time for Under-Fives', 'Families', '10:30', '11:15', 'Free'],
  ['Saturday Farmers’ Market', 'Markets', '08:00', '13:00', ''],
  ['The Night Sky in November', 'Talks', '18:00', '19:30', '€5'],
  ['Guided Walk along the Salt Marsh', 'Outdoors', '09:00', '12:00', ''],
  ['Chamber Choir: Open Rehearsal', 'Music', '18:30', '20:30', ''],
  ['Repair Café', 'Talks', '14:00', '17:00', 'Free'],
  ['Lantern Workshop', 'Families', '15:00', '17:30', '€4'],
  ['Deutscher Lesekreis', 'Talks', '18:00', '19:30', ''],
] as const

const TEXT = `<p>Three bands, one room, and the windows open to the water. Doors are at seven; the first set begins half an
hour later. Come early for a seat by the stage, or stay late for the open session.</p><h3>What to bring</h3><ul><li>An
instrument, if you play one</li><li>Cash for the bar</li></ul><p>The hall has a ramp and a hearing loop.</p>`

/** What a calendar to be looked at holds. */
export interface Exhibition {
  readonly event: { readonly slug: string; readonly id: number }
  readonly venue: { readonly slug: string }
}

/** Fills a calendar as an organization would: a month of events with images, places, kinds, and festivals of several days. */
export async function fillExhibition(app: TestApp): Promise<Exhibition> {
  const { call } = app
  const post = async (path: string, json: object) => {
    const { status, body } = await call('administrator', 'POST', path, { json })
    if (status !== 201) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
    return body
  }
  const venues = []
  for (const [venue, address, city, geo_lat, geo_lng] of PLACES)
    venues.push(await post('/venues', { venue, address, city, geo_lat, geo_lng, website: 'https://example.org/' }))
  const organizer = await post('/organizers', { organizer: 'Harbourtown Arts', email: 'arts@example.org' })
  const pictures = []
  for (const seed of [1, 2, 3, 4]) {
    const { status, body } = await upload(app, 'administrator', {
      bytes: await sampleImage(seed),
      name: `evening-${seed}.png`,
    })
    if (status !== 201) throw new Error(`media: ${status}`)
    pictures.push(body.id)
  }
  let first: Exhibition['event'] | undefined
  for (let day = 1; day <= 30; day += 1) {
    for (let nth = 0; nth < [1, 2, 1, 4, 2, 6, 3][day % 7]!; nth += 1) {
      const [title, kind, from, to, cost] = TITLES[(day * 3 + nth) % TITLES.length]!
      const date = `2026-11-${String(day).padStart(2, '0')}`
      const made = await post('/events', {
        ...{ title, description: TEXT, cost, categories: [kind], tags: ['Accessible'] },
        ...{ start_date: `${date} ${from}:00`, end_date: `${date} ${to}:00`, organizer: organizer.id },
        ...((day + nth) % 3 === 0 ? {} : { image: pictures[(day + nth) % 4] }),
        venue: venues[(day + nth) % 3].id,
        featured: day === 21 && nth === 0,
      })
      if (day >= 21 && title === 'Harbour Jazz Night') first ??= made
    }
  }
  await post('/events', {
    ...{ title: 'Winter Light Festival', start_date: '2026-11-25', end_date: '2026-12-02', all_day: true },
    ...{ categories: ['Outdoors'], description: TEXT, image: pictures[2], venue: venues[0].id, featured: true },
  })
  await post('/events', {
    ...{ title: 'Printmaking Residency', start_date: '2026-11-09', end_date: '2026-11-13', all_day: true },
    ...{ categories: ['Talks'], venue: venues[1].id },
  })
  await post('/events', {
    ...{ title: 'ليلة العود والشعر', start_date: '2026-11-24 19:00:00', end_date: '2026-11-24 21:00:00' },
    ...{ categories: ['Music'], venue: venues[2].id, image: pictures[1] },
  })
  if (first === undefined) throw new Error('there is no event to look at')
  return { event: first, venue: venues[0] }
}
