import { mayRead } from '../auth/rights.ts'
import { pageUrl } from '../entries/present.ts'
import { dateByAddressBefore, type EventRow, entryBySlugBefore, eventsByIds } from '../events/index.ts'
import { type PageResponse, PRIVATE_PAGE } from '../http/page.ts'
import type { Incoming } from '../http/route.ts'
import type { Reader } from '../storage/engine.ts'
import { hereOf } from './here.ts'
import type { WebParts } from './parts.ts'
import { storedForm } from './paths.ts'
import { redirectTo } from './redirects.ts'

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
 * another series. Undefined where nothing had that address, or nothing that this caller may read. `requested` is the path
 * with its query; the query goes along.
 */
export async function formerAddress(
  { reader }: Pick<WebParts, 'reader'>,
  requested: string,
  incoming: Incoming,
): Promise<PageResponse | undefined> {
  const [path = '', ...queries] = requested.split('?')
  const named = readPath(path, incoming.mount.language)
  const row = named && (await rowNamed(reader, named))
  if (named === undefined || row === undefined) return undefined
  if (!HAVE_PAGES.includes(row.status)) return undefined
  if (!mayRead(incoming.caller, { authorId: row.author_id, status: row.status })) return undefined
  const here = hereOf(incoming)
  const now = addressNow(named, row, incoming)
  if (now === undefined) return undefined
  const address = new URL(now)
  if (samePath(address.pathname, path)) return undefined
  if (queries.length > 0) address.search = queries.join('?')
  const moved = redirectTo(here.to(address.href))
  // Not kept by browsers: an event may get its former slug again, and two addresses that lead to each other are none.
  const caching = row.status === 'publish' ? { 'cache-control': 'no-cache' } : PRIVATE_PAGE
  return { ...moved, headers: { ...moved.headers, ...caching } }
}

const HAVE_PAGES = ['publish', 'private']

function readPath(path: string, language: string): Named | undefined {
  const all = path.split('/').filter((part) => part !== '')
  const [kind, slug, ...more] = (language !== '' && all[0] === language ? all.slice(1) : all).map(decoded)
  if (slug === undefined) return undefined
  if (kind === 'series') return { kind, slug, rest: more }
  if (kind !== 'event') return undefined
  const [date, ...rest] = more
  const isDate = date !== undefined && /^\d{4}-\d\d-\d\d(-\d{1,5})?$/.test(date)
  const named = { kind, slug, ...(isDate && { date }), rest: isDate ? rest : more } as const
  return named.rest.join('/') === 'ical' || named.rest.length === 0 ? named : undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

async function rowNamed(reader: Reader, { slug: sent, date }: Named): Promise<EventRow | undefined> {
  const named = storedForm({ by: 'slug', slug: sent })
  const slug = named.by === 'slug' ? named.slug : ''
  const id =
    date === undefined
      ? ((await entryBySlugBefore(reader, slug)) ?? (await dateOf(reader, slug)))
      : await dateOf(reader, `${slug}-${date}`)
  return id === undefined ? undefined : (await eventsByIds(reader, [id]))[0]
}

/** The date with an address in one word: `yoga-2027-01-11`. */
async function dateOf(reader: Reader, word: string): Promise<number | undefined> {
  const [, slug, day, of_day = '1'] = /^(.+)-(\d{4}-\d\d-\d\d)(?:-(\d{1,5}))?$/.exec(word) ?? []
  if (slug === undefined || day === undefined) return undefined
  return dateByAddressBefore(reader, { slug, day, of_day: Number(of_day) })
}

function addressNow({ kind, rest }: Named, row: EventRow, { urls }: Incoming): string | undefined {
  const series = row.occasion?.series
  const end = rest.map((one) => `${encodeURIComponent(one)}/`).join('')
  if (kind === 'event') return pageUrl('event', row, urls) + end
  return series === undefined ? undefined : `${urls.page(`/series/${series.slug}/`)}${end}`
}

function samePath(one: string, other: string): boolean {
  const [first, second] = [one, other].map((path) => decoded(path).replace(/\/$/, '').toLowerCase())
  return first === second
}
