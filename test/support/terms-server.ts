import { createLog } from '../../src/base/log.ts'
import { openTerms, type Terms } from '../../src/calendar/terms/index.ts'
import { ANONYMOUS, isRole } from '../../src/http/auth/rights.ts'
import { calendarNamespace } from '../../src/http/namespace.ts'
import { createServer, type Server } from '../../src/http/server.ts'
import { BLANK_EVENT } from '../../src/model/event.ts'
import type { Site } from '../../src/model/site.ts'
import type { Status } from '../../src/model/status.ts'
import type { EngineName, Storage, Transaction } from '../../src/storage/engine.ts'
import { nextEntryId } from '../../src/storage/identifiers.ts'
import type { JournalEntry } from '../../src/storage/journal/entry.ts'
import { headSeq, readSince } from '../../src/storage/journal/read.ts'
import { LINK_KIND } from '../../src/storage/schema.ts'
import { callerOf, inject, TEST_BOUNDS } from './http.ts'
import { openTestStorage, type TestScope } from './test-storage.ts'

/** The moment of all writes of the tests: 2026-11-20 12:00:00 UTC. */
const NOW = Date.UTC(2026, 10, 20, 12)

/** The moment as the journal writes it. */
export const AT = '2026-11-20 12:00:00'

const SITE: Site = {
  name: 'Calendar',
  zone: 'UTC',
  host: 'calendar.example',
  currencySymbol: '$',
  currencyPosition: 'prefix',
  perPageMax: 50,
}

/** A response for tests. */
export interface TermResponse {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers of any shape.
  readonly body: any
  readonly headers: Readonly<Record<string, unknown>>
}

/** What a test request has besides method and path. */
export interface TermRequest {
  /** Role of the caller; anonymous if absent. */
  readonly as?: string
  readonly json?: unknown
}

/** A module with its own database behind a real server. */
export interface TermsServer {
  readonly storage: Storage
  readonly terms: Terms
  ask(line: string, asking?: TermRequest): Promise<TermResponse>
  /** Journal entries since the last time. */
  news(): Promise<JournalEntry[]>
}

/** Opens a module on a new database; `ask('POST /tags', { as: 'editor', json })` calls it below `/cal/events/v1`. */
export async function openTermsServer(engine: EngineName, t: TestScope): Promise<TermsServer> {
  const storage = await openTestStorage(engine, t)
  const terms = openTerms({ storage, site: SITE })
  const server = serve(terms)
  t.after(() => server.close())
  let seq = await headSeq(storage)
  return {
    storage,
    terms,
    ask: (line, asking = {}) => ask(server, line, asking),
    news: async () => {
      const entries = await readSince(storage, seq, 1000)
      seq = entries.at(-1)?.seq ?? seq
      return entries
    },
  }
}

function serve(terms: Terms): Server {
  return createServer({
    options: {
      baseUrl: 'https://calendar.example',
      trustedProxies: [],
      corsOrigins: [],
      bodyLimit: 1_000_000,
      bounds: TEST_BOUNDS,
      siteZone: 'UTC',
      iframeHosts: [],
      language: 'en',
      requireIfMatch: false,
    },
    namespaces: [calendarNamespace(terms.routes, ['tribe/events/v1'])],
    describe: () => [],
    authenticate: async (role) =>
      role !== undefined && isRole(role) ? callerOf(role, role === 'editor' ? 7 : 8) : ANONYMOUS,
    now: () => NOW,
    log: createLog({ level: 'silent', now: () => NOW }),
  })
}

async function ask(server: Server, line: string, { as, json }: TermRequest): Promise<TermResponse> {
  const [method = 'GET', path = '/'] = line.split(' ')
  const response = await inject(server, {
    method: method as 'GET',
    url: path.startsWith('https:') ? path.slice('https://calendar.example'.length) : `/cal/events/v1${path}`,
    headers: {
      ...(as !== undefined && { authorization: as }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
    },
    ...(json !== undefined && { payload: JSON.stringify(json) }),
  })
  return { status: response.statusCode, body: JSON.parse(response.body || 'null'), headers: response.headers }
}

/** An event of a test. */
export interface EventSketch {
  readonly status?: Status
  readonly author?: number
  readonly password?: string
  readonly category?: readonly number[]
  readonly tag?: readonly number[]
}

/** Stores an event that uses terms, as a write of the events module would, and counts them. */
export function addEvent(scene: Pick<TermsServer, 'storage' | 'terms'>, sketch: EventSketch = {}): Promise<number> {
  const { category = [], tag = [] } = sketch
  return scene.storage.write(async (tx) => {
    const id = await nextEntryId(tx, 'event')
    const row = { ...PLAIN_EVENT, ...MOMENTS, ...owned(sketch), id, slug: `event-${id}` }
    await tx.run(tx.db.insertInto('event').values(row))
    const { status, author_id } = row
    const occurrence = { id, event_id: id, ...MOMENTS, span: 1, status, author_id, listed: 1, featured: 0 }
    const { modified_at: _, ...copied } = occurrence
    await tx.run(tx.db.insertInto('occurrence').values(copied))
    for (const [position, category_id] of category.entries()) {
      await tx.run(tx.db.insertInto('event_category').values({ event_id: id, category_id, position }))
      await link(tx, { id, kind: LINK_KIND.category, target: category_id })
    }
    for (const [position, tag_id] of tag.entries()) {
      await tx.run(tx.db.insertInto('event_tag').values({ event_id: id, tag_id, position }))
      await link(tx, { id, kind: LINK_KIND.tag, target: tag_id })
    }
    await scene.terms.category.recount(tx, category)
    await scene.terms.tag.recount(tx, tag)
    return id
  })
}

async function link(tx: Transaction, use: { readonly id: number; readonly kind: number; readonly target: number }) {
  const { id, kind, target } = use
  const narrow = { kind, target_id: target, listed: 1, status: 'publish', published_at: MOMENTS.published_at }
  const { start_local } = MOMENTS
  await tx.run(tx.db.insertInto('occurrence_link').values({ ...narrow, start_local, occurrence_id: id, event_id: id }))
}

function owned(sketch: EventSketch) {
  const { status = 'publish', author = 7, password } = sketch
  return { status, author_id: author, password_hash: password ?? null }
}

const MOMENTS = {
  start_local: '2026-12-01 10:00:00',
  end_local: '2026-12-01 12:00:00',
  start_utc: '2026-12-01 10:00:00',
  end_utc: '2026-12-01 12:00:00',
  published_at: AT,
  modified_at: AT,
}

const PLAIN_EVENT = {
  ...BLANK_EVENT,
  title: 'Event',
  all_day: 0,
  timezone: 'UTC',
  show_map: 1,
  show_map_link: 1,
}
