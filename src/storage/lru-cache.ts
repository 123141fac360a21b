/**
 * A bounded map by text: the value that was not used for the longest time gives way. While it is not half full nothing
 * can go soon, and the order of use is not kept.
 */
export class LruCache<Value> {
  readonly #limit: number
  readonly #dropped: (value: Value) => void
  // A Map keeps the order of insertion: the first key is the one that was used least recently.
  readonly #values = new Map<string, Value>()

  /** @param limit most values @param dropped is told of each value that gives way */
  constructor(limit: number, dropped: (value: Value) => void = () => undefined) {
    this.#limit = limit
    this.#dropped = dropped
  }

  /** Number of values now; never more than the limit. */
  get size(): number {
    return this.#values.size
  }

  /** The value of a key, which is now the last to go; undefined when there is none. */
  get(key: string): Value | undefined {
    const value = this.#values.get(key)
    if (value === undefined || this.#values.size < this.#limit / 2) return value
    this.#values.delete(key)
    this.#values.set(key, value)
    return value
  }

  /** Stores a value in place of the one before it. */
  set(key: string, value: Value): void {
    this.#values.delete(key)
    this.#values.set(key, value)
    if (this.#values.size <= this.#limit) return
    const [oldest] = this.#values
    if (oldest === undefined) return
    this.#values.delete(oldest[0])
    this.#dropped(oldest[1])
  }

  /** The value of a key, made and stored when there is none; what `make` throws is thrown, and nothing is stored. */
  getOrMake(key: string, make: () => Value): Value {
    const known = this.get(key)
    if (known !== undefined) return known
    const made = make()
    this.set(key, made)
    return made
  }

  /** Removes the value of a key if it is this one. */
  removeIf(key: string, value: Value): void {
    if (this.#values.get(key) === value) this.#values.delete(key)
  }

  /** Forgets everything and tells nobody. */
  clear(): void {
    this.#values.clear()
  }
}
