import { queryText } from '../http/address.ts'
import type { Incoming } from '../http/route.ts'
import type { PageContext } from './page-context.ts'
import type { Scope } from './scope.ts'

/** Parameters of sites that have moved here; they are read once and then gone from the address. */
const MOVED = [
  ...['tribe-bar-search', 'tribe-bar-date', 'tribe-bar-view', 'eventDisplay', 'tribe_event_display', 'eventDate'],
  ...[
    'tribe_paged',
    'paged',
    'feed',
    'post_type',
    'tribe_events',
    'tribe_events_cat',
    'tribe_venue',
    'tribe_organizer',
  ],
]

/** The one of them that says nothing by itself. */
const BESIDE_OTHERS = 'post_type'

/** Items by the parameter that named their slug where a site had no other addresses for them. */
const ITEMS = [
  ['tribe_events', '/event/'],
  ['tribe_venue', '/venue/'],
  ['tribe_organizer', '/organizer/'],
  ['tribe_events_cat', '/events/category/'],
] as const

/** The formats of feeds that such sites had, all of which are RSS here. */
const FEEDS = ['atom', 'rdf', 'rss', 'rss2']

/** Where an address is: below what, and with which segments. */
export interface MovedAddress {
  readonly scope: Pick<Scope, 'base' | 'home'>
  readonly context: Pick<PageContext, 'link'>
  readonly rest: readonly string[]
}

/**
 * Where a request with parameters or a path of a site that has moved here belongs: words to `search`, dates to the view of
 * that date, `eventDisplay` to the view that it names, slugs to their item. Undefined for addresses in our form.
 */
export function redirectAddress({ query }: Pick<Incoming, 'query'>, address: MovedAddress): string | undefined {
  const { scope, context, rest } = address
  const text = (name: string): string => {
    const value = Object.hasOwn(query, name) ? query[name] : undefined
    return typeof value === 'string' ? value.trim() : ''
  }
  const isSent = MOVED.some((name) => name !== BESIDE_OTHERS && Object.hasOwn(query, name))
  const old = oldPath(rest)
  if (!isSent && old === undefined) return undefined
  const item = itemPath(text)
  if (item !== undefined) return context.link(item)
  const kept = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    MOVED.includes(name) || typeof value !== 'string' ? [] : [[name, value]],
  )
  const path = old?.tail ?? pathOf(rest)
  const { tail, from } = isSent ? sentTail(text, path) : { tail: path, from: '' }
  const page = text('tribe_paged') || text('paged') || (old?.page ?? '')
  const parameters: readonly (readonly [string, string])[] = [
    ...kept,
    ...[['search', text('tribe-bar-search')] as const, ['start_date', from] as const],
    ...[['featured', old?.isFeatured === true ? '1' : ''] as const, ['page', isPage(page) ? page : ''] as const],
  ].filter(([, value]) => value !== '')
  const target = tail === '' ? scope.home : `${scope.base}${tail}`
  return context.link(parameters.length === 0 ? target : `${target}?${queryText(parameters)}`)
}

type ReadText = (name: string) => string

function itemPath(text: ReadText): string | undefined {
  for (const [name, above] of ITEMS) {
    const slug = text(name)
    const day = name === 'tribe_events' && /^\d{4}-\d\d-\d\d$/.test(text('eventDate')) ? `${text('eventDate')}/` : ''
    if (slug !== '') return `${above}${encodeURIComponent(slug)}/${day}`
  }
  return undefined
}

function pathOf(segments: readonly string[]): string {
  return segments.map((segment) => `${encodeURIComponent(segment)}/`).join('')
}

function isPage(text: string): boolean {
  return /^\d{1,6}$/.test(text) && Number(text) > 1
}

/** The end of an address by its parameters, below that of its path; `from` is the day from which its list starts. */
function sentTail(text: ReadText, path: string): { readonly tail: string; readonly from: string } {
  const feed = text('feed')
  if (feed === 'ical') return { tail: 'ical/', from: '' }
  if (FEEDS.includes(feed)) return { tail: 'feed/', from: '' }
  const named = text('eventDisplay') || text('tribe_event_display') || text('tribe-bar-view')
  const date = /^\d{4}-\d\d(-\d\d)?$/.exec(text('tribe-bar-date') || text('eventDate'))?.[0] ?? ''
  return named === '' && date === '' ? { tail: path, from: '' } : tailOf(named || viewOf(path), date)
}

/** The view of the end of an address; '' for a list. */
function viewOf(path: string): string {
  const [first = ''] = path.split('/')
  if (/^\d{4}-\d\d$/.test(first)) return 'month'
  return /^\d{4}-\d\d-\d\d$/.test(first) ? 'day' : first
}

function tailOf(display: string, date: string): { readonly tail: string; readonly from: string } {
  if (display === 'month') return { tail: date === '' ? 'month/' : `${date.slice(0, 7)}/`, from: '' }
  if (display === 'week') return { tail: date.length === 10 ? `week/${date}/` : 'week/', from: '' }
  if (display === 'day') return { tail: date.length === 10 ? `${date}/` : 'today/', from: '' }
  if (display === 'today') return { tail: 'today/', from: '' }
  if (display === 'past') return { tail: 'past/', from: '' }
  if (display === 'map') return { tail: 'map/', from: '' }
  if (date.length === 7) return { tail: `${date}/`, from: '' }
  return { tail: '', from: date }
}

interface OldPath {
  /** The end of the address in our form. */
  readonly tail: string
  /** The page of a list; '' for the first. */
  readonly page: string
  readonly isFeatured: boolean
}

/** What segments of such a site mean: `list/page/2`, `month/2026-11`, `featured`. Undefined for those of our own addresses. */
export function oldPath(rest: readonly string[]): OldPath | undefined {
  const isPaged = rest.at(-2) === 'page' && /^\d{1,6}$/.test(rest.at(-1) ?? '')
  const named = isPaged ? rest.slice(0, -2) : rest
  const segments = named.filter((segment) => segment !== 'featured')
  const isFeatured = segments.length < named.length
  const tail = renamed(segments)
  if (tail === undefined && !isPaged && !isFeatured) return undefined
  return { tail: tail ?? pathOf(segments), page: isPaged ? (rest.at(-1) ?? '') : '', isFeatured }
}

function renamed([first = '', second, ...more]: readonly string[]): string | undefined {
  if (more.length > 0) return undefined
  if (second === undefined) {
    if (first === 'rss') return 'feed/'
    return ['list', 'upcoming', 'photo', 'summary'].includes(first) ? '' : undefined
  }
  if (first === 'month' && /^\d{4}-\d\d(-\d\d)?$/.test(second)) return `${second.slice(0, 7)}/`
  if (first === 'day' && /^\d{4}-\d\d-\d\d$/.test(second)) return `${second}/`
  return first === 'feed' && FEEDS.includes(second) ? 'feed/' : undefined
}
