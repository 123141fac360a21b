import { BoundedMap, type BoundedStats } from './bounded-map.ts'
import type { Part, Stamp, Versions } from './versions.ts'

/** Finished texts that answers to anonymous readers are put together from, as one request may use them. */
export interface Fragments {
  /** The text of that name with all that it was made of, undefined when there is none that is still true. */
  get(name: string): Fragment | undefined
  /** Keeps a text that this request has made. The name has to hold the addresses that the text gives out. */
  put(name: string, text: Buffer, parts: readonly Part[]): void
}

/** A text that is kept, and the parts of it. */
export interface Fragment {
  readonly text: Buffer
  readonly stamp: Stamp
}

/** What a text takes beside itself, in bytes: name and books. */
const BESIDE = 512

/** Texts by name, the least recently used going first when they take more than a number of bytes. */
export class FragmentShelf {
  readonly #versions: Versions
  readonly #fragments: BoundedMap<Fragment>
  #hits = 0
  #misses = 0

  /** @param limit bytes that all texts together may take */
  constructor(limit: number, versions: Versions) {
    this.#versions = versions
    this.#fragments = new BoundedMap(limit)
  }

  /** The texts in numbers, and how often one was there that was still true, and how often not. */
  get stats(): BoundedStats & { readonly hits: number; readonly misses: number } {
    return { ...this.#fragments.stats, hits: this.#hits, misses: this.#misses }
  }

  /** See `Fragments.get`. */
  get(name: string): Fragment | undefined {
    const fragment = this.#fragments.get(name)
    if (fragment === undefined || !this.#versions.isCurrent(fragment.stamp)) {
      this.#misses += 1
      if (fragment !== undefined) this.#fragments.remove(name)
      return undefined
    }
    this.#hits += 1
    return fragment
  }

  /** See `Fragments.put`. */
  put(name: string, text: Buffer, parts: readonly Part[]): void {
    this.#fragments.put(name, { text, stamp: this.#versions.stamp(parts) }, text.length + BESIDE)
  }
}
