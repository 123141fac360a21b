import { percentDecoded } from '../base/text/slug.ts'
import { isCalendarDate } from '../base/time/clock.ts'
import {
  type DateAddress,
  dateByAddressBefore,
  type EventRow,
  entryBySlugBefore,
  eventBySlug,
  eventsByIds,
  recursNoMore,
  seriesBySlugEver,
} from '../calendar/events/index.ts'
import { pageUrl } from '../calendar/shared/present.ts'
import { mayRead } from '../http/auth/rights.ts'
import { type PageResponse, PRIVATE_PAGE } from '../http/html-page.ts'
import type { Incoming } from '../http/route.ts'
import type { Reader } from '../storage/engine.ts'
import type { PagesDeps } from './deps.ts'
import { contextOf, storedForm } from './page-context.ts'
import { redirectTo } from './redirects.ts'

/** What has the page of a former address now. */
interface Found {
  readonly id: number
  /** Whether its own page is meant, or that of the series that starts with it. */
  readonly kind: Named['kind']
}

/** What the path of a page says of the event that it was about. */
interface Named {
  readonly kind: 'event' | 'series'
  readonly slug: string
  /** `2027-01-11`, with `-2` behind it for a second date of that day; absent where the path names none. */
  readonly date?: string
  /** The rest of the path. */
  readonly rest: readonly string[]
}

/**
 * Where the page of an event is now whose old address was requested: the event had another slug, or the date belonged to
 * another series, or to this one before that was moved. Undefined where nothing had that address, or nothing that this caller may read. `requested` is the path
 * with its query; the query goes along.
 */
export async function formerAddress(
  { reader }: Pick<PagesDeps, 'reader'>,
  requested: string,
  incoming: Incoming,
): Promise<PageResponse | undefined> {
  const [path = '', ...queries] = requested.split('?')
  const named = readPath(path, incoming.mount.language)
  const found = named && (await foundBy(reader, named))
  const row = found && (await eventsByIds(reader, [found.id]))[0]
  if (named === undefined || found === undefined || row === undefined) return undefined
  if (!HAVE_PAGES.includes(row.status)) return undefined
  if (!mayRead(incoming.caller, { authorId: row.author_id, status: row.status })) return undefined
  const context = contextOf(incoming)
  // A series that recurs no more is its event: a date that was dropped leads there.
  const isSingle = row.occasion !== undefined && recursNoMore(row.occasion.series)
  const kind = named.kind === 'event' && isSingle ? 'event' : found.kind
  const now = addressNow({ ...named, kind }, row, incoming)
  if (now === undefined) return undefined
  const address = new URL(now)
  if (samePath(address.pathname, path)) return undefined
  if (queries.length > 0) address.search = queries.join('?')
  const moved = redirectTo(context.to(address.href))
  // Not kept by browsers: an event may get its former slug again, and two addresses that lead to each other are none.
  const caching = row.status === 'publish' ? { 'cache-control': 'no-cache' } : PRIVATE_PAGE
  return { ...moved, headers: { ...moved.headers, ...caching } }
}

const HAVE_PAGES = ['publish', 'private']

function readPath(path: string, language: string): Named | undefined {
  const all = path.split('/').filter((part) => part !== '')
  const [kind, slug, ...more] = (language !== '' && all[0] === language ? all.slice(1) : all).map(percentDecoded)
  if (slug === undefined) return undefined
  if (kind === 'series') return { kind, slug, rest: more }
  if (kind !== 'event') return undefined
  const [date, ...rest] = more
  const isDate = date !== undefined && /^\d{4}-\d\d-\d\d(-\d{1,5})?$/.test(date)
  const named = { kind, slug, ...(isDate && { date }), rest: isDate ? rest : more } as const
  return named.rest.join('/') === 'ical' || named.rest.length === 0 ? named : undefined
}

async function foundBy(reader: Reader, { kind, slug: sent, date }: Named): Promise<Found | undefined> {
  const named = storedForm({ by: 'slug', slug: sent })
  const slug = named.by === 'slug' ? named.slug : ''
  const before = date === undefined ? await entryBySlugBefore(reader, slug) : undefined
  if (before !== undefined) return { id: before, kind }
  const address = readAddress(date === undefined ? slug : `${slug}-${date}`)
  if (address === undefined) return undefined
  const id = (await dateByAddressBefore(reader, address)) ?? (await plainEventOf(reader, { kind, address, date }))
  if (id !== undefined) return { id, kind }
  const series = await seriesBySlugEver(reader, address.slug)
  return series === undefined ? undefined : { id: series, kind: 'series' }
}

/** The event that was a date at another site, which names its page `/event/yoga/2027-01-11/` and the event `yoga-2027-01-11`. */
async function plainEventOf(
  reader: Reader,
  { kind, address, date }: Pick<Named, 'kind'> & { readonly address: DateAddress; readonly date: string | undefined },
): Promise<number | undefined> {
  if (kind !== 'event' || date === undefined) return undefined
  return eventBySlug(reader, `${address.slug}-${date}`)
}

/** The address of a date in one word: `yoga-2027-01-11`; undefined for other words, and for days that there are not. */
function readAddress(word: string): DateAddress | undefined {
  const [, slug, day = '', of_day = '1'] = /^(.+)-(\d{4}-\d\d-\d\d)(?:-(\d{1,5}))?$/.exec(word) ?? []
  const [year = 0, month = 0, dayOfMonth = 0] = day.split('-').map(Number)
  if (slug === undefined || !isCalendarDate({ year, month, day: dayOfMonth })) return undefined
  return { slug, day, of_day: Number(of_day) }
}

function addressNow({ kind, rest }: Named, row: EventRow, { urls }: Incoming): string | undefined {
  const series = row.occasion?.series
  const end = rest.map((one) => `${encodeURIComponent(one)}/`).join('')
  if (kind === 'event') return pageUrl('event', row, urls) + end
  return series === undefined ? undefined : `${urls.page(`/series/${series.slug}/`)}${end}`
}

function samePath(one: string, other: string): boolean {
  const [first, second] = [one, other].map((path) => percentDecoded(path).replace(/\/$/, '').toLowerCase())
  return first === second
}
