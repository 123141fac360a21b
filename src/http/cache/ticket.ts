/** Under which keys the response to a request may be cached. */
export interface CacheKey {
  /** Everything that decides about a response whose texts are in no language. */
  readonly key: string
  /** The same with the language that the client prefers. */
  readonly spokenKey: string
}

/** A request whose response may be cached, and how things stood when it came. */
export interface CacheTicket extends CacheKey {
  /** Unix milliseconds. */
  readonly at: number
  /** All changes until then. */
  readonly total: number
}
