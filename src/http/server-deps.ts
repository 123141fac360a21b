import type { Logger } from '../base/log.ts'
import type { Caller } from './auth/rights.ts'
import type { ResponseCache } from './cache/response-cache.ts'
import type { Pages } from './html-page.ts'
import type { Idempotency } from './idempotency/idempotency.ts'
import type { Namespace } from './namespace.ts'
import type { ClientLimits } from './request/client-limits.ts'
import type { UnreadBytes } from './request/clients.ts'
import type { ServerRequest } from './request/server-request.ts'
import type { EventStreams } from './response/event-streams.ts'
import type { ServedFiles } from './response/served-file.ts'
import type { RoutedPath } from './route/path-handler.ts'
import type { AnyRoute, Call } from './route.ts'

/** What all clients together may use at a time. */
export interface Bounds {
  readonly connections: number
  /** Connections of one client address. */
  readonly clientConnections: number
  /** Requests that are not answered yet; one client may have a quarter of them. */
  readonly requests: number
  /** Bytes of request bodies in memory. */
  readonly bodyBytes: number
  /** Milliseconds in which nothing moves on a connection until it ends; also the time that a response may take to start. */
  readonly stillness: number
}

/** What the server needs to know of its deployment. */
export interface ServerOptions {
  /** Public base address without a slash at its end; '' to use the host of the request. */
  readonly baseUrl: string
  /** Addresses or networks whose X-Forwarded-* headers are trusted. */
  readonly trustedProxies: readonly string[]
  /** Origins that may send credentials from scripts. */
  readonly corsOrigins: readonly string[]
  /** Largest request body, in bytes; routes that take files have their own. */
  readonly bodyLimit: number
  /** What clients may use of the server at a time. */
  readonly bounds: Bounds
  readonly siteZone: string
  /** Hosts whose frames stay in descriptions. */
  readonly iframeHosts: readonly string[]
  readonly language: string
  /** Whether people may sign in over plain HTTP from other machines. */
  readonly plainSessions?: boolean
  /** Whether updates and deletions of items have to send `If-Match`. */
  readonly requireIfMatch: boolean
}

/** A request that was answered, for statistics: few different values of each member. */
export interface TimedRequest {
  /** Template of the route with its namespace, `/cal/events/v1/events/:id`; `none` where there is no route. */
  readonly route: string
  readonly method: string
  /** The class of the status: `2xx`. */
  readonly status: string
}

/** What the server serves. */
export interface ServerDeps {
  /** Responses that continue; the server sets them up. */
  readonly streams?: EventStreams
  /** What clients have not read; the server counts it. */
  readonly unread?: UnreadBytes
  readonly options: ServerOptions
  /** The namespaces with their routes. */
  readonly namespaces: readonly Namespace[]
  /** Routes above the namespaces; their paths are internal addresses. */
  readonly above?: readonly AnyRoute[]
  /** The site beside the API; without it everything that is no route gets a JSON response. */
  readonly site?: Pages
  /** Paths beside the API and the site, which respond in forms of their own. */
  further?(deps: ServerDeps): readonly RoutedPath[]
  /** Files that the site serves. */
  readonly files?: ServedFiles
  /** Cached responses; without it each is rebuilt. */
  readonly cache?: ResponseCache
  /** Describes the routes of one path: the response of OPTIONS. */
  describe(path: string, routes: readonly AnyRoute[], call: Call): unknown
  /**
   * The sender of a request, by its Authorization header, or else by the session in its cookie.
   * @throws 401 failures, rest_too_many_requests
   */
  authenticate(header: string | undefined, request: ServerRequest): Promise<Caller>
  /**
   * The same later on, for a request whose credentials were right: nothing is counted or logged where they are so no
   * more. Absent where nothing is counted anyway.
   */
  authenticateAgain?(header: string | undefined, request: ServerRequest): Promise<Caller>
  /** Budgets of clients; without them nothing is counted. */
  readonly limits?: ClientLimits
  /** Runs writes with an Idempotency-Key once; without it the header is ignored. */
  readonly idempotency?: Idempotency
  now(): number
  /** Highest known number of the journal; responses to writes carry it. */
  seq?(): number
  /** The cursor of a moment from which on reads see all that it covers; lists carry it. */
  cursor?(): Promise<string>
  /** Waits briefly until a number is known that a client has seen. */
  reach?(seq: number): Promise<void>
  /**
   * Starts to time a request that the cache does not serve; the returned function takes the request when its response
   * was sent.
   */
  readonly timer?: (() => (timed: TimedRequest) => void) | undefined
  readonly log: Logger
}
