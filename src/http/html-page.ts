import type { Mount, Urls } from './address.ts'
import type { LogInWatch } from './auth/authenticate.ts'
import type { Caller } from './auth/rights.ts'
import type { ServerRequest } from './request/server-request.ts'
import type { Freshness, Incoming } from './route.ts'

/** What an address of the site responds with: a page for people, or a file such as a feed or a script. */
export interface PageResponse {
  readonly status: number
  /** The whole document. */
  readonly body: string | Buffer
  /** Instead of the body: parts that are produced while it is sent. */
  readonly chunks?: AsyncIterable<Buffer> | undefined
  /** Media type with its parameters; HTML if absent. */
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  /** How long anonymous readers may be sent it again; absent where it is rebuilt each time. */
  readonly freshness?: Freshness | undefined
}

/**
 * A page of the site: an address with `:name` segments (`*` at the end for the rest) and what it shows. It answers with
 * and without a slash at its end.
 */
export interface Page {
  readonly path: string
  /**
   * Whether a request uses up no budget, by its path parameters: for files in memory, without which even the page that
   * refuses a client is unreadable. None does if absent.
   */
  isUncounted?(path: Incoming['path']): boolean
  show(incoming: Incoming): Promise<PageResponse>
}

/** A request for a page that takes forms. */
export interface FormRequest {
  readonly method: 'GET' | 'POST'
  /** With the body of a form, and the first file in it, once its token was right. */
  readonly incoming: Incoming
  readonly http: ServerRequest
  /** Token for the forms of the page; '' without a session. */
  readonly csrf: string
  /** Watches over the credentials that are tried; absent where nothing is counted. */
  readonly watch?: LogInWatch
  /** Counts an event that a visitor submits. @throws rest_too_many_requests */
  countSubmission(): Promise<void>
}

/** What forms are counted as: those of visitors who submit events, and those of forgotten passwords. */
export type FormBudget = 'forms' | 'resets'

/** A page with forms, for one reader; it is never stored. Paths as in `Page`; POST goes to the same URL. */
export interface FormPage {
  readonly path: string
  /** Whether it takes forms only: GET of the same path is a `Page`. */
  readonly isPostOnly?: boolean
  /** Largest body in bytes, where it may be larger than that of other requests. */
  readonly bodyLimit?: number
  /** Largest body of someone without credentials, in bytes, where it may be larger than that of other requests. */
  readonly anonymousBodyLimit?: number
  /** Whether the page is there at the moment; it always is if absent. */
  isThere?(): boolean
  /** The budget from which each form that is sent is taken for its client, before its body is read; absent for none. */
  readonly formBudget?: FormBudget
  /** Whether each request is charged as one of the reads that take long. */
  readonly isCostly?: boolean
  respond(asked: FormRequest): Promise<PageResponse>
}

/** A request for a page that failed. */
export interface PageFailure {
  readonly status: number
  /** Code of the error: `incorrect_password`. */
  readonly code: string
  /** For people, in the language of the request. */
  readonly message: string
  readonly language: string
  readonly urls: Urls
  /** What the address starts with: the links of the page stay in its language. */
  readonly mount: Mount
}

/** The pages of the site. */
export interface Pages {
  readonly pages: readonly Page[]
  readonly forms?: readonly FormPage[]
  /** The page of an address that names nothing. */
  notFound(incoming: Incoming): PageResponse
  /** Where the page of an address is below which nothing was found; undefined when it is nowhere. `target` is as requested. */
  moved?(target: string, incoming: Incoming): Promise<PageResponse | undefined>
  /** The page of a request that failed before or during rendering. */
  failed(failure: PageFailure): PageResponse
}

/** Headers of a page that not everybody may see. */
export const PRIVATE_PAGE: Readonly<Record<string, string>> = { 'cache-control': 'private, no-store' }

/** Headers of a page; users with credentials may see more, so their pages are not cached. */
export function pageHeaders(response: PageResponse, caller: Caller): Readonly<Record<string, string>> {
  return {
    'content-type': response.type ?? 'text/html; charset=utf-8',
    'x-content-type-options': 'nosniff',
    vary: 'Accept-Language',
    ...(caller.id !== 0 && PRIVATE_PAGE),
    ...response.headers,
  }
}
