import { NAMESPACES, TEC_NAMESPACE } from '../../src/base/config/namespaces.ts'
import type { TestApp } from '../support/app.ts'
import { IS_FULL } from '../support/draws.ts'
import type { Planted } from './plant.ts'
import type { Entry } from './secrets.ts'

/** An operation of an OpenAPI document. */
export interface Operation {
  /** In capitals. */
  readonly method: string
  /** With its namespace and `{id}` or `{slug}`: `/cal/events/v1/events/{id}`. */
  readonly path: string
  /** Names of the parameters in the query. */
  readonly query: readonly string[]
  /** ID of the event that it is about, where there is a single one. */
  readonly names?: number
}

interface Parameter {
  readonly name?: string
  readonly in?: string
  readonly $ref?: string
}

interface Document {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, { readonly parameters?: readonly Parameter[] }>>>>
}

/** Namespaces without a document of their own: their index says what there is. */
const UNDOCUMENTED = [
  '/wp/v2',
  '/wp/v2/users/me',
  '/wp/v2/media',
  '/wp/v2/categories',
  '/wp/v2/tags',
  '/wp/v2/settings',
  '/wp/v2/tribe_events_cat',
]

/** Every operation that the server documents. */
export async function operationsOf({ app: { storage }, call, origin }: TestApp): Promise<Operation[]> {
  const operations: Operation[] = UNDOCUMENTED.map((path) => ({ method: 'GET', path, query: ['hide_empty', 'search'] }))
  const tickets = await storage.all(storage.db.selectFrom('ticket').select(['id', 'event_id']).orderBy('id'))
  operations.push(
    ...tickets.map(({ id, event_id: names }) => ({ method: 'GET', path: `/tec/v1/tickets/${id}`, query: [], names })),
  )
  for (const namespace of NAMESPACES) {
    const { body } = await call(
      'administrator',
      'GET',
      `${origin}/${namespace}/${namespace === TEC_NAMESPACE ? 'docs' : 'doc'}`,
    )
    for (const [path, methods] of Object.entries((body as Document).paths ?? {}))
      for (const [method, { parameters = [] }] of Object.entries(methods)) {
        const query = parameters.flatMap((one) => (one.in === 'query' && one.name !== undefined ? [one.name] : []))
        operations.push({ method: method.toUpperCase(), path: `/${namespace}${path}`, query })
      }
  }
  return operations
}

/** An address with the entry that it names. */
export interface Address {
  readonly path: string
  readonly named?: Entry | undefined
}

/** Everything that GET reads: the documented addresses with parameters that show more, each entry by ID and by slug. */
export function readsOf(planted: Planted, operations: readonly Operation[]): Address[] {
  const reads = operations.filter(({ method }) => method === 'GET')
  return reads.flatMap((operation) => {
    if (operation.path.includes('{')) return itemReads(planted, operation)
    return queriesOf(planted, operation).map((query) => {
      const event = operation.names ?? Number(/&event=(\d+)/.exec(query)?.[1])
      // Whoever names an event asks for its tickets.
      const named = /\/tickets\b/.test(operation.path) ? planted.entries.find(({ id }) => id === event) : undefined
      return { path: `${operation.path}?${query}`, named }
    })
  })
}

/** The kind of what a path names: `event` of `/cal/events/v1/events/{id}.ics`. */
export function kindOf({ path }: Operation): string | undefined {
  return /\/(\w+)s\/(?:by-slug\/)?\{/.exec(path)?.[1]
}

function itemReads({ entries }: Planted, operation: Operation): Address[] {
  const { path, query } = operation
  const own = entries.filter(({ kind }) => kind === kindOf(operation))
  // An image, a webhook, a term: IDs of others are found in lists.
  if (own.length === 0) return ['1', '2'].map((id) => ({ path: path.replace(/\{\w+\}/, id) }))
  const ways = IS_FULL ? ['', '?context=edit', '?password=wrong'] : ['']
  const possible = ways.filter((way) => way === '' || query.includes(way.slice(1).split('=')[0] ?? ''))
  return share(own, path.length).flatMap((named) => possible.map((way) => ({ path: filled(path, named) + way, named })))
}

/** Half of a list, another one each `turn`, or all of it where there is time. */
export function share<T>(list: readonly T[], turn: number): readonly T[] {
  return IS_FULL ? list : list.filter((_one, index) => (index + turn) % 2 === 0)
}

/** A path of an entry. */
export function filled(path: string, { id, slug }: Pick<Entry, 'id' | 'slug'>): string {
  return path.replace('{id}', String(id)).replace('{slug}', slug)
}

/** What shows as much of lists as there is. */
const WIDE: Readonly<Record<string, string>> = {
  per_page: '500',
  start_date: '2000-01-01',
  end_date: '2040-01-01',
  hide_empty: 'false',
  q: 'fair',
  expand: 'item',
  include_hidden: 'true',
}

const EVERY_STATUS = 'publish,future,draft,pending,private,trash'

/** Queries of a list: wide, with all statuses, and with parameters that may let something through. */
function queriesOf({ entries, cursor }: Planted, { path, query }: Operation): string[] {
  const ids = entries.map(({ id }) => id)
  const values: Record<string, readonly string[]> = {
    status: ['any', EVERY_STATUS, 'trash', 'private'],
    include: [ids.slice(0, 500).join(), `${ids.slice(0, 500).join()}&status=${EVERY_STATUS}`],
    search: ['fair', `fair&status=any`],
    orderby: ['title&order=desc&status=any'],
    event: ids.filter((_id, index) => index % (IS_FULL ? 1 : 12) === 0).map(String),
    post: ids.filter((_id, index) => index % (IS_FULL ? 1 : 12) === 0).map(String),
    venue: [ids.slice(0, 60).join()],
    has_events: ['true', 'false'],
    only_with_upcoming: ['true'],
    updated_since: ['2000-01-01'],
    password: ['wrong'],
    slug: [
      entries
        .map(({ slug }) => slug)
        .slice(0, 100)
        .join(),
    ],
    _envelope: ['1'],
  }
  const wide = Object.entries({ ...WIDE, since: cursor }).filter(([name]) => query.includes(name))
  const base = new URLSearchParams(wide).toString()
  const extras = Object.entries(values).filter(([name]) => query.includes(name))
  const extra = extras.flatMap(([name, several]) => several.map((value) => `${base}&${name}=${value}`))
  // Formats share what they read with the lists of the interface.
  return [base, ...(path.startsWith('/cal/') ? extra : share(extra, path.length))]
}

/** Pages that the calendar has for each entry. */
export function pagesOf({ entries }: Planted): Address[] {
  return entries.flatMap((named, index) => {
    const { kind, id, slug } = named
    const pages = [`/${kind}/${slug}/`, `/admin/${kind}s/${id}`, ...share([`/admin/${kind}s/${id}/history`], index)]
    const dates = [`/event/${slug}/2026-12-05/`, `/event/${slug}/2026-12-05/ical/`, `/series/${slug}/`]
    const files = [
      `/event/${slug}/ical/`,
      `/oembed?url=http://127.0.0.1/event/${slug}/`,
      `/admin/events/new?copy=${id}`,
    ]
    const more = kind === 'event' ? share([...dates, ...files], index) : []
    return [...pages, ...more].map((path) => ({ path, named }))
  })
}

/** Pages that no other one links to. */
export const UNLINKED: readonly string[] = [
  ...[
    '/search/?q=fair',
    '/feed/',
    '/events/list/?tribe-bar-search=fair',
    '/series/fair/feed/',
    '/theme.css',
    '/robots.txt',
  ],
  ...['/embed/calendar.js', '/.well-known/security.txt', '/wp-sitemap.xml', '/sitemap_index.xml', '/sitemap.xml'],
  ...['/sitemap-1.xml', '/admin/login', '/admin/link', '/admin/setup', '/admin/recurrence', '/admin/work/1'],
  ...[
    '/admin/offers/venue?q=fair',
    '/admin/offers/organizer?q=fair',
    '/admin/offers/categories?q=fair',
    '/admin/trash?page=1',
    '/tag/fair/feed/',
  ],
  ...['/admin/link/x', '/admin/link/stop/x', '/admin/forgot', '/admin/confirm', '/admin/passkey', '/admin/oidc/1'],
  ...['/admin/oidc/1/callback', '/admin/profile/identities', '/submit/link/x/'],
]

/** Paths of pages, as they are declared, to which none of the addresses belongs. */
export function unvisited(patterns: readonly string[], addresses: readonly Address[]): string[] {
  const paths = addresses.map(({ path }) => path.split('?')[0]?.replace(/(?<=.)\/$/, '') ?? '')
  return patterns.filter((pattern) => {
    const expression = pattern
      .replace(/[.]/g, '\\.')
      .replace(/:\w+(\(.*?\))?/g, '[^/]+')
      .replace('*', '.+')
    return !paths.some((path) => new RegExp(`^${expression}$`).test(path))
  })
}
