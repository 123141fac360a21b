import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { openApp } from '../src/app/app.ts'
import { readConfig } from '../src/base/config.ts'
import { createLog } from '../src/base/log.ts'
import { readCursor } from '../src/changes/feed/cursor.ts'
import type { Role } from '../src/http/auth/rights.ts'
import { headSeq } from '../src/storage/journal/read.ts'
import { diceOf } from './fuzz/dice.ts'
import { databaseFlags, openTestApp, UNLIMITED } from './support/app.ts'
import { hitsOf, METRICS } from './support/cache-hits.ts'
import { draws, SEED } from './support/draws.ts'
import { assertSound } from './support/sound.ts'
import { TEST_ENGINE } from './support/test-engine.ts'
import { upload } from './support/upload.ts'

/** Turns of a write or a step of the clock, each with the reads after it. */
const TURNS = draws(TEST_ENGINE === 'postgres' ? 200 : 1500, 40)
/** Reads after each turn, each asked of both servers, and as many of what is asked again and again. */
const READS = 3

const HOUR = 3_600_000

const data = await mkdtemp(join(tmpdir(), 'kalends-cache-'))
after(() => rm(data, { recursive: true, force: true }))
const FLAGS = { data, synchronous: 'NORMAL', siteZone: 'America/New_York', siteHost: 'calendar.example' }
const SHARED = {
  ...FLAGS,
  ...(await databaseFlags()),
  baseUrl: 'https://calendar.example',
  secret: 'one secret for both of the servers',
}
const kept = await openTestApp({ after }, { ...SHARED, ...METRICS })
/** How often an answer is asked for again: PostgreSQL tells one server of the commits of another in a moment, not at once. */
const patience = kept.app.storage.engine === 'sqlite' ? 0 : 200
const made = await openAnother()

/** A server without cache on the same database: to the first one it is another process. */
async function openAnother(): Promise<string> {
  const now = (): number => kept.clock.now
  const config = readConfig({ ...UNLIMITED, ...SHARED, port: '0', cacheSize: '0' }, {})
  const app = await openApp(config, { now, log: createLog({ level: 'silent', now }), role: 'serve' })
  after(() => app.close())
  return (await app.listen()).addresses[0] ?? assert.fail('no address')
}

const { below, pick, chance } = diceOf(SEED, 0)

type Kind = 'events' | 'venues' | 'organizers' | 'categories' | 'tags'
const known: Readonly<Record<Kind, number[]>> = { events: [], venues: [], organizers: [], categories: [], tags: [] }
const pictures: number[] = []

const ROLES: readonly (Role | 'anonymous')[] = [
  ...Array<'anonymous'>(7).fill('anonymous'),
  'subscriber',
  'author',
  'editor',
]
const STATUSES = ['publish', 'publish', 'publish', 'draft', 'private', 'pending', 'future', 'trash']
/** None, days, several a day, one without end, weekdays until a moment, and dates that are named: out, or in. */
const RECURRENCES = [
  [],
  ['RRULE:FREQ=DAILY;COUNT=4'],
  ['RRULE:FREQ=HOURLY;INTERVAL=5;COUNT=5'],
  ['RRULE:FREQ=YEARLY'],
  ['RRULE:FREQ=WEEKLY;BYDAY=MO,TH;UNTIL=20261230T120000Z'],
  ['RRULE:FREQ=DAILY;COUNT=3', 'EXDATE;VALUE=DATE:20261122'],
  ['RDATE:20261125T100000,20261210T090000'],
]
const ZONES = ['America/New_York', 'Europe/Berlin', 'UTC', 'UTC+5.5']
const SCOPES = ['this', 'following', 'all']
const WORDS = ['Jazz', 'Museum', 'Night', 'Open air', 'Łódź']

function anId(kind: Kind): number {
  return known[kind].length === 0 ? 1 : pick(known[kind])
}

function some(kind: Kind): number[] {
  return Array.from({ length: below(3) }, () => anId(kind))
}

function localDate(hours: number): string {
  return new Date(kept.clock.now + hours * HOUR).toISOString().slice(0, 19).replace('T', ' ')
}

/** Some members of an event, as many as the dice say. */
function eventFields(): Record<string, unknown> {
  const start = below(72) - 36
  const all: Record<string, unknown> = {
    title: `${pick(WORDS)} ${below(50)}`,
    description: `<p>${pick(WORDS)} for all</p>`,
    status: pick(STATUSES),
    venue: some('venues'),
    organizer: some('organizers'),
    categories: some('categories'),
    tags: some('tags'),
    password: chance(0.5) ? 'sesame' : '',
    hide_from_listings: chance(0.3),
    featured: chance(0.3),
    post_parent: chance(0.5) ? anId('events') : 0,
    image: pictures.length > 0 && chance(0.5) ? pick(pictures) : false,
    slug: `${pick(WORDS)}-${below(20)}`,
    cost: String(below(9)),
    tickets: chance(0.5) ? [{ name: 'Adult', price: below(9) }] : [],
    date: localDate(below(6) - 3),
    ...(chance(0.3) && { timezone: pick(ZONES) }),
    ...(chance(0.3) && { all_day: chance(0.5) }),
  }
  const chosen = Object.entries(all).filter(() => chance(0.35))
  if (chance(0.25)) chosen.push(['recurrence', pick(RECURRENCES)])
  if (chance(0.5)) chosen.push(['start_date', localDate(start)], ['end_date', localDate(start + 1 + below(30))])
  return Object.fromEntries(chosen)
}

function otherFields(kind: Exclude<Kind, 'events'>): Record<string, unknown> {
  const name = `${pick(WORDS)} ${below(1000)}`
  if (kind === 'categories') return { name, ...(chance(0.4) && { parent: chance(0.8) ? anId(kind) : 0 }) }
  if (kind === 'tags') return { name, description: pick(WORDS) }
  const place = { geo_lat: below(90), geo_lng: below(90), city: pick(WORDS) }
  const status = chance(0.3) ? { status: pick(STATUSES) } : {}
  return kind === 'venues' ? { venue: name, ...place, ...status } : { organizer: name, phone: name, ...status }
}

const LEAST = { title: 'Meeting', start_date: '2026-11-21 10:00:00', end_date: '2026-11-21 12:00:00' }

interface Write {
  readonly method: string
  readonly path: string
  readonly json: object
}

function aWrite(): Write {
  const kind = pick<Kind>(['events', 'events', 'events', 'venues', 'organizers', 'categories', 'tags'])
  const fields = kind === 'events' ? eventFields() : otherFields(kind)
  const json = kind === 'events' ? { ...LEAST, ...fields } : fields
  if (known[kind].length < 4 || chance(0.3)) return { method: 'POST', path: `/${kind}`, json }
  const path = `/${kind}/${anId(kind)}`
  const scope = kind === 'events' && chance(0.5) ? { scope: pick(SCOPES) } : {}
  if (chance(0.15)) return { method: 'DELETE', path, json: { ...scope, ...(chance(0.4) && { force: true }) } }
  const sent = chance(0.3) ? { status: 'publish' } : chance(0.5) ? fields : json
  return { method: 'PATCH', path, json: { ...sent, ...scope } }
}

/** Takes note of the dates of a series that has been written: they are read and changed like other events. */
async function learnDates(series: number): Promise<void> {
  const query = { series, start_date: '2026-01-01', end_date: '2028-01-01' }
  const { body } = await kept.call('administrator', 'GET', `${made}/cal/events/v1/events`, { query })
  for (const { id } of body.events ?? []) if (!known.events.includes(id)) known.events.push(id)
}

/** Writes through one of the servers, more often through the one with the cache. */
async function write(): Promise<void> {
  const { method, path, json } = aWrite()
  const origin = chance(0.75) ? kept.origin : made
  const answer = await kept.call('administrator', method, `${origin}/cal/events/v1${path}`, { json })
  assert.ok(answer.status < 500, `${method} ${path} ${JSON.stringify(json)}: ${JSON.stringify(answer.body)}`)
  const [, kind = '', id] = path.split('/')
  const ids = known[kind as Kind]
  if (answer.status === 201 && !ids.includes(answer.body.id)) ids.push(answer.body.id)
  if (answer.status < 300 && answer.body.series !== undefined) await learnDates(answer.body.series.id)
  if (answer.status === 200 && method === 'DELETE' && chance(0.5)) ids.splice(ids.indexOf(Number(id)), 1)
}

/** A second, some hours, back again, or to the edge of the day of the site or of UTC. */
function moveClock(): void {
  const { clock } = kept
  const edge = Math.ceil(clock.now / (24 * HOUR)) * 24 * HOUR
  clock.now = pick([
    clock.now + 1000,
    clock.now + below(5) * HOUR,
    clock.now - HOUR,
    edge - 1,
    edge,
    edge + 5 * HOUR - 1,
    edge + 5 * HOUR,
  ])
}

/** Addresses that are asked again and again, so that most answers have been kept. */
function aTarget(): string {
  const mount = chance(0.9) ? '/cal/events/v1' : '/de/wp-json/tribe/events/v1'
  const kind = pick<Kind>(['events', 'events', 'venues', 'organizers', 'categories', 'tags'])
  const item = `/${kind}/${anId(kind)}`
  const today = localDate(0).slice(0, 10)
  const day = (): string => localDate(24 * (below(5) - 2)).slice(0, 10)
  const hour = `${day()} ${pick(['06', '12', '18'])}:00:00`
  const path = pick([
    '',
    '/doc',
    '/events',
    '/events?per_page=3',
    '/events?page=2&per_page=2',
    '/events?start_date=today&end_date=tomorrow',
    '/events?starts_after=now',
    '/events?ends_after=now&strict_dates=1',
    `/events?start_date=${today}`,
    `/events?ends_after=${today}&starts_before=2026-12-01`,
    `/events?start_date=${day()}&end_date=${day()}`,
    `/events?ends_after=${day()}&starts_before=${day()}&per_page=2`,
    `/events?starts_after=${hour}&strict_dates=1`,
    `/events?ends_before=${hour}&strict_dates=1`,
    `/events?end_date=${day()}&featured=${below(2)}`,
    `/events?start_date=${day()}&ticketed=${below(2)}`,
    `/events?start_date=${day()}&search=night`,
    '/events?search=jazz',
    '/events?geoloc=1',
    '/events?geoloc_lat=45&geoloc_lng=45&geoloc_radius=3000&start_date=2026-01-01',
    '/events?password=sesame',
    '/events?_fields=events.id,total',
    '/events?_envelope=1&per_page=2',
    `/events?venue=${anId('venues')}`,
    `/events?categories=${anId('categories')}&start_date=2026-01-01`,
    `/events?categories=${anId('categories')},${anId('categories')}&ends_after=${day()}`,
    `/events?categories=${pick(['jazz', 'museum', 'night'])}-${below(1000)}`,
    `/events?organizer=${anId('organizers')}&tags=${anId('tags')}&start_date=2026-01-01`,
    `/events?tags=${anId('tags')}&start_date=2026-01-01`,
    `/events?include=${anId('events')},${anId('events')}`,
    `/events?post_parent=${anId('events')}&start_date=2026-01-01`,
    `/events?series=${anId('events')}&start_date=2026-01-01`,
    '/events?hide_subsequent_recurrences=1',
    `/events?hide_subsequent_recurrences=1&tags=${anId('tags')}&start_date=2026-01-01`,
    '/events?orderby=title&start_date=2026-01-01',
    '/events?cost_min=3',
    '/venues',
    '/venues?has_events=1',
    '/venues?only_with_upcoming=1',
    `/venues?event=${anId('events')}`,
    '/organizers?only_with_upcoming=1&per_page=3',
    '/organizers?search=jazz',
    '/categories?hide_empty=0',
    '/categories',
    `/categories?event=${anId('events')}`,
    '/tags?orderby=count&order=desc',
    `/tags?post=${anId('events')}`,
    `/events/by-slug/jazz-${below(20)}`,
    item,
    item,
    `/events/${anId('events')}`,
    `/events/${anId('events')}`,
    // Never kept whole when it is asked for, so that it is made of what is kept of the event.
    `/events/${anId('events')}?n=${below(1_000_000)}`,
    `/events/${anId('events')}?n=${below(1_000_000)}`,
    `/events/${anId('events')}?n=${below(1_000_000)}&${pick(['_fields=id,title', '_envelope=1', 'password=sesame', 'force=1'])}`,
  ])
  if (chance(0.15)) return aTecTarget()
  return chance(0.12) ? mount.replace(/(cal|tribe)\/events\/v1/, 'kalends/v1') + aFile() : mount + path
}

/** The same where events say whether they are past. */
function aTecTarget(): string {
  const paths = `/events /events?per_page=3&order=desc /events?end_date=tomorrow /events?exclude=${anId('events')}&orderby=title
    /events?starts_after=${localDate(5).replace(' ', 'T')} /events/${anId('events')} /venues /venues/${anId('venues')}`
  return pick(['/tec/v1', '/de/wp-json/tec/v1']) + pick(paths.split(/\s+/))
}

/** The same events as files. */
function aFile(): string {
  return pick([
    '/events.ics',
    '/events.ics?per_page=2',
    '/events.ics?per_page=2&page=2',
    '/events.ics?start_date=today',
    `/events.ics?categories=${anId('categories')}&start_date=2026-01-01`,
    '/events.ics?password=sesame',
    `/events/${anId('events')}.ics`,
    `/events/${anId('events')}.ics`,
    `/events/by-slug/jazz-${below(20)}.ics`,
  ])
}

interface Ask {
  readonly target: string
  readonly method: 'GET' | 'HEAD'
  readonly headers: Readonly<Record<string, string>>
}

function anAsk(): Ask {
  const as = pick(ROLES)
  const own: [string, string][] = as === 'anonymous' ? [] : [['authorization', kept.authorization(as)]]
  if (chance(0.2)) own.push(['origin', 'https://elsewhere.example'])
  if (chance(0.2)) own.push(['accept-language', pick(['de', 'fr;q=0.5, pl'])])
  own.push(['accept-encoding', pick(['identity', 'identity', 'br', 'gzip, zstd'])])
  return { target: aTarget(), method: chance(0.15) ? 'HEAD' : 'GET', headers: Object.fromEntries(own) }
}

/** Lists of events that anonymous readers have asked for before: many a write is to leave them, and many is to end them. */
const again: Ask[] = []

/** Some of them, now and then with another one in place of the oldest. */
function askedAgain(): Ask[] {
  if (again.length < 8 || chance(0.15)) {
    const targets = Array.from({ length: 20 }, aTarget).filter((target) => IS_LIST.test(target))
    again.push(...targets.slice(0, 1).map((target) => ({ target, method: 'GET', headers: {} }) as const))
  }
  again.splice(0, again.length - 8)
  return Array.from({ length: READS }, () => pick(again))
}

const IS_LIST = /\/events(\?|$|\.ics)/

interface Told {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Differ from one answer to the next, or with the compression that an answer happens to have. */
const PASSING = [
  'date',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'content-encoding',
  'x-request-id',
]

async function told(origin: string, { target, method, headers }: Ask): Promise<Told> {
  const answer = await fetch(origin + target, { method, headers: { ...headers } })
  const lines = [...answer.headers].filter(([name]) => !PASSING.includes(name))
  const body = await answer.text()
  const plain = lines.map(([name, value]) => [name, value.replace(/-(br|gzip|zstd)"$/, '"')])
  return { status: answer.status, headers: Object.fromEntries(plain), body }
}

/**
 * An answer without its cursor, and the number in that; -1 where there is none. A cached list has the cursor from when it
 * was read: whoever follows changes from there is told too much rather than too little.
 */
function withoutCursor({ headers, ...answer }: Told): { readonly told: Told; readonly cursor: number } {
  const { 'x-kalends-cursor': text, ...others } = headers
  return { told: { ...answer, headers: others }, cursor: text === undefined ? -1 : (readCursor(text) ?? Number.NaN) }
}

let hits = 0

/** Writes so far, and with how many of them a list of events was last made, by what was asked. */
let writes = 0
const madeAfter = new Map<string, number>()
/** Answers with lists of events that were kept in spite of writes. */
let survivals = 0

/** Takes note of an answer: whether it was kept, and since how many writes. */
function count(ask: Ask, wasKept: boolean): void {
  if (wasKept) hits += 1
  if (!IS_LIST.test(ask.target)) return
  const key = JSON.stringify([ask.target, ask.headers['accept-language']])
  if (!wasKept) madeAfter.set(key, writes)
  else if ((madeAfter.get(key) ?? writes) < writes) survivals += 1
}

/** What the server with the cache answers is what the other one does. Its schedule may publish in between. */
async function compare(ask: Ask): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    const before = await told(made, ask)
    const hitsBefore = await hitsOf(kept.app, 'answer')
    const answer = await told(kept.origin, ask)
    count(ask, (await hitsOf(kept.app, 'answer')) > hitsBefore)
    if (JSON.stringify(before) !== JSON.stringify(await told(made, ask))) continue
    const [given, fresh] = [withoutCursor(answer), withoutCursor(before)]
    if (turn < patience && JSON.stringify(given.told) !== JSON.stringify(fresh.told)) continue
    assert.deepEqual(given.told, fresh.told, `seed ${SEED}: ${JSON.stringify(ask)}`)
    // Not the cursor of the other server: with PostgreSQL that one may not have heard yet of the last commit.
    const head = await headSeq(kept.app.storage)
    assert.ok(given.cursor <= head, `seed ${SEED}: ${JSON.stringify(ask)} has cursor ${given.cursor} of ${head}`)
    const etag = answer.headers['etag']
    if (etag === undefined || chance(0.6)) return
    const again = { ...ask, headers: { ...ask.headers, 'if-none-match': etag } }
    const same = await told(made, again)
    const known = await told(kept.origin, again)
    // As above: what was published between the two is in one of them.
    if (JSON.stringify(same) !== JSON.stringify(await told(made, again))) continue
    if (same.status === 304)
      assert.deepEqual(withoutCursor(known).told, withoutCursor(same).told, `seed ${SEED}: ${JSON.stringify(again)}`)
    return
  }
}

test(`after any writes and at any time answers are the same with the cache and without (seed ${SEED})`, async () => {
  for (const color of ['#f00', '#0f0']) {
    const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: color } })
      .png()
      .toBuffer()
    pictures.push((await upload(kept, 'editor', { bytes })).body.id)
  }
  for (let turn = 0; turn < TURNS; turn += 1) {
    if (chance(0.15)) moveClock()
    else await write()
    writes += 1
    const asks = [...askedAgain(), ...Array.from({ length: READS }, anAsk)]
    for (const ask of asks) await compare(ask)
    // What nothing has changed since is asked again.
    for (const ask of asks.slice(0, 2)) await compare(ask)
  }
  // Both servers answer with the same wrong number where a count, a copy or a text did not follow what it is made of.
  await assertSound(kept.app.storage, `seed ${SEED}`)
  // Where hours pass without a word from PostgreSQL nothing is believed for a while.
  assert.ok(hits > TURNS / 2 || patience > 0, `only ${hits} answers were kept ones`)
  assert.ok(survivals > TURNS / 20 || patience > 0, `only ${survivals} lists were still kept after a write`)
})
