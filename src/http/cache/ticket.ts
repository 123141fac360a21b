/** The keys under which the response to a request may be cached. */
export interface CacheKey {
  /** Everything that selects a response that does not depend on the language. */
  readonly key: string
  /** The same with the preferred language of the client. */
  readonly spokenKey: string
}

/** A request whose response may be cached, and the state of things when it arrived. */
export interface CacheTicket extends CacheKey {
  /** Unix milliseconds. */
  readonly at: number
  /** Total of changes at that moment. */
  readonly total: number
  /** Lets go of the requests that wait for this response, which will not be cached. */
  readonly ended?: () => void
}
