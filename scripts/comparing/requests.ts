import type { Dice } from '../../test/fuzz/dice.ts'

/** Who sends a request. */
export const CALLERS = ['anonymous', 'administrator', 'editor', 'author', 'contributor', 'subscriber'] as const

/** A request of a comparison; the address is below the root of the server. */
export interface Step {
  readonly as: (typeof CALLERS)[number]
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** What the responses so far have named: IDs and slugs by kind. */
export type Known = Record<Kind, (number | string)[]>

/** Kinds of items. */
export const KINDS = ['events', 'venues', 'organizers', 'categories', 'tags'] as const

export type Kind = (typeof KINDS)[number]

const REST = '/cal/events/v1'
const HOUR = 3_600_000
const WORDS = ['Jazz', 'Museum', 'Night', 'Open air', 'Łódź', '東京', 'a b', 'Tom &amp; Jerry', '<b>Bold</b>']
const STATUSES = ['publish', 'publish', 'draft', 'private', 'pending', 'future', 'trash', 'nothing']
const ZONES = ['America/New_York', 'Europe/Berlin', 'UTC', 'UTC+5:30', 'Nowhere/None']
const ODD = ['', '0', '-1', 'x', '9999-12-31', 'true', '1,2', '[]', 'tomorrow', '2026-02-30', '%00']

/** The next request: about two reads to a write, by anyone, most of them sound. `now` is the clock of the servers. */
export function nextStep(dice: Dice, known: Known, now: number): Step {
  const as = dice.chance(0.35) ? 'anonymous' : dice.pick(CALLERS)
  return dice.chance(0.65) ? read({ dice, known, now }, as) : write({ dice, known, now }, as)
}

interface Making {
  readonly dice: Dice
  readonly known: Known
  readonly now: number
}

function read(making: Making, as: Step['as']): Step {
  const { dice } = making
  const headers: Record<string, string> = {}
  if (dice.chance(0.1)) headers['accept-language'] = dice.pick(['de', 'ar', 'fr-CH, en;q=0.5'])
  if (dice.chance(0.1)) headers['accept-encoding'] = dice.pick(['gzip', 'br'])
  if (dice.chance(0.1)) headers['origin'] = dice.pick(['https://other.example', 'https://calendar.example'])
  const method = dice.chance(0.06) ? dice.pick(['HEAD', 'OPTIONS']) : 'GET'
  return { as, method, path: readPath(making), headers }
}

function readPath(making: Making): string {
  const { dice } = making
  const kind = dice.chance(0.6) ? 'events' : dice.pick(KINDS)
  const roll = dice.below(20)
  if (roll < 11) return `${REST}/${kind}${queryOf(making, kind)}`
  if (roll < 15) return `${REST}/${kind}/${anId(making, kind)}${dice.chance(0.2) ? '?_fields=id,title' : ''}`
  if (roll < 17) return `${REST}/${kind}/by-slug/${encodeURIComponent(aSlug(making))}`
  return dice.pick([
    '/',
    REST,
    `${REST}/doc`,
    `${REST}/nothing`,
    '/wp-json/wp/v2/tags',
    '/wp-json/wp/v2/media',
    '/wp-json/tribe/events/v1/events?per_page=3',
    '/de/cal/events/v1/events?per_page=2',
    '/kalends/v1/health',
    `/event/${aSlug(making)}`,
  ])
}

function queryOf(making: Making, kind: Kind): string {
  const { dice } = making
  const all = kind === 'events' ? eventFilters(making) : otherFilters(making)
  const chosen = Object.entries(all).filter(() => dice.chance(0.12))
  const query = new URLSearchParams()
  for (const [name, value] of chosen) query.append(name, dice.chance(0.04) ? dice.pick(ODD) : String(value))
  return query.size === 0 ? '' : `?${query}`
}

function pageFilters({ dice }: Making): Record<string, unknown> {
  return {
    page: 1 + dice.below(3),
    per_page: 1 + dice.below(12),
    search: dice.pick([...WORDS, 'ja', 'museum night', '"Open air"', '-jazz']),
    order: dice.pick(['asc', 'desc']),
    status: dice.pick(STATUSES),
    include: `${dice.below(40)},${dice.below(40)}`,
    exclude: `${dice.below(40)}`,
    slug: 'jazz-1',
    strict: '1',
    _fields: dice.pick(['id,title', 'slug', 'nothing']),
    lang: dice.pick(['de', 'en']),
  }
}

function eventFilters(making: Making): Record<string, unknown> {
  const { dice } = making
  return {
    ...pageFilters(making),
    start_date: localDate(making, dice.below(200) - 100),
    end_date: localDate(making, dice.below(200)),
    starts_after: localDate(making, dice.below(200) - 100),
    starts_before: localDate(making, dice.below(200)),
    ends_after: localDate(making, dice.below(200) - 100),
    ends_before: localDate(making, dice.below(200)),
    strict_dates: 'true',
    venue: anId(making, 'venues'),
    organizer: anId(making, 'organizers'),
    categories: anId(making, 'categories'),
    tags: anId(making, 'tags'),
    featured: dice.pick(['true', 'false']),
    sticky: dice.pick(['true', 'false']),
    ticketed: dice.pick(['true', 'false']),
    geoloc: 'true',
    geoloc_lat: dice.below(90),
    geoloc_lng: dice.below(90),
    geoloc_radius: dice.below(2000),
    post_parent: anId(making, 'events'),
    orderby: dice.pick(['date', 'title', 'event_date', 'id', 'nothing']),
    author: 1 + dice.below(6),
  }
}

function otherFilters(making: Making): Record<string, unknown> {
  const { dice } = making
  return {
    ...pageFilters(making),
    event: anId(making, 'events'),
    post: anId(making, 'events'),
    parent: anId(making, 'categories'),
    hide_empty: dice.pick(['true', 'false']),
    has_events: dice.pick(['true', 'false']),
    only_with_upcoming: dice.pick(['true', 'false']),
    orderby: dice.pick(['name', 'count', 'slug', 'title', 'date']),
  }
}

function write(making: Making, as: Step['as']): Step {
  const { dice } = making
  const kind = dice.chance(0.6) ? 'events' : dice.pick(KINDS)
  const fields = kind === 'events' ? eventFields(making) : otherFields(making, kind)
  const body = dice.chance(0.85) ? json(fields) : form(fields)
  // The administrator creates most, so that there is something to read.
  if (dice.chance(0.5))
    return { as: dice.chance(0.5) ? 'administrator' : as, method: 'POST', path: `${REST}/${kind}`, ...body }
  const path = `${REST}/${kind}/${dice.chance(0.85) ? anId(making, kind) : `by-slug/${encodeURIComponent(aSlug(making))}`}`
  if (dice.chance(0.75)) return { as, method: dice.pick(['POST', 'PUT', 'PATCH']), path, ...body }
  return { as, method: 'DELETE', path: `${path}${dice.chance(0.3) ? '?force=true' : ''}`, headers: {} }
}

function json(fields: object): Pick<Step, 'headers' | 'body'> {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(fields) }
}

function form(fields: object): Pick<Step, 'headers' | 'body'> {
  const texts = Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)])
  const body = new URLSearchParams(texts).toString()
  return { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body }
}

function eventFields(making: Making): Record<string, unknown> {
  const { dice } = making
  const start = dice.below(400) - 100
  const all: Record<string, unknown> = {
    title: `${dice.pick(WORDS)} ${dice.below(50)}`,
    description: `<p>${dice.pick(WORDS)} for all</p><script>alert(1)</script>`,
    excerpt: dice.pick(WORDS),
    status: dice.pick(STATUSES),
    venue: dice.chance(0.4) ? { venue: `${dice.pick(WORDS)} house`, city: 'Bern' } : [anId(making, 'venues')],
    organizer: dice.chance(0.4) ? [{ organizer: `${dice.pick(WORDS)} club` }] : anId(making, 'organizers'),
    categories: dice.chance(0.5) ? [dice.pick(WORDS)] : [anId(making, 'categories')],
    tags: dice.chance(0.5) ? [dice.pick(WORDS), 'new'] : [anId(making, 'tags')],
    hide_from_listings: dice.chance(0.2),
    featured: dice.chance(0.3),
    sticky: dice.chance(0.3),
    all_day: dice.chance(0.2),
    timezone: dice.pick(ZONES),
    post_parent: anId(making, 'events'),
    slug: `${dice.pick(WORDS)}-${dice.below(20)}`,
    cost: dice.pick(['12', 'free', '5-9', 0]),
    website: dice.pick(['https://example.org/', 'example.org', 'x']),
    date: localDate(making, dice.below(6) - 3),
    password: dice.pick(['', 'sesame']),
  }
  const chosen = Object.entries(all).filter(() => dice.chance(0.25))
  if (dice.chance(0.9)) chosen.unshift(['title', `${dice.pick(WORDS)} ${dice.below(500)}`])
  if (dice.chance(0.9))
    chosen.push(['start_date', localDate(making, start)], ['end_date', localDate(making, start + 1 + dice.below(40))])
  return Object.fromEntries(chosen)
}

function otherFields(making: Making, kind: Kind): Record<string, unknown> {
  const { dice } = making
  const name = `${dice.pick(WORDS)} ${dice.below(1000)}`
  if (kind === 'categories') return { name, ...(dice.chance(0.4) && { parent: anId(making, kind) }) }
  if (kind === 'tags') return { name, description: dice.pick(WORDS) }
  const own =
    kind === 'venues' ? { venue: name, zip: '3000', country: 'CH' } : { organizer: name, email: 'a@b.example' }
  return {
    ...own,
    description: dice.pick(WORDS),
    phone: '123',
    ...(dice.chance(0.3) && { status: dice.pick(STATUSES) }),
  }
}

function anId({ dice, known }: Making, kind: Kind): number | string {
  const ids = known[kind].filter((one) => typeof one === 'number')
  return ids.length === 0 || dice.chance(0.03) ? 9999 : dice.pick(ids)
}

function aSlug({ dice, known }: Making): string {
  const slugs = known.events.filter((one) => typeof one === 'string')
  return slugs.length === 0 ? 'nothing' : dice.pick(slugs)
}

function localDate({ now }: Making, hours: number): string {
  return new Date(now + hours * HOUR).toISOString().slice(0, 19).replace('T', ' ')
}
