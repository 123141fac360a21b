import { addPassword, addUser, userLookup } from '../../src/accounts/users/index.ts'
import { createLog } from '../../src/base/log.ts'
import { openOrganizers } from '../../src/calendar/organizers/index.ts'
import { NO_IMAGES } from '../../src/calendar/shared/image.ts'
import type { LinkedKey } from '../../src/calendar/shared/linked/row.ts'
import { hasUser } from '../../src/calendar/shared/linked/store.ts'
import { openVenues } from '../../src/calendar/venues/index.ts'
import { authenticate } from '../../src/http/auth/authenticate.ts'
import type { Role } from '../../src/http/auth/rights.ts'
import { calendarNamespace } from '../../src/http/namespace.ts'
import { createServer } from '../../src/http/server.ts'
import { BLANK_EVENT } from '../../src/model/event.ts'
import type { Site } from '../../src/model/site.ts'
import type { Status } from '../../src/model/status.ts'
import type { EngineName, Storage, Transaction } from '../../src/storage/engine.ts'
import { nextEntryId } from '../../src/storage/identifiers.ts'
import { inject, TEST_BOUNDS } from './http.ts'
import { TEST_ENGINE } from './test-engine.ts'
import { openTestStorage, type TestScope } from './test-storage.ts'

/** A response of the server under test. */
export interface LinkedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the test asserts
  readonly body: any
}

/** What a test sends. */
export interface LinkedRequest {
  readonly json?: object
  readonly query?: Readonly<Record<string, string>>
}

/** A server with venues and organizers over a real database, and one user of each role, named after it. */
export interface LinkedServer {
  readonly storage: Storage
  readonly clock: { now: number }
  /** IDs of the users. */
  readonly users: ReadonlyMap<Role, number>
  /** Calls a path below the namespace, or a whole URL, as a role or anonymously. */
  call(as: Role | 'anonymous', request: `${string} ${string}`, sending?: LinkedRequest): Promise<LinkedResponse>
}

/** The site of the tests. */
export const TEST_SITE: Site = {
  name: 'Test',
  zone: 'America/New_York',
  host: 'calendar.example',
  currencySymbol: '$',
  currencyPosition: 'prefix',
  perPageMax: 50,
}

/** The moment at which tests start: 2026-11-20 18:00:00 UTC, 13:00 in the zone of the site. */
export const TEST_NOW = Date.UTC(2026, 10, 20, 18, 0, 0)

const ROLES: readonly Role[] = ['administrator', 'editor', 'author', 'contributor', 'subscriber']

/** Opens the server; everything is closed and removed after the test. */
export async function openLinkedServer(t: TestScope, engine: EngineName = TEST_ENGINE): Promise<LinkedServer> {
  const storage = await openTestStorage(engine, t)
  const clock = { now: TEST_NOW }
  const now = (): number => clock.now
  const book = { storage, now, secret: 'the key of these tests is long enough' }
  const users = new Map<Role, number>()
  const logins = new Map<string, string>()
  for (const role of ROLES) {
    users.set(role, (await addUser(book, { name: role, email: `${role}@example.org`, role })).id)
    const { password } = await addPassword(book, { name: role })
    logins.set(role, `Basic ${Buffer.from(`${role}:${password}`).toString('base64')}`)
  }
  const server = serverOf(storage, { now, secret: book.secret })
  t.after(() => server.close())
  const call: LinkedServer['call'] = async (as, request, { json, query } = {}) => {
    const [method = '', path = ''] = request.split(' ')
    const response = await inject(server, {
      method: method as 'GET',
      url: path.startsWith('http') ? path : `/cal/events/v1${path}`,
      headers: { host: 'calendar.example', ...(logins.has(as) && { authorization: logins.get(as) }) },
      ...(query && { query: { ...query } }),
      ...(json && { payload: json }),
    })
    return { status: response.statusCode, headers: response.headers, body: response.json() }
  }
  return { storage, clock, users, call }
}

function serverOf(storage: Storage, { now, secret }: { now: () => number; secret: string }) {
  const isUser = (id: number): Promise<boolean> => hasUser(storage, id)
  const rooms = [
    openVenues({ pictures: NO_IMAGES, storage, site: TEST_SITE, isUser }),
    openOrganizers({ pictures: NO_IMAGES, storage, site: TEST_SITE, isUser }),
  ]
  const users = userLookup(storage, secret)
  return createServer({
    options: {
      baseUrl: 'https://calendar.example',
      trustedProxies: [],
      corsOrigins: [],
      bodyLimit: 100_000,
      bounds: TEST_BOUNDS,
      siteZone: TEST_SITE.zone,
      iframeHosts: [],
      language: 'en',
      requireIfMatch: false,
    },
    namespaces: [calendarNamespace(rooms.flatMap((room) => room.routes))],
    describe: () => ({}),
    authenticate: (header) => authenticate(header, users),
    now,
    log: createLog({ level: 'silent', now }),
  })
}

/** An event of a test, with the columns that lists of linked items read. */
export interface TestEvent {
  readonly status?: Status
  readonly authorId?: number
  /** UTC text. */
  readonly start: string
  readonly end: string
  readonly passwordHash?: string
  readonly links: readonly { readonly key: LinkedKey; readonly id: number }[]
}

/** Stores an event with its occurrence and relations; its ID. */
export async function addTestEvent(tx: Transaction, event: TestEvent): Promise<number> {
  const { status = 'publish', authorId = 1, start, end, passwordHash = null, links } = event
  const id = await nextEntryId(tx, 'event')
  const times = { start_local: start, end_local: end, start_utc: start, end_utc: end }
  const shared = { published_at: '2026-01-01 00:00:00', status, author_id: authorId, featured: 0, ...times }
  const own = {
    slug: `event-${id}`,
    title: `Event ${id}`,
    timezone: 'UTC',
    modified_at: shared.published_at,
    all_day: 0,
    password_hash: passwordHash,
  }
  await tx.run(tx.db.insertInto('event').values({ ...BLANK_EVENT, id, ...shared, ...own }))
  await tx.run(tx.db.insertInto('occurrence').values({ id, event_id: id, ...shared, span: 1, listed: 1 }))
  for (const [position, link] of links.entries()) {
    const relation = { event_id: id, position }
    if (link.key === 'venue') await tx.run(tx.db.insertInto('event_venue').values({ ...relation, venue_id: link.id }))
    else await tx.run(tx.db.insertInto('event_organizer').values({ ...relation, organizer_id: link.id }))
  }
  return id
}
