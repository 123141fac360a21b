import type { Caller } from '../auth/caller.ts'
import type { Logger } from '../log.ts'
import type { AnswerCache } from './cache/answer-cache.ts'
import type { Idempotency } from './idempotency/idempotency.ts'
import type { Pages } from './page.ts'
import type { AccessLog } from './request/access-log.ts'
import type { ClientLimits } from './request/client-limits.ts'
import type { WritingProcess } from './request/hand-over.ts'
import type { ServerRequest } from './request/server-request.ts'
import type { ServedFiles } from './response/served-file.ts'
import type { AnyRoute, Call } from './route.ts'
import type { Space } from './space.ts'

/** What all clients together may take at a time. */
export interface Bounds {
  readonly connections: number
  /** Connections of one client address. */
  readonly clientConnections: number
  /** Requests that are not answered yet; one client may have a quarter of them. */
  readonly requests: number
  /** Bytes of request bodies in memory. */
  readonly bodyBytes: number
}

/** What the server needs to know of its deployment. */
export interface ServerOptions {
  /** Public base address without a slash at its end; '' to use the host of the request. */
  readonly baseUrl: string
  /** Addresses or networks whose X-Forwarded-* headers are believed. */
  readonly trustedProxies: readonly string[]
  /** Origins that may send credentials from scripts. */
  readonly corsOrigins: readonly string[]
  /** Largest request body, in bytes; routes that take files have their own. */
  readonly bodyLimit: number
  /** What clients may take of the server at a time. */
  readonly bounds: Bounds
  readonly siteZone: string
  /** Hosts whose frames are kept in descriptions. */
  readonly iframeHosts: readonly string[]
  readonly language: string
  /** Whether updates and deletions of items have to send `If-Match`. */
  readonly requireIfMatch: boolean
}

/** A request that was answered, for statistics: few different values of each member. */
export interface Timed {
  /** Template of the route with its namespace, `/cal/events/v1/events/:id`; `none` where there is no route. */
  readonly route: string
  readonly method: string
  /** The class of the status: `2xx`. */
  readonly status: string
}

/** What the server serves. */
export interface ServerParts {
  readonly options: ServerOptions
  /** The namespaces with their routes. */
  readonly spaces: readonly Space[]
  /** Routes above the namespaces; their paths are internal addresses. */
  readonly above?: readonly AnyRoute[]
  /** The site beside the API; without it everything that is no route is answered as JSON. */
  readonly site?: Pages
  /** Files that the site serves. */
  readonly files?: ServedFiles
  /** Answers that are kept; without it each is made anew. */
  readonly cache?: AnswerCache
  /** Describes the routes of one path: the answer of OPTIONS. */
  describe(path: string, routes: readonly AnyRoute[], call: Call): unknown
  /** Reads the Authorization header of a request. @throws 401 failures, rest_too_many_requests */
  authenticate(header: string | undefined, request: ServerRequest): Promise<Caller>
  /** Budgets of clients; without them nothing is counted. */
  readonly limits?: ClientLimits
  /** Answers writes with an Idempotency-Key once; without it the header means nothing. */
  readonly idempotency?: Idempotency
  now(): number
  /** Where writes are done; without it here. */
  readonly writing?: WritingProcess
  /** Highest number of the journal that is known; answers to writes carry it. */
  seq?(): number
  /** Waits, not for long, until a number is known that a client was told. */
  reach?(seq: number): Promise<void>
  /** Begins to time a request that the cache does not answer; what it returns takes the request when it was answered. */
  readonly timer?: (() => (timed: Timed) => void) | undefined
  /** Tells of every request that was answered; undefined when nobody wants to know. */
  readonly access?: AccessLog | undefined
  readonly log: Logger
}
