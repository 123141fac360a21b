import type { ShelfStats } from './shelf.ts'
import type { Part, Stamp, Versions } from './versions.ts'

/** Finished texts that answers to anonymous readers are put together from, as one request may use them. */
export interface Fragments {
  /** The text of that name, undefined when there is none that is still true. */
  get(name: string): Buffer | undefined
  /** Keeps a text that this request has made. The name has to hold the addresses that the text gives out. */
  put(name: string, text: Buffer, parts: readonly Part[]): void
}

interface Fragment {
  readonly text: Buffer
  readonly stamp: Stamp
}

/** What a text takes beside itself, in bytes: name and books. */
const BESIDE = 512

/** Texts by name, the least recently used going first when they take more than a number of bytes. */
export class FragmentShelf {
  readonly #limit: number
  readonly #versions: Versions
  readonly #fragments = new Map<string, Fragment>()
  #size = 0
  #evicted = 0
  #hits = 0
  #misses = 0

  /** @param limit bytes that all texts together may take */
  constructor(limit: number, versions: Versions) {
    this.#limit = limit
    this.#versions = versions
  }

  /** The texts in numbers, and how often one was there that was still true, and how often not. */
  get stats(): ShelfStats & { readonly hits: number; readonly misses: number } {
    const books = { count: this.#fragments.size, size: this.#size, evicted: this.#evicted }
    return { ...books, hits: this.#hits, misses: this.#misses }
  }

  /** See `Fragments.get`. */
  get(name: string): Buffer | undefined {
    const fragment = this.#take(name)
    if (fragment === undefined || !this.#versions.isCurrent(fragment.stamp)) {
      this.#misses += 1
      return undefined
    }
    this.#hits += 1
    this.#add(name, fragment)
    return fragment.text
  }

  /** See `Fragments.put`. */
  put(name: string, text: Buffer, parts: readonly Part[]): void {
    this.#take(name)
    this.#add(name, { text, stamp: this.#versions.stamp(parts) })
    for (const oldest of this.#fragments.keys()) {
      if (this.#size <= this.#limit) return
      this.#take(oldest)
      this.#evicted += 1
    }
  }

  #add(name: string, fragment: Fragment): void {
    this.#fragments.set(name, fragment)
    this.#size += fragment.text.length + BESIDE
  }

  #take(name: string): Fragment | undefined {
    const fragment = this.#fragments.get(name)
    if (fragment === undefined) return undefined
    this.#fragments.delete(name)
    this.#size -= fragment.text.length + BESIDE
    return fragment
  }
}
