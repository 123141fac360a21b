/** Subscriptions of a host that are due, those that wait longest first. */
export interface DueHost {
  readonly host: string
  readonly ids: readonly number[]
}

/** Dependencies of syncs. */
export interface SyncScheduleDeps {
  /** What is due now. */
  due(): Promise<readonly DueHost[]>
  /** Syncs a subscription; whether nothing unexpected has happened. Never rejects. */
  visit(id: number, signal: AbortSignal | undefined): Promise<boolean>
  /** Called when a place is free again, and there may be something to do. */
  freed(): void
  /** Hosts that are asked at the same time. */
  readonly places: number
}

/** Syncs under way: some hosts at a time, and no host for two of its calendars. */
export class SyncSchedule {
  readonly #deps: SyncScheduleDeps
  readonly #under = new Map<string, Promise<void>>()

  constructor(deps: SyncScheduleDeps) {
    this.#deps = deps
  }

  /** Starts due work, as far as there are places; `tried` has what is not to be synced and gets what is. */
  async begin(signal: AbortSignal | undefined, tried: Set<number> = new Set()): Promise<void> {
    for (const { host, ids } of await this.#deps.due()) {
      const fresh = ids.filter((id) => !tried.has(id))
      if (signal?.aborted === true || this.#under.size >= this.#deps.places) return
      if (fresh.length === 0 || this.#under.has(host)) continue
      for (const id of fresh) tried.add(id)
      this.#under.set(host, this.#visitHost({ host, ids: fresh }, signal))
    }
  }

  /** Syncs everything that is due, each subscription once, and waits for that. */
  async all(signal: AbortSignal | undefined): Promise<void> {
    const tried = new Set<number>()
    for (;;) {
      await this.begin(signal, tried)
      if (this.#under.size === 0) return
      await Promise.race(this.#under.values())
    }
  }

  /** Resolves when nothing is under way. */
  async ended(): Promise<void> {
    while (this.#under.size > 0) await Promise.all(this.#under.values())
  }

  async #visitHost({ host, ids }: DueHost, signal: AbortSignal | undefined): Promise<void> {
    let isWell = true
    for (const id of ids) if (signal?.aborted !== true) isWell = (await this.#deps.visit(id, signal)) && isWell
    this.#under.delete(host)
    // What went wrong in an unexpected way is due still: it is left to the next look.
    if (isWell) this.#deps.freed()
  }
}
