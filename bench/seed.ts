import { slugify } from '../src/base/text/slug.ts'
import { addToLocal, toUtc, utcFromMillis } from '../src/base/time/zones.ts'
import type { EventLinks, EventRow, Lookups } from '../src/calendar/events/index.ts'
import { ORGANIZERS } from '../src/calendar/organizers/index.ts'
import { draftOf as linkedDraftOf } from '../src/calendar/shared/linked/rules.ts'
import { VENUES } from '../src/calendar/venues/index.ts'
import type { Caller } from '../src/http/auth/rights.ts'
import { BLANK_EVENT } from '../src/model/event.ts'
import type { Storage } from '../src/storage/engine.ts'
import { insertBulk, type NewEvent, withoutIndexes } from './bulk.ts'
import { nameOf, oneOf, type Random, sequence, wordOf } from './vocabulary.ts'

/** How much to seed. */
export interface SeedPlan {
  readonly events: number
  readonly venues: number
  readonly organizers: number
  readonly categories: number
  readonly tags: number
  /** First day of the events, wall clock text. */
  readonly from: string
  /** Days over which the events are spread. */
  readonly days: number
  /** Whether all events end on their day. */
  readonly isShort: boolean
  /** Dates of each event, one a week; 1 for events that do not recur. */
  readonly dates: number
  /** Start of the number sequence: the same number gives the same data. */
  readonly seed: number
}

/** Over how many days events are spread, whether each of them ends on its day, and how often it takes place: once by default. */
export type SeedShape = Pick<SeedPlan, 'days' | 'isShort'> & Partial<Pick<SeedPlan, 'dates'>>

const FIVE_YEARS: SeedShape = { days: 1826, isShort: false }

/** A plan in the usual proportions: a hundred venues and fifty organizers for every ten thousand events; five years by default. */
export function planFor(events: number, from: string, shape = FIVE_YEARS): SeedPlan {
  const share = (per: number): number => Math.max(5, Math.ceil(events / per))
  return {
    events,
    venues: share(100),
    organizers: share(200),
    categories: 40,
    tags: 100,
    from,
    dates: 1,
    ...shape,
    seed: 20261120,
  }
}

/** What the seeding writes to. */
export interface SeedTarget {
  readonly storage: Storage
  readonly lookups: Lookups
  /** Owner of everything seeded. */
  readonly owner: Caller
  readonly siteZone: string
  readonly now: number
}

/** Events, or dates of them, of one transaction. */
const BATCH = 5_000

/** IDs that seeded events refer to. */
interface Ground {
  readonly venues: readonly number[]
  readonly organizers: readonly number[]
  readonly categories: readonly number[]
  readonly tags: readonly number[]
}

/** How events are stored (with SQLite in bulk by default), and whom to tell how many there are. */
export interface Seeding {
  readonly store?: typeof insertBulk
  onProgress?(done: number): void
}

/** Fills an empty calendar with reproducible events in large transactions; in bulk, their indexes are made at the end. */
export async function seed(
  target: SeedTarget,
  plan: SeedPlan,
  { store = insertBulk, onProgress }: Seeding = {},
): Promise<void> {
  const random = sequence(plan.seed)
  const ground = await seedGround(target, plan)
  const at = utcFromMillis(target.now)
  const insertAll = async (): Promise<void> => {
    const batch = Math.ceil(BATCH / plan.dates)
    for (let first = 0; first < plan.events; first += batch) {
      const count = Math.min(batch, plan.events - first)
      const states = Array.from({ length: count }, (_none, index) =>
        eventOf(target, plan, draftOf({ plan, random, ground }, first + index)),
      )
      await store(target.storage, states, { actor: target.owner.id, at })
      onProgress?.(first + count)
    }
  }
  await (store === insertBulk ? withoutIndexes(target.storage, insertAll) : insertAll())
}

async function seedGround({ storage, lookups, owner, now }: SeedTarget, plan: SeedPlan): Promise<Ground> {
  const random = sequence(plan.seed + 1)
  const at = utcFromMillis(now)
  const cause = { caller: owner, at }
  const wish = { actor: owner.id, at }
  const numbers = (count: number): number[] => Array.from({ length: count }, (_none, index) => index + 1)
  return storage.write(async (tx) => {
    const ground = {
      venues: [] as number[],
      organizers: [] as number[],
      categories: [] as number[],
      tags: [] as number[],
    }
    for (const n of numbers(plan.venues)) {
      const saved = await lookups.venue.saveInline(tx, linkedDraftOf(VENUES, venueOf(random, n), {}), cause)
      ground.venues.push(saved.row.id)
    }
    for (const n of numbers(plan.organizers)) {
      const values = { organizer: `${capital(nameOf(n))} Society`, email: `office@society-${n}.example` }
      const saved = await lookups.organizer.saveInline(tx, linkedDraftOf(ORGANIZERS, values, {}), cause)
      ground.organizers.push(saved.row.id)
    }
    for (const n of numbers(plan.categories)) {
      // Every fourth category has the one before below it.
      const parent = n % 4 === 0 ? ground.categories.at(-1) : undefined
      const term = await lookups.category.create(tx, { ...wish, name: `Category ${n}`, ...(parent && { parent }) })
      ground.categories.push(term.id)
    }
    for (const n of numbers(plan.tags))
      ground.tags.push((await lookups.tag.create(tx, { ...wish, name: `Tag ${n}` })).id)
    return ground
  })
}

/** A venue somewhere in central Europe. */
function venueOf(random: Random, number: number): Readonly<Record<string, unknown>> {
  return {
    venue: `${capital(nameOf(number))} ${oneOf(random, HOUSES)}`,
    address: `${1 + Math.floor(random() * 200)} ${capital(nameOf(Math.floor(random() * 1_000)))} Street`,
    city: oneOf(random, CITIES),
    country: 'Germany',
    zip: String(10_000 + Math.floor(random() * 90_000)),
    geo_lat: Math.round((47.5 + random() * 7) * 1e5) / 1e5,
    geo_lng: Math.round((6 + random() * 9) * 1e5) / 1e5,
  }
}

const HOUSES = ['Hall', 'House', 'Theatre', 'Centre', 'Club', 'Gardens', 'Library', 'Studio'] as const
const CITIES = ['Augsburg', 'Bremen', 'Dresden', 'Erfurt', 'Freiburg', 'Hamburg', 'Jena', 'Kassel', 'Köln'] as const
const KINDS = [
  'Concert',
  'Workshop',
  'Reading',
  'Regatta',
  'Market',
  'Lecture',
  'Rehearsal',
  'Exhibition',
  'Tour',
  'Picnic',
] as const

/** An event before it has an ID. */
type Draft = Omit<
  EventRow,
  'id' | 'author_id' | 'published_at' | 'modified_at' | 'start_utc' | 'end_utc' | 'timezone'
> & {
  readonly links: EventLinks
}

interface Source {
  readonly plan: SeedPlan
  readonly random: Random
  readonly ground: Ground
}

function draftOf({ plan, random, ground }: Source, index: number): Draft {
  const title = `${oneOf(random, KINDS)} ${wordOf(random)} ${capital(nameOf(Math.floor(random() * 1_500)))}`
  return {
    ...NOTHING_SENT,
    title,
    slug: `${slugify(title)}-${index + 1}`,
    status: random() < 0.03 ? 'draft' : 'publish',
    ...timesOf(plan, random),
    description: descriptionOf(random),
    excerpt: random() < 0.3 ? `<p>${sentence(random, 12)}</p>` : '',
    cost: random() < 0.5 ? String(5 + Math.floor(random() * 40)) : '',
    featured: random() < 0.05 ? 1 : 0,
    hide_from_listings: random() < 0.01 ? 1 : 0,
    links: {
      venue: [oneOf(random, ground.venues)],
      organizer: [oneOf(random, ground.organizers)],
      category: [oneOf(random, ground.categories)],
      tag: [...new Set([oneOf(random, ground.tags), oneOf(random, ground.tags)])],
    },
  }
}

/** Every tenth event lasts whole days, every twentieth up to a month, every five hundredth up to two years. */
function timesOf(plan: SeedPlan, random: Random): Pick<EventRow, 'all_day' | 'start_local' | 'end_local'> {
  const allDay = random() < 0.1
  const day = addToLocal(plan.from, { days: Math.floor(random() * plan.days) }).slice(0, 10)
  const chance = random()
  const long = chance < 0.002 ? 31 + Math.floor(random() * 700) : chance < 0.05 ? Math.floor(random() * 30) : 0
  const days = plan.isShort ? 0 : long
  const start = allDay ? `${day} 00:00:00` : addToLocal(`${day} 08:00:00`, { seconds: 900 * Math.floor(random() * 60) })
  const end = allDay
    ? `${addToLocal(start, { days }).slice(0, 10)} 23:59:59`
    : addToLocal(start, { days, seconds: 5400 })
  return { all_day: allDay ? 1 : 0, start_local: start, end_local: end }
}

/** Two or three paragraphs of 40 to 160 words; every twentieth one names someone whom hardly another one names. */
function descriptionOf(random: Random): string {
  const guest = random() < 0.05 ? ` With ${capital(rareName(Math.floor(random() * RARE_NAMES)))}.` : ''
  const length = 20 + Math.floor(random() * 60)
  return `<p>${sentence(random, length)}</p>\n<p><strong>${sentence(random, 4)}</strong> ${sentence(random, length)}${guest}</p>\n`
}

/** Number of different rare names in descriptions. */
export const RARE_NAMES = 50_000

/** A rare name by number, lower case. */
export function rareName(number: number): string {
  return nameOf(100_000 + number)
}

function sentence(random: Random, words: number): string {
  return `${capital(Array.from({ length: words }, () => wordOf(random)).join(' '))}.`
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

const NOTHING_SENT = {
  ...BLANK_EVENT,
  show_map: 1,
  show_map_link: 1,
} as const

function eventOf(target: SeedTarget, { dates }: SeedPlan, { links, ...draft }: Draft): NewEvent {
  const at = utcFromMillis(target.now)
  const lines = [`RRULE:FREQ=WEEKLY;COUNT=${dates}`]
  const weeks = Array.from({ length: dates }, (_none, week) => addToLocal(draft.start_local, { days: 7 * week }))
  const row = {
    ...draft,
    author_id: target.owner.id,
    published_at: at,
    modified_at: at,
    start_utc: toUtc(draft.start_local, target.siteZone),
    end_utc: toUtc(draft.end_local, target.siteZone),
    timezone: target.siteZone,
    ...(dates > 1 && { recurrence: JSON.stringify({ lines }) }),
  }
  return { row, links, starts: dates > 1 ? weeks : [] }
}
