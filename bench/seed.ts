import type { Caller } from '../src/auth/caller.ts'
import type { Shelves } from '../src/events/index.ts'
import { type EventRow, insertEvent, takeEventId } from '../src/events/index.ts'
import type { Storage, Transaction } from '../src/storage/engine.ts'
import { slugify } from '../src/text/slug.ts'
import { addToLocal, toUtc, utcFromMillis } from '../src/time/zones.ts'

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
  /** Start of the number sequence: the same number gives the same data. */
  readonly seed: number
}

/** A plan in the usual proportions: a hundred venues and fifty organizers for every ten thousand events. */
export function planFor(events: number, from: string): SeedPlan {
  const share = (per: number): number => Math.max(5, Math.ceil(events / per))
  return {
    events,
    venues: share(100),
    organizers: share(200),
    categories: 40,
    tags: 100,
    from,
    days: 1460,
    seed: 20261120,
  }
}

/** What the seeding writes to. */
export interface SeedTarget {
  readonly storage: Storage
  readonly shelves: Shelves
  /** Owner of everything seeded. */
  readonly owner: Caller
  readonly siteZone: string
  readonly now: number
}

/** Events of one transaction. */
const BATCH = 500

/** Ids that seeded events refer to. */
interface Ground {
  readonly venues: readonly number[]
  readonly organizers: readonly number[]
  readonly categories: readonly number[]
  readonly tags: readonly number[]
}

/** Fills a calendar with reproducible events through the ordinary write path, in large transactions. */
export async function seed(
  target: SeedTarget,
  plan: SeedPlan,
  onProgress: (done: number) => void = () => {},
): Promise<void> {
  const random = sequence(plan.seed)
  const ground = await seedGround(target, plan)
  for (let first = 0; first < plan.events; first += BATCH) {
    const count = Math.min(BATCH, plan.events - first)
    const drafts = Array.from({ length: count }, (_none, index) => draftOf({ plan, random, ground }, first + index))
    await target.storage.write(async (tx) => {
      for (const draft of drafts) await seedEvent(tx, target, draft)
    })
    onProgress(first + count)
  }
}

async function seedGround({ storage, shelves, owner, now }: SeedTarget, plan: SeedPlan): Promise<Ground> {
  const at = utcFromMillis(now)
  const times = (count: number): number[] => Array.from({ length: count }, (_none, index) => index + 1)
  return storage.write(async (tx) => {
    const cause = { caller: owner, now }
    const ground = {
      venues: [] as number[],
      organizers: [] as number[],
      categories: [] as number[],
      tags: [] as number[],
    }
    for (const n of times(plan.venues)) {
      const values = {
        venue: `${NAMES[n % NAMES.length]} Hall ${n}`,
        city: CITIES[n % CITIES.length],
        address: `${n} Main Street`,
      }
      ground.venues.push(await shelves.venue.saveInline(tx, values, cause))
    }
    for (const n of times(plan.organizers)) {
      ground.organizers.push(
        await shelves.organizer.saveInline(tx, { organizer: `${NAMES[n % NAMES.length]} Society ${n}` }, cause),
      )
    }
    for (const n of times(plan.categories)) {
      ground.categories.push((await shelves.category.create(tx, { name: `Category ${n}`, actor: owner.id, at })).id)
    }
    for (const n of times(plan.tags))
      ground.tags.push((await shelves.tag.create(tx, { name: `Tag ${n}`, actor: owner.id, at })).id)
    return ground
  })
}

type Random = () => number

/** Numbers from 0 to below 1 that depend on the start alone (mulberry32). */
export function sequence(start: number): Random {
  let state = start >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const NAMES = [
  'Heron',
  'Maple',
  'Harbour',
  'Cedar',
  'Granite',
  'Lantern',
  'Meadow',
  'Quarry',
  'Sable',
  'Willow',
] as const
const CITIES = ['Astoria', 'Bern', 'Ghent', 'Lyon', 'Porto', 'Turku', 'Utrecht', 'Zadar'] as const
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
const WORDS =
  'bring your own lunch and a dry bag we meet at the north gate rain or shine children are welcome with their parents tickets at the door music follows until late the hall opens early'.split(
    ' ',
  )

interface Draft {
  readonly title: string
  readonly description: string
  readonly start: string
  readonly end: string
  readonly allDay: boolean
  readonly links: { venue: number[]; organizer: number[]; category: number[]; tag: number[] }
  readonly featured: boolean
}

function draftOf({ plan, random, ground }: { plan: SeedPlan; random: Random; ground: Ground }, index: number): Draft {
  const pick = <T>(from: readonly T[]): T[] => from.slice(...oneOf(random, from.length))
  const allDay = random() < 0.1
  const day = addToLocal(plan.from, { days: Math.floor(random() * plan.days) })
  const start = allDay
    ? `${day.slice(0, 10)} 00:00:00`
    : addToLocal(`${day.slice(0, 10)} 08:00:00`, { seconds: 900 * Math.floor(random() * 56) })
  const days = random() < 0.05 ? Math.floor(random() * 30) : 0
  const end = allDay
    ? `${addToLocal(start, { days }).slice(0, 10)} 23:59:59`
    : addToLocal(start, { days, seconds: 5400 })
  const words = Array.from(
    { length: 40 + Math.floor(random() * 120) },
    () => WORDS[Math.floor(random() * WORDS.length)],
  )
  return {
    title: `${KINDS[Math.floor(random() * KINDS.length)]} ${NAMES[Math.floor(random() * NAMES.length)]} ${index + 1}`,
    description: `<p>${words.join(' ')}.</p>`,
    start,
    end,
    allDay,
    links: {
      venue: pick(ground.venues),
      organizer: pick(ground.organizers),
      category: pick(ground.categories),
      tag: pick(ground.tags),
    },
    featured: random() < 0.05,
  }
}

/** Bounds of one random element. */
function oneOf(random: Random, length: number): [number, number] {
  const at = Math.floor(random() * length)
  return [at, at + 1]
}

async function seedEvent(tx: Transaction, target: SeedTarget, draft: Draft): Promise<void> {
  const id = await takeEventId(tx)
  const at = utcFromMillis(target.now)
  const row: EventRow = {
    id,
    author_id: target.owner.id,
    status: 'publish',
    trashed_from: null,
    slug: slugify(draft.title),
    published_at: at,
    modified_at: at,
    description: draft.description,
    excerpt: '',
    image_id: null,
    image_recorded: null,
    extra: null,
    revision: 1,
    title: draft.title,
    all_day: draft.allDay ? 1 : 0,
    start_local: draft.start,
    end_local: draft.end,
    start_utc: toUtc(draft.start, target.siteZone),
    end_utc: toUtc(draft.end, target.siteZone),
    timezone: target.siteZone,
    cost: '',
    cost_symbol: '',
    cost_position: '',
    website: null,
    show_map: 0,
    show_map_link: 0,
    hide_from_listings: 0,
    sticky: 0,
    featured: draft.featured ? 1 : 0,
    password_hash: null,
    post_parent: 0,
    tickets: null,
    custom_fields: null,
  }
  await insertEvent(tx, { row, links: draft.links }, { actor: target.owner.id, action: 'create' })
}
