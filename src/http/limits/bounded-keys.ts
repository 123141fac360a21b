/** Most keys that are remembered, 20,000 take about 3 MB, and the share that stays when there are more. */
const MOST = 20_000
const KEPT = 17_500

/** Remembers keys for a time, those that were added last when there are too many. */
export class BoundedKeys {
  readonly #now: () => number
  readonly #keepFor: number
  /** When each is forgotten; the order is that of the addition. */
  readonly #until = new Map<string, number>()

  /** `keepFor` in milliseconds. */
  constructor({ now, keepFor }: { readonly now: () => number; readonly keepFor: number }) {
    this.#now = now
    this.#keepFor = keepFor
  }

  /** Number of keys. */
  get size(): number {
    return this.#until.size
  }

  has(key: string): boolean {
    return (this.#until.get(key) ?? -Infinity) > this.#now()
  }

  /** Remembers a key from now on for the whole time. */
  add(key: string): void {
    this.#until.delete(key)
    const now = this.#now()
    this.#until.set(key, now + this.#keepFor)
    if (this.#until.size > MOST) this.#dropOld(now)
  }

  delete(key: string): void {
    this.#until.delete(key)
  }

  /** Many at once, because a Map scans the places of removed ones. */
  #dropOld(now: number): void {
    for (const [key, until] of this.#until) if (until <= now || this.#until.size > KEPT) this.#until.delete(key)
  }
}
