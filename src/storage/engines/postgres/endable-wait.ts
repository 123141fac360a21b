/**
 * Waiting that can be ended for everybody at once, without leaving anything behind: a race against one shared promise
 * would retain every result as long as that promise is pending, which may be weeks.
 */
export class EndableWait {
  readonly #waiting = new Set<(nothing: undefined) => void>()

  /** How many wait at this moment. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** The result of some work, or what it throws; undefined as soon as waiting is ended, which does not end the work. */
  async wait<T>(work: Promise<T>): Promise<T | undefined> {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    this.#waiting.add(resolve)
    try {
      return await Promise.race([work, promise])
    } finally {
      this.#waiting.delete(resolve)
    }
  }

  /** Ends the waiting of all who wait now. */
  end(): void {
    for (const leave of this.#waiting) leave(undefined)
  }
}
