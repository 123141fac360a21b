/**
 * A bounded store of prepared statements by text. The one that was not asked for the longest time gives way; `drop` is
 * told of it. SQLite frees it when it is collected as garbage, a server has to be asked.
 */
export class StatementCache<Prepared> {
  readonly #limit: number
  readonly #prepare: (sql: string) => Prepared
  readonly #drop: (prepared: Prepared) => void
  // A Map keeps the order of insertion: the first key is the one that was used least recently.
  readonly #kept = new Map<string, Prepared>()

  constructor(limit: number, prepare: (sql: string) => Prepared, drop: (prepared: Prepared) => void = () => undefined) {
    this.#limit = limit
    this.#prepare = prepare
    this.#drop = drop
  }

  /** Number of statements kept now; never more than the limit. */
  get size(): number {
    return this.#kept.size
  }

  /** The statement for the text, prepared when it is not kept. Throws what preparing throws, and keeps nothing then. */
  get(sql: string): Prepared {
    const kept = this.#kept.get(sql)
    if (kept !== undefined) this.#kept.delete(sql)
    const prepared = kept ?? this.#prepare(sql)
    this.#kept.set(sql, prepared)
    if (this.#kept.size > this.#limit) this.#dropOldest()
    return prepared
  }

  /** Forgets everything and tells nobody. */
  clear(): void {
    this.#kept.clear()
  }

  #dropOldest(): void {
    const oldest = this.#kept.entries().next()
    if (oldest.done) return
    const [sql, prepared] = oldest.value
    this.#kept.delete(sql)
    this.#drop(prepared)
  }
}
