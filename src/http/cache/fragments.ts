import type { Dependency, DependencyVersion, Versions } from './versions.ts'

/** Serialised items from which responses to anonymous readers are assembled, as one request may use them. */
export interface Fragments {
  /** Those of one form. Its name must include everything by which the texts of an item differ: the URLs that they contain. */
  of(form: string): FragmentsOfForm
}

/** Serialised items in one form, by their IDs. */
export interface FragmentsOfForm {
  /** The fresh text of an item with its version; undefined if there is none. */
  get(id: number): Fragment | undefined
  /** The same of several items, in their order. */
  all(ids: readonly number[]): (Fragment | undefined)[]
  /** Caches a text of this request. */
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

/** What a bounded map holds, and what it has evicted since the start. */
export interface BoundedStats {
  /** Number of entries. */
  readonly count: number
  /** Bytes that they take, bookkeeping included. */
  readonly size: number
  /** Number of those that went to make room. */
  readonly evicted: number
}

interface Slot<Thing> {
  readonly thing: Thing
  size: number
  /** When it was last moved in the order. */
  at: number
}

/** Room for an entry. */
interface Room<Thing> {
  /** Bytes. */
  readonly size: number
  /** Whether another entry may be evicted for it. */
  mayGo(thing: Thing): boolean
}

/** An entry among the newest of all is not moved when it is used: keeping those in exact order costs more than it gains. */
const NEWEST_PART = 1 / 4

/** Entries by key, bounded in bytes; the least recently used are evicted first. */
export class BoundedMap<Key extends string | number, Thing> {
  /** Bytes that all entries together may take. */
  protected readonly limit: number
  // A Map keeps insertion order: the first key is evicted next.
  readonly #slots = new Map<Key, Slot<Thing>>()
  /** Bytes that they take now. */
  protected size = 0
  #evicted = 0
  #moves = 0

  /** @param limit bytes that all entries together may take */
  constructor(limit: number) {
    this.limit = limit
  }

  /** What it holds and has evicted. */
  get stats(): BoundedStats {
    return { count: this.#slots.size, size: this.size, evicted: this.#evicted }
  }

  /** The entry under a key, which is now among the last to be evicted; undefined if there is none. */
  get(key: Key): Thing | undefined {
    const slot = this.#slots.get(key)
    if (slot === undefined) return undefined
    if (this.#moves - slot.at > this.#slots.size * NEWEST_PART) {
      this.#slots.delete(key)
      this.#place(key, slot)
    }
    return slot.thing
  }

  /** Stores an entry of a size in bytes in place of the one before. */
  put(key: Key, thing: Thing, size: number): void {
    this.remove(key)
    this.#place(key, { thing, size, at: 0 })
    this.size += size
    this.#shrink()
  }

  /** Stores an entry like `put`, but only where it has room once those that are evicted next are gone, of which all may go. */
  protected putWhereRoom(key: Key, thing: Thing, room: Room<Thing>): void {
    if (this.#hasRoom(room, this.#slots.get(key))) this.put(key, thing, room.size)
  }

  #hasRoom({ size, mayGo }: Room<Thing>, replaced: Slot<Thing> | undefined): boolean {
    let free = this.limit - this.size + (replaced?.size ?? 0)
    for (const slot of this.#slots.values()) {
      if (free >= size) break
      if (slot === replaced) continue
      if (!mayGo(slot.thing)) break
      free += slot.size
    }
    return free >= size
  }

  /** Counts further bytes of the entry under a key. */
  grow(key: Key, bytes: number): void {
    const slot = this.#slots.get(key)
    if (slot === undefined) return
    slot.size += bytes
    this.size += bytes
    this.#shrink()
  }

  /** Removes what is stored under a key. */
  remove(key: Key): void {
    const slot = this.#slots.get(key)
    if (slot === undefined) return
    this.#slots.delete(key)
    this.size -= slot.size
  }

  #place(key: Key, slot: Slot<Thing>): void {
    this.#moves += 1
    slot.at = this.#moves
    this.#slots.set(key, slot)
  }

  #shrink(): void {
    for (const key of this.#slots.keys()) {
      if (this.size <= this.limit) return
      this.remove(key)
      this.#evicted += 1
    }
  }
}
