import assert from 'node:assert/strict'
import test from 'node:test'
import { openTestApp, type TestApp } from '../../../../../test/support/app.ts'
import { paint } from '../../../../../test/support/images.ts'
import type { Json } from '../../../../../test/support/json-import.ts'
import { eventsOf, importMade } from '../../../../../test/support/site-import.ts'
import { upload } from '../../../../../test/support/upload.ts'

/** Members that name the site, the page of the event, which is another one here, and files and numbers of images. */
const OF_THE_SITE =
  /^(?:url|rest_url|source_url|urls|global_id|global_id_lineage|json_ld|count|previous_start_date_details)$/

function comparable(value: Json): Json {
  const text = JSON.stringify(value, (name, one: unknown) => {
    if (OF_THE_SITE.test(name)) return undefined
    if (name === 'website' && typeof one === 'string') return one.replace(/^http:\/\/127\.0\.0\.1:\d+/, '')
    if (name === 'image' && typeof one === 'object') return { ...one, id: 0 }
    return one
  })
  return JSON.parse(text)
}

const TIMES = { start_date: '2026-12-01 19:00:00', end_date: '2026-12-01 21:30:00', timezone: 'Europe/Warsaw' }

/** Events that have something in each of their fields. */
function manyEvents(image: number): readonly Json[] {
  const texts = { title: 'A &amp; "B" <3 & Łódź', excerpt: '<p>Short</p>', slug: 'own-name', language: 'pl' }
  const online = { is_virtual: true, virtual_type: 'hybrid', virtual_url: 'https://meet.example/a?b=1&c=2' }
  const flags = { show_map: true, show_map_link: true, sticky: true, featured: true }
  const custom_fields = { stage: 'Main <b>hall & "more"', note: 'javascript:void(0)', long: 'ł'.repeat(9_000) }
  const tickets = [
    { name: 'Standing & seated', price: '12.50', currency: 'EUR', capacity: 40, sold_out: true },
    { name: 'Late', url: 'https://tickets.example/?a=1&b=2', available_from: '2026-11-01 10:00:00' },
  ]
  const venue = [
    { venue: 'Hall', address: '1 Quay', geo_lat: 53.1234567, geo_lng: -9.5, image, website: 'https://hall.example/' },
    { venue: 'Yard', country: 'Poland', province: 'Łódzkie', zip: '90-001', phone: '+48 1', language: 'pl' },
  ]
  const organizer = [
    { organizer: 'Ada', email: 'ada@there.example', image },
    { organizer: 'Ben', phone: '+1 555' },
  ]
  const description = `<h2>More</h2><ul><li>One</li></ul><table><tr><td>x</td></tr></table>`
  return [
    { ...TIMES, ...texts, ...online, ...flags, custom_fields, tickets, venue, organizer, description, image },
    { ...TIMES, title: 'Costly', cost: '£5, £7, £9', website: '', tags: ['a & b', 'Ü'], categories: ['Sea & sand'] },
    { ...TIMES, title: 'Site', website: 'https://site.example/?x=1&y=2', cost: '0', all_day: true },
    { ...TIMES, title: 'Off', event_status: 'canceled', event_status_reason: 'Storm & rain' },
    { ...TIMES, title: 'Later', event_status: 'postponed' },
    { ...TIMES, title: 'Then', status: 'future', date: '2027-01-01 10:00:00' },
    { ...TIMES, title: 'Waiting', status: 'pending' },
    { ...TIMES, title: 'Mine', status: 'private' },
    { ...TIMES, title: 'Moved', event_status: 'rescheduled' },
    { ...TIMES, title: 'Daily', recurrence: ['RRULE:FREQ=DAILY;COUNT=4', 'EXDATE:20261203T190000'], tags: ['a & b'] },
  ]
}

async function fill(app: TestApp): Promise<void> {
  const send = async (method: string, path: string, json: Json = {}): Promise<Json> => {
    const { status, body } = await app.call('administrator', method, path, { json })
    assert.ok(status < 300, JSON.stringify(body))
    return body
  }
  const bytes = await paint(80, 60).png().toBuffer()
  const texts = { title: 'Boat & sea', alt_text: 'A boat', caption: 'Seen in May' }
  const { body: image } = await upload(app, 'administrator', { bytes, texts })
  const sea = await send('POST', '/categories', { name: 'Sea', description: 'All & more' })
  await send('POST', '/categories', { name: 'Sea & sand', parent: sea.id, slug: 'sand' })
  await send('POST', '/tags', { name: 'Unused', description: 'Of "nothing"' })
  const made: Json[] = []
  for (const event of manyEvents(image.id)) made.push(await send('POST', '/events', event))
  const named = (title: string): Json => made.find((one) => one.title === title)
  await send('POST', `/events/${named('Costly').id}`, { post_parent: named('Site').id })
  await send('POST', `/events/${named('Moved').id}`, {
    start_date: '2026-12-05 19:00:00',
    end_date: '2026-12-05 20:00:00',
  })
  const { body } = await app.call('administrator', 'GET', '/events', { query: { series: named('Daily').id } })
  const own = {
    title: 'Guests',
    event_status: 'canceled',
    venue: [{ venue: 'Elsewhere' }],
    cost: '€7',
    custom_fields: { a: 'b' },
  }
  await send('POST', `/events/${body.events[1].id}`, own)
  await send('DELETE', `/events/${named('Waiting').id}`)
}

/** Everything that the lists of a calendar show, by list. */
async function contentOf(app: TestApp): Promise<Json> {
  const found: Json = { events: comparable(await eventsOf(app)) }
  const queries = { venues: { status: 'any' }, organizers: { status: 'any' }, categories: {}, tags: {} }
  for (const [list, query] of Object.entries(queries)) {
    const all = { ...query, per_page: 50, hide_empty: 'false' }
    const { status, body } = await app.call('administrator', 'GET', `/${list}`, { query: all })
    assert.equal(status, 200, list)
    found[list] = comparable(body[list])
  }
  return found
}

test('a copy of another Kalends has every field of every item as it is there', async (t) => {
  const source = await openTestApp(t, { siteHost: 'first.example' })
  await fill(source)
  const app = await openTestApp(t, { siteHost: 'second.example' })
  const header = source.authorization('administrator').replace('Basic ', '')
  const [user = '', password = ''] = Buffer.from(header, 'base64').toString().split(':')
  const site = { origin: source.origin } as Parameters<typeof importMade>[1]
  const report = await importMade(app, site, { user, password })
  assert.deepEqual([report.complete, report.skipped], [true, []])
  const [there, here] = [await contentOf(source), await contentOf(app)]
  for (const [list, items] of Object.entries<Json>(there)) {
    assert.equal(here[list].length, items.length, list)
    for (const [index, item] of items.entries()) assert.deepEqual(here[list][index], item)
  }
})
