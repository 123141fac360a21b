import { type ErrorCode, fail } from '../base/errors.ts'
import { field } from '../model/kinds/field.ts'
import { positive } from '../model/kinds/integer.ts'
import { queryText } from './address.ts'
import { ownBytes } from './response/http-response.ts'
import type { Freshness, Pieces, Reply } from './route.ts'

/** Defaults of every list (interface: Limits). */
const PAGE_DEFAULTS = { page: 1, per_page: 10 } as const

/** The two parameters that every list has. */
export const PAGE_FIELDS = [
  field('page', positive, 'api.pageNumber', { default: PAGE_DEFAULTS.page }),
  field('per_page', positive, 'api.numberItemsPerPage', { default: PAGE_DEFAULTS.per_page, shownDefault: '10' }),
] as const

/** The requested page: one-based number, and size after the cap. */
export interface Paging {
  readonly page: number
  readonly perPage: number
  /** Rows before the page. */
  readonly offset: number
}

/** The page that a call requests; a page size above the cap is reduced silently (wire: events 2.4). */
export function pagingOf(values: { readonly page?: number; readonly per_page?: number }, cap: number): Paging {
  const page = values.page ?? PAGE_DEFAULTS.page
  const perPage = Math.min(values.per_page ?? PAGE_DEFAULTS.per_page, cap)
  return { page, perPage, offset: Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER) }
}

/** One page of a list with everything beside its items. */
export interface ListPage {
  /** URL of the whole list, without a query: `https://…/events/`, of a file `https://…/events.ics`. */
  readonly address: string
  readonly total: number
  readonly paging: Paging
  /** Effective filters in their fixed order, apart from page and per_page. */
  readonly filters: readonly (readonly [string, string])[]
  /** Error of a page past the end; absent where such a page is an empty list. */
  readonly pastEnd?: ErrorCode
}

/** A list to respond with. */
export interface Listing extends ListPage {
  /** Member that holds the items: `events`. */
  readonly member: string
  readonly items?: readonly unknown[]
  /** The items as finished JSON, in their place. */
  readonly texts?: readonly Buffer[]
  /** Whether total and links precede the items, as in term lists (wire: rest 2.2). */
  readonly totalsFirst?: boolean
  readonly secret?: boolean
  /** Absent for lists that are rebuilt each time. */
  readonly freshness?: Freshness | undefined
}

/** The envelope of a list with its links and headers. @throws `pastEnd` on a page that has no rows */
export function listReply(listing: Listing): Reply {
  const { total, texts, items = [] } = listing
  const { links, pages, headers } = pageOf(listing, (texts ?? items).length)
  const counts = { total, total_pages: pages }
  const body = listing.totalsFirst
    ? { rest_url: links.rest_url, ...counts, [listing.member]: items, ...without(links) }
    : { [listing.member]: items, ...links, ...counts }
  const text = texts && { text: textOf(listing.member, texts, { ...links, ...counts }) }
  return { status: 200, body, ...text, headers, secret: listing.secret ?? false, freshness: listing.freshness }
}

/** The headers of a page: totals and links, whatever the form of its items. @throws `pastEnd` as listReply */
export function pageHeadersOf(page: ListPage, count: number): Readonly<Record<string, string>> {
  return pageOf(page, count).headers
}

function pageOf(page: ListPage, count: number) {
  const { paging, total, pastEnd } = page
  if (pastEnd !== undefined && paging.page > 1 && count === 0) throw fail(pastEnd as 'rest_no_route')
  const pages = Math.ceil(total / paging.perPage)
  const links = linksOf(page, pages)
  const headers: Readonly<Record<string, string>> = {
    'X-TEC-Total': String(total),
    'X-TEC-TotalPages': String(pages),
    'X-WP-Total': String(total),
    'X-WP-TotalPages': String(pages),
    ...linkHeader(links),
  }
  return { links, pages, headers }
}

/** The JSON of a list whose items come first. */
function textOf(member: string, texts: readonly Buffer[], others: object): Pieces {
  const rest = `],${JSON.stringify(others).slice(1)}`
  const all: Buffer[] = [openingOf(member)]
  for (const [index, text] of texts.entries()) {
    if (index > 0) all.push(COMMA)
    all.push(text)
  }
  all.push(ownBytes(Buffer.from(rest)))
  return { texts, rest, all }
}

const COMMA = Buffer.alloc(1, ',')

/** Lists have few names. */
const openings = new Map<string, Buffer>()

function openingOf(member: string): Buffer {
  const opening = openings.get(member) ?? ownBytes(Buffer.from(`{${JSON.stringify(member)}:[`))
  openings.set(member, opening)
  return opening
}

interface ListLinks {
  readonly rest_url: string
  readonly next_rest_url?: string
  readonly previous_rest_url?: string
}

function without(links: ListLinks): Omit<ListLinks, 'rest_url'> {
  const { rest_url: _self, ...others } = links
  return others
}

/** Links that carry every effective filter and round-trip exactly (decisions: Links in lists). */
function linksOf(listing: ListPage, pages: number): ListLinks {
  const { page, perPage } = listing.paging
  const filters = queryText([['per_page', String(perPage)], ...listing.filters])
  const link = (query: string): string => `${listing.address}?${query}`
  const before = Math.min(page - 1, Math.max(pages, 1))
  return {
    rest_url: link(`page=${page}&${filters}`),
    ...(page < pages && { next_rest_url: link(`${filters}&page=${page + 1}`) }),
    ...(page > 1 && { previous_rest_url: link(before === 1 ? filters : `${filters}&page=${before}`) }),
  }
}

/** RFC 8288 Link header of the pages beside this one. */
function linkHeader(links: ListLinks): Record<string, string> {
  const parts = [
    links.next_rest_url === undefined ? '' : `<${links.next_rest_url}>; rel="next"`,
    links.previous_rest_url === undefined ? '' : `<${links.previous_rest_url}>; rel="prev"`,
  ].filter((part) => part !== '')
  return parts.length === 0 ? {} : { Link: parts.join(', ') }
}
