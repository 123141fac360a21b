import type { Fragments } from './fragments.ts'

/** The keys under which the response to a request may be cached, and what they say of the client. */
export interface CacheKey {
  /** Everything that selects a response that does not depend on the language. */
  readonly key: string
  /** The same with the preferred language of the client, and the day on which its weeks start. */
  readonly spokenKey: string
  /** The media type beside JSON that it prefers; '' for JSON. */
  readonly type: string
  /** The language that it prefers; '' when it names none that we have. */
  readonly language: string
  /** On which day weeks start in its region, 0 for Sunday; undefined when it names none. */
  readonly weekday: number | undefined
}

/** A request whose response may be cached, and the state of things when it arrived. */
export interface CacheTicket extends CacheKey {
  /** Unix milliseconds. */
  readonly at: number
  /** Total of changes at that moment. */
  readonly total: number
  /** The texts that its response may be assembled from. */
  readonly fragments: Fragments
  /** Lets go of the requests that wait for this response, which will not be cached. */
  readonly ended?: () => void
}
