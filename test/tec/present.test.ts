import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { LANGUAGES } from '../../src/base/i18n/languages.ts'
import { findEvent } from '../../src/calendar/events/index.ts'
import { urlsOf } from '../../src/http/address.ts'
import { type EventViewer, nextChange, presentEvent } from '../../src/tec/present/event.ts'
import { presentOrganizer, presentVenue } from '../../src/tec/present/linked.ts'
import { scheduleDetails } from '../../src/tec/present/schedule.ts'
import { openTestApp } from '../support/app.ts'
import { make } from '../support/events.ts'

const COMMON = `id:number date:string date_gmt:string guid:object modified:string modified_gmt:string slug:string status:string
  type:string link:string title:object content:object excerpt:object author:number featured_media:number template:string`
const EVENT = `${COMMON} tags:array tribe_events_cat:array class_list:array start_date:string start_date_utc:string
  end_date:string end_date_utc:string dates:object timezone:string duration:string multiday:boolean is_past:boolean
  is_now:boolean all_day:boolean starts_this_week:null ends_this_week:null this_week_duration:null happens_this_week:null
  displays_on:array featured:boolean sticky:boolean cost:string organizer_names:array organizers:array venues:array
  schedule_details:string short_schedule_details:string`
const VENUE = `${COMMON} address:string country:string city:string state_province:string state:string province:string
  zip:string phone:string directions_link:string website:string`
const ORGANIZER = `${COMMON} phone:string website:string email:string`

const app = await openTestApp({ after }, { siteZone: 'Europe/Berlin' })
const urls = urlsOf(app.origin, { language: '', prefix: '/wp-json', namespace: 'tec/v1' })
const site = { zone: 'Europe/Berlin' }

/** An event as this namespace shows it to somebody. */
async function shown(
  event: object,
  { isLocked = false, ...viewer }: Partial<EventViewer> & { isLocked?: boolean } = {},
) {
  const { id } = await make(app, event)
  const row = await findEvent(app.app.storage, { by: 'id', id })
  assert.ok(row)
  const path = isLocked ? `/events?include=${id}&start_date=2000-01-01` : `/events/${id}`
  const { body } = await app.call(isLocked ? 'anonymous' : 'editor', 'GET', path)
  const { json_ld: _, ...members } = isLocked ? body.events[0] : body
  const seen = { row, shown: members, isLocked, dependencies: [], version: { mark: '' } }
  // biome-ignore lint/suspicious/noExplicitAny: tests look into members of every shape
  return presentEvent(seen, { urls, site, now: app.clock.now, ...viewer }) as Record<string, any>
}

function typesOf(members: object): string[] {
  return Object.entries(JSON.parse(JSON.stringify(members))).map(([name, value]) => {
    const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
    return `${name}:${type}`
  })
}

test('must hold 3: events, venues and organizers have the members in their order with their JSON types', async () => {
  const event = await shown({ venue: [{ venue: 'Hall' }], organizer: [{ organizer: 'Club' }], cost: '5' })
  assert.deepEqual(typesOf(event), EVENT.split(/\s+/))
  assert.deepEqual(typesOf(event['venues'][0]), VENUE.split(/\s+/))
  assert.deepEqual(typesOf(event['organizers'][0]), ORGANIZER.split(/\s+/))
  assert.deepEqual(event['organizer_names'], ['Club'])
})

test('further members follow at the end, and only those with content', async () => {
  const event = await shown({
    website: 'https://one.example/',
    is_virtual: true,
    custom_fields: { a: 'b' },
    language: 'de',
  })
  const { length } = EVENT.split(/\s+/)
  assert.deepEqual(Object.keys(event).slice(length), ['website', 'is_virtual', 'custom_fields', 'language'])
})

test('moments are told on the clocks of the event, of the site and of UTC', async () => {
  const start = { start_date: '2027-03-01 23:00:00', end_date: '2027-03-02 01:30:00' }
  const event = await shown({ ...start, timezone: 'UTC+3' })
  assert.deepEqual(event['dates'].start_display, {
    date: '2027-03-01 23:00:00.000000',
    timezone_type: 1,
    timezone: '+03:00',
  })
  assert.deepEqual(event['dates'].end_utc, { date: '2027-03-01 22:30:00.000000', timezone_type: 3, timezone: 'UTC' })
  assert.deepEqual(event['dates'].end_site, {
    date: '2027-03-01 23:30:00.000000',
    timezone_type: 3,
    timezone: 'Europe/Berlin',
  })
  assert.deepEqual([event['duration'], event['multiday'], event['is_past'], event['is_now']], ['9000', 2, false, false])
})

test('an event is past once it has started, now until it has ended, and the next change is known', () => {
  const times = { start_utc: '2027-03-01 10:00:00', end_utc: '2027-03-01 11:00:00' }
  const start = Date.UTC(2027, 2, 1, 10)
  const end = Date.UTC(2027, 2, 1, 11)
  assert.equal(nextChange(times, start - 1), start)
  assert.equal(nextChange(times, start), start + 1)
  assert.equal(nextChange(times, start + 1), end + 1)
  assert.equal(nextChange(times, end + 1), undefined)
})

test('a locked event hides its content and everything it embeds, and keeps its dates', async () => {
  const content = {
    description: 'Secret',
    excerpt: 'Secret',
    cost: '5',
    tags: ['Secret'],
    venue: [{ venue: 'Secret' }],
  }
  const all = {
    ...content,
    password: 'x',
    all_day: true,
    custom_fields: { a: 'Secret' },
    is_virtual: true,
    language: 'de',
  }
  const event = await shown(all, { isLocked: true, language: 'de' })
  assert.deepEqual(
    Object.keys(event),
    EVENT.split(/\s+/).map((one) => one.split(':')[0]),
  )
  assert.deepEqual(event['content'], { rendered: 'Passwortgeschützt', protected: true })
  assert.deepEqual([event['cost'], event['excerpt']], ['Passwortgeschützt', event['content']])
  assert.deepEqual([event['all_day'], event['featured'], event['sticky']], [null, null, null])
  assert.deepEqual([event['tags'], event['tribe_events_cat'], event['venues'], event['organizers']], [[], [], [], []])
  assert.ok(event['class_list'].includes('post-password-required'))
  assert.match(event['start_date'], /^2027-03-01/)
  assert.doesNotMatch(JSON.stringify(event), /secret/i)
})

test('a venue has the way there with its texts encoded once, and none without an address', () => {
  const common = { url: 'https://a.example/venue/a/', venue: 'A', author: '3' }
  const parts = { address: '1 &lt; 2 Müll &amp; Co', city: 'Bern', stateprovince: 'BE', zip: '3000', country: 'CH' }
  const { directions_link: way } = presentVenue({ ...common, ...parts }, { urls })
  assert.match(String(way), /&#038;q=1\+%3C\+2\+M%C3%BCll\+%26\+Co\+Bern\+BE\+3000\+CH$/)
  assert.equal(presentVenue(common, { urls })['directions_link'], '')
})

test('only an image of ours has an ID here', () => {
  const common = { url: 'https://a.example/organizer/a/', organizer: 'A' }
  const image = (url: string) => presentOrganizer({ ...common, image: { id: 7, url } }, { urls })['featured_media']
  assert.equal(image(`${app.origin}/media/a.jpg`), 7)
  assert.equal(image('https://elsewhere.example/media/a.jpg'), 0)
})

test('schedules are told in every language, always with the year', () => {
  const times = (start: string, end: string, all_day = 0) => ({ start_local: start, end_local: end, all_day })
  const day = times('2027-03-01 10:00:00', '2027-03-01 12:00:00')
  const start = (text: string) => `<span class="tribe-event-date-start">${text}</span>`
  const end = (text: string, name = 'date-end') => `<span class="tribe-event-${name}">${text}</span>`
  assert.equal(scheduleDetails(day, 'en'), `${start('1 March 2027 at 10:00')} - ${end('12:00', 'time')}`)
  assert.equal(scheduleDetails(day, 'en', true), `${start('10:00')} - ${end('12:00', 'time')}`)
  const days = times('2027-03-01 00:00:00', '2027-03-02 23:59:59', 1)
  assert.equal(scheduleDetails(days, 'en', true), `${start('1 March 2027')} - ${end('2 March 2027')}`)
  const whole = times('2027-03-01 00:00:00', '2027-03-01 23:59:59', 1)
  assert.equal(scheduleDetails(whole, 'en', true), start('1 March 2027'))
  const moment = times('2027-03-01 10:00:00', '2027-03-01 10:00:00')
  assert.equal(scheduleDetails(moment, 'en', true), start('10:00'))
  const texts = LANGUAGES.map((language) => scheduleDetails(day, language))
  assert.equal(new Set(texts).size, LANGUAGES.length - 1, 'only Japanese and Chinese look alike')
  for (const text of texts) assert.match(text, /2027.*10:00.*12:00/)
})
