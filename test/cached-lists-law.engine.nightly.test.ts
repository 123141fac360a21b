import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { parseSearch } from '../src/base/text/search.ts'
import { effectsOf } from '../src/calendar/events/change-effect.ts'
import { EVERYTHING, type EventListing, type EventQuery } from '../src/calendar/events/list/filters.ts'
import { planOf, readPage } from '../src/calendar/events/list/plan.ts'
import { type DependencyVersion, Versions } from '../src/http/cache/versions.ts'
import { follow } from '../src/storage/journal/follow.ts'
import { subscribe } from '../src/storage/journal/subscribe.ts'
import { diceOf } from './fuzz/dice.ts'
import { openTestApp } from './support/app.ts'
import { draws, SEED } from './support/draws.ts'
import { MEETING } from './support/events.ts'
import { TEST_ENGINE } from './support/test-engine.ts'

const TURNS = draws(TEST_ENGINE === 'postgres' ? 200 : 1500, 25)
/** Lists that are held against each write. */
const LISTS = 60

const app = await openTestApp({ after }, { synchronous: 'NORMAL' })
const { storage } = app.app
const { below, pick, chance } = diceOf(SEED, 0)
const known: Record<'events' | 'venues' | 'organizers' | 'categories' | 'tags', number[]> = {
  events: [],
  venues: [],
  organizers: [],
  categories: [],
  tags: [],
}
type Kind = keyof typeof known

function some(kind: Kind, most: number): number[] {
  return [...new Set(Array.from({ length: below(most + 1) }, () => pick(known[kind])))]
}

function moment(): string {
  return `2026-12-0${1 + below(4)} ${pick(['08', '12'])}:00:00`
}

async function write(method: string, path: string, json: object): Promise<void> {
  const { status, body } = await app.call('administrator', method, path, { json })
  assert.ok(status < 500, JSON.stringify(body))
  const kind = path.split('/')[1] as Kind
  if (status === 201) known[kind].push(body.id)
  if (method === 'DELETE' && status === 200 && 'force' in json) known[kind].splice(known[kind].indexOf(body.id), 1)
}

/** Members of an event, few at a time: what one of them alone decides shows. */
function fields(): object {
  const [start_date = '', end_date = ''] = [moment(), moment()].sort()
  const all = {
    start_date: { start_date, end_date },
    status: { status: pick(['publish', 'publish', 'draft', 'private', 'trash']) },
    title: { title: pick(['Jazz', 'Opera']) },
    featured: { featured: chance(0.5) },
    hidden: { hide_from_listings: chance(0.3) },
    tickets: { tickets: chance(0.5) ? [{ name: 'Adult' }] : [] },
    date: { date: `2026-11-0${1 + below(5)} 10:00:00` },
    venue: { venue: some('venues', 2) },
    organizer: { organizer: some('organizers', 2) },
    categories: { categories: some('categories', 2) },
    tags: { tags: some('tags', 2) },
    parent: { post_parent: chance(0.5) ? pick(known.events) : 0 },
  }
  const names = Object.keys(all) as (keyof typeof all)[]
  return Object.assign({}, ...Array.from({ length: 1 + below(2) }, () => all[pick(names)]))
}

async function change(): Promise<void> {
  const event = `/events/${pick(known.events)}`
  if (chance(0.1)) return write('POST', '/events', { ...MEETING, ...fields(), ...fields(), ...fields() })
  if (chance(0.05)) return write('DELETE', event, chance(0.5) ? { force: true } : {})
  if (chance(0.08))
    return write('PATCH', `/categories/${pick(known.categories)}`, { parent: pick([0, ...known.categories]) })
  if (chance(0.08))
    return write('PATCH', `/venues/${pick(known.venues)}`, { geo_lat: below(3), status: pick(['publish', 'draft']) })
  return write('PATCH', event, fields())
}

function aQuery(): EventQuery {
  const bounds = ['start_date', 'end_date', 'starts_before', 'starts_after', 'ends_before', 'ends_after'] as const
  const venues = { ofAll: ['publish'], ofOwn: [], ownerId: 0 } as const
  const one = <Value>(value: Value): Value | undefined => (chance(0.15) ? value : undefined)
  return {
    ...EVERYTHING,
    bounds: Object.fromEntries(bounds.filter(() => chance(0.25)).map((name) => [name, moment()])),
    search: one(parseSearch('jazz')),
    categories: one([pick(known.categories), ...some('categories', 1)]),
    tags: one([pick(known.tags), ...some('tags', 1)]),
    venue: one([pick(known.venues), ...some('venues', 1)]),
    organizer: one([pick(known.organizers)]),
    featured: one(chance(0.5)),
    ticketed: one(chance(0.5)),
    geoloc: one({ wanted: chance(0.5), venues }),
    geoloc_lat: one({ circle: { lat: 1, lng: 1, radius: 120 }, venues }),
    include: one({ ids: [pick(known.events), pick(known.events)], series: [] }),
    post_parent: one(pick(known.events)),
  }
}

function listingOf(query: EventQuery): EventListing {
  return { query, visibility: { ofAll: ['publish'], ofOwn: [], ownerId: 0 }, limit: 50, offset: 0 }
}

async function answerTo(query: EventQuery): Promise<string> {
  return JSON.stringify(await readPage(storage, listingOf(query)))
}

interface Kept {
  readonly query: EventQuery
  readonly answer: string
  readonly stamps: readonly DependencyVersion[]
}

test(`a list that a write is said to spare holds the same events in the same order (seed ${SEED})`, async () => {
  for (const name of ['Hall', 'Cellar', 'Garden'])
    await write('POST', '/venues', { venue: name, geo_lat: 1, geo_lng: 1 })
  for (const name of ['Club', 'Choir']) await write('POST', '/organizers', { organizer: name })
  for (const name of ['Opera', 'Music', 'Chess']) await write('POST', '/categories', { name })
  for (const name of ['free', 'late']) await write('POST', '/tags', { name })
  for (let turn = 0; turn < 15; turn += 1) await write('POST', '/events', { ...MEETING, ...fields(), ...fields() })
  // One hears of changes as their own process does, the other reads the journal as another one would.
  const [told, read] = [new Versions(), new Versions()]
  const ears = (versions: Versions) => ({
    changed: ({ resource, id, isRelisted }: Parameters<Parameters<typeof follow>[1]['changed']>[0]) =>
      versions.change(resource, id, isRelisted),
    recounted: (resource: string, id: number) => versions.recount(resource, id),
    changedElsewhere: (resource: string, id: number) => versions.change(resource, id),
    changedMuch: () => assert.fail('much'),
    effectsOf: async () => new Map(),
  })
  const follower = await follow(storage, ears(told))
  const unread: Parameters<typeof effectsOf>[1][number][] = []
  const stop = subscribe(storage, (entries) => void unread.push(...entries))
  let spared = 0
  for (let turn = 0; turn < TURNS; turn += 1) {
    const kept: Kept[] = []
    for (let list = 0; list < LISTS; list += 1) {
      const query = aQuery()
      const parts = planOf(listingOf(query)).scope() ?? assert.fail('it turns on the time')
      kept.push({ query, answer: await answerTo(query), stamps: [told.versionOf(parts), read.versionOf(parts)] })
    }
    await change()
    const changes = unread.splice(0)
    const effects = await effectsOf(storage, changes)
    for (const { seq, resource, id } of changes) read.change(resource, id, effects.get(seq)?.isRelisted)
    for (const { query, answer, stamps } of kept) {
      const current = [told, read].map((versions, index) => versions.isFresh(stamps[index] ?? assert.fail()))
      if (current.includes(true)) assert.equal(await answerTo(query), answer, JSON.stringify([query, current, changes]))
      spared += current.filter(Boolean).length
    }
  }
  stop()
  follower.stop()
  // A change that many lists show spares few: the draws decide how often there is one.
  assert.ok(spared > (TURNS * LISTS) / 10, `only ${spared} lists were spared`)
})
