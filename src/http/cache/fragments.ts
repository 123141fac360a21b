import { BoundedMap, type BoundedStats } from './bounded-map.ts'
import type { Part, Stamp, Versions } from './versions.ts'

/** Finished texts that answers to anonymous readers are put together from, as one request may use them. */
export interface Fragments {
  /** Those of one form. Its name has to hold all that the texts of an item differ by: the addresses that they give out. */
  of(form: string): FragmentsOfForm
}

/** Finished texts in one form, by the ids of the items that they show. */
export interface FragmentsOfForm {
  /** The text of an item with all that it was made of, undefined when there is none that is still true. */
  get(id: number): Fragment | undefined
  /** Keeps a text that this request has made. */
  put(id: number, text: Buffer, parts: readonly Part[]): void
}

/** A text that is kept, and the parts of it. */
export interface Fragment {
  readonly text: Buffer
  readonly stamp: Stamp
}

/** What a text takes beside itself, in bytes: its books. */
const BESIDE = 512

/** Forms that are kept; texts of others are not. A site has few hosts, and each has few addresses for the API. */
const FORMS = 1024

/** Texts by form and item, the least recently used going first when they take more than a number of bytes. */
export class FragmentStore {
  readonly #versions: Versions
  /** By numbers, which are found faster than texts: see `keyOf`. */
  readonly #fragments: BoundedMap<number, Fragment>
  readonly #forms = new Map<string, number>()
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

  /** The texts of one form, see `Fragments.of`; it counts as one of `FORMS` as soon as one of its texts is kept. */
  of(form: string): FragmentsOfForm {
    return {
      get: (id) => this.#get(this.#forms.get(form), id),
      put: (id, text, parts) => this.#put(this.#numberOf(form), id, { text, stamp: this.#versions.stamp(parts) }),
    }
  }

  #numberOf(form: string): number | undefined {
    const known = this.#forms.get(form)
    if (known !== undefined) return known
    const number = this.#forms.size
    if (number === FORMS) return undefined
    this.#forms.set(form, number)
    return number
  }

  #get(form: number | undefined, id: number): Fragment | undefined {
    const fragment = form === undefined ? undefined : this.#current(keyOf(form, id))
    if (fragment === undefined) this.#misses += 1
    else this.#hits += 1
    return fragment
  }

  #current(key: number): Fragment | undefined {
    const fragment = this.#fragments.get(key)
    if (fragment === undefined || this.#versions.isCurrent(fragment.stamp)) return fragment
    this.#fragments.remove(key)
    return undefined
  }

  #put(form: number | undefined, id: number, fragment: Fragment): void {
    if (form !== undefined) this.#fragments.put(keyOf(form, id), fragment, fragment.text.length + BESIDE)
  }
}

function keyOf(form: number, id: number): number {
  return id * FORMS + form
}
