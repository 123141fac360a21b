import type { Failure } from '../../base/errors.ts'
import type { ServerRequest } from '../request/server-request.ts'
import type { HttpResponse } from '../response/http-response.ts'
import type { Method } from '../route.ts'

/** What responds to the requests of one path. */
export interface PathHandler {
  /** As statistics name it: `/cal/events/v1/events/:id`; `none` where there is no route. */
  readonly name: string
  /** Largest body, in bytes. */
  readonly bodyLimit: number
  /** Largest body of a caller without valid credentials, in bytes; `ANONYMOUS_BODY_LIMIT` where absent. */
  readonly anonymousBodyLimit?: number
  /** Whether a request is exempt from the limits of its client; none is where absent. */
  isUncounted?(request: ServerRequest): boolean
  /** Whether the path leads anywhere at the moment; it always does where absent. */
  isThere?(): boolean
  /** Called before the body is read: whether it has responded already. */
  precheck?(request: ServerRequest): Promise<boolean>
  respond(request: ServerRequest): Promise<void>
  /** The response to a request that failed; that of a page or of the API where absent. */
  failed?(request: ServerRequest, failure: Failure): HttpResponse
}

/** A target with its path, which has `:name` segments, or `*` at its end for the rest. */
export interface RoutedPath {
  readonly methods: readonly (Method | 'HEAD' | 'OPTIONS')[]
  readonly path: string
  readonly target: PathHandler
}
