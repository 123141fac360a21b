import type { Caller } from '../auth/caller.ts'
import type { Incoming } from './dispatch.ts'
import type { Urls } from './urls.ts'

/** An HTML answer for people. */
export interface PageAnswer {
  readonly status: number
  /** The whole document. */
  readonly html: string
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * A page of the site: an address with `:name` segments (`*` at the end for the rest) and what it shows. It answers with
 * and without a slash at its end.
 */
export interface Page {
  readonly path: string
  show(incoming: Incoming): Promise<PageAnswer>
}

/** A request for a page that failed. */
export interface PageFailure {
  readonly status: number
  /** Code of the error: `incorrect_password`. */
  readonly code: string
  /** For people, in English. */
  readonly message: string
  readonly urls: Urls
}

/** The pages of the site. */
export interface Pages {
  readonly pages: readonly Page[]
  /** The page of an address that names nothing. */
  missing(incoming: Incoming): PageAnswer
  /** The page of a request that failed before or while its page was made. */
  failed(failure: PageFailure): PageAnswer
}

/** Headers of a page that not everybody may see. */
export const PRIVATE_PAGE: Readonly<Record<string, string>> = { 'cache-control': 'private, no-store' }

/** Headers of a page; those who gave credentials may see more, so nobody else keeps it. */
export function pageHeaders(answer: PageAnswer, caller: Caller): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'x-content-type-options': 'nosniff',
    ...(caller.id !== 0 && PRIVATE_PAGE),
    ...answer.headers,
  }
}
