import { BoundedMap, type BoundedStats } from './bounded-map.ts'
import type { Dependency, DependencyVersion, Versions } from './versions.ts'

/** Serialised items from which responses to anonymous readers are assembled, as one request may use them. */
export interface Fragments {
  /** Those of one form. Its name must include everything by which the texts of an item differ: the URLs that they contain. */
  of(form: string): FragmentsOfForm
}

/** Serialised items in one form, by their ids. */
export interface FragmentsOfForm {
  /** The fresh text of an item with its version; undefined when there is none. */
  get(id: number): Fragment | undefined
  /** The same of several items, in their order. */
  all(ids: readonly number[]): (Fragment | undefined)[]
  /** Caches a text that this request has made. */
  put(id: number, text: Buffer, dependencies: readonly Dependency[]): void
}

/** A cached text, and the version of its dependencies. */
export interface Fragment {
  readonly text: Buffer
  readonly version: DependencyVersion
}

/** Bookkeeping of a text, in bytes. */
const OVERHEAD = 512

/** Most forms that are cached. A site has few hosts, and each has few base URLs of the API. */
const FORMS = 1024

/** Texts by form and item, bounded in bytes; the least recently used are evicted first. */
export class FragmentStore {
  readonly #versions: Versions
  /** By number, which is a faster key than a string: see `keyOf`. */
  readonly #fragments: BoundedMap<number, Fragment>
  readonly #forms = new Map<string, number>()
  #hits = 0
  #misses = 0

  /** @param limit bytes that all texts together may take */
  constructor(limit: number, versions: Versions) {
    this.#versions = versions
    this.#fragments = new BoundedMap(limit)
  }

  /** How many texts there are, and how often a fresh one was found or not. */
  get stats(): BoundedStats & { readonly hits: number; readonly misses: number } {
    return { ...this.#fragments.stats, hits: this.#hits, misses: this.#misses }
  }

  /**
   * The texts of one form, see `Fragments.of`; it counts as one of `FORMS` once one of its texts is cached. With a `total`
   * of changes none is cached after another one: that may or may not be in the text.
   */
  of(form: string, total?: number): FragmentsOfForm {
    return {
      get: (id) => this.#get(this.#forms.get(form), id),
      all: (ids) => ids.map((id) => this.#get(this.#forms.get(form), id)),
      put: (id, text, dependencies) => {
        if (total !== undefined && this.#versions.total !== total) return
        this.#put(this.#numberOf(form), id, { text, version: this.#versions.versionOf(dependencies) })
      },
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
    const fragment = form === undefined ? undefined : this.#fresh(keyOf(form, id))
    if (fragment === undefined) this.#misses += 1
    else this.#hits += 1
    return fragment
  }

  #fresh(key: number): Fragment | undefined {
    const fragment = this.#fragments.get(key)
    if (fragment === undefined || this.#versions.isFresh(fragment.version)) return fragment
    this.#fragments.remove(key)
    return undefined
  }

  #put(form: number | undefined, id: number, fragment: Fragment): void {
    if (form !== undefined) this.#fragments.put(keyOf(form, id), fragment, fragment.text.length + OVERHEAD)
  }
}

function keyOf(form: number, id: number): number {
  return id * FORMS + form
}
