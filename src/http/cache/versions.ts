/** What responses depend on: the resources, by their names in the journal. */
export const DEPENDENCY_KINDS = ['event', 'venue', 'organizer', 'category', 'tag', 'media', 'site'] as const

/** A kind of dependency. */
export type DependencyKind = (typeof DEPENDENCY_KINDS)[number]

/** One item that a response depends on, or all items of a kind when there is no ID. */
export interface ItemDependency {
  readonly of: DependencyKind
  readonly id?: number
  /** With all items of a kind: the response does not show event counts, which change without a write to the item. */
  readonly uncounted?: true
  /** With all items of a kind: only which items are on lists, and in which order, not what is shown of them. */
  readonly listed?: true
}

/** Something that a response depends on. A version stands for all its dependencies. */
export type Dependency = ItemDependency | DependencyVersion

/** Everything that a response can depend on. */
export const ALL_DEPENDENCIES: readonly Dependency[] = DEPENDENCY_KINDS.map((of) => ({ of }))

/** The version of some dependencies at one moment; a response from then is fresh until one of them changes. */
export interface DependencyVersion {
  readonly cells: readonly number[]
  readonly sum: number
  /** Versions that it includes: checked once for all lists that share a fragment. */
  readonly within: readonly DependencyVersion[]
  /** The total of changes at the last check that found it fresh, so that no change is checked twice. */
  total: number
}

const KINDS: readonly string[] = DEPENDENCY_KINDS

/** The items of a kind share this many counters: now and then a change to one invalidates the response of another. */
const ITEM_CELLS = 8192

/** The counters of a kind: any change, any but to counts, changes to lists, changes that may affect any item; then those of its items. */
const CELL = { any: 0, uncounted: 1, listed: 2, each: 3, items: 4 } as const

const KIND_CELLS = CELL.items + ITEM_CELLS

/**
 * Counts the changes to all dependencies in a fixed amount of memory. Counters only grow, so the sum of some of them stays
 * the same exactly as long as none of them changes.
 */
export class Versions {
  readonly #cells = new Float64Array(DEPENDENCY_KINDS.length * KIND_CELLS)
  #total = 0

  /** Number of all changes so far. */
  get total(): number {
    return this.#total
  }

  /**
   * Records that an item was created, changed or deleted; `isRelisted` is false where no list gains, loses or moves an item.
   * Ignores names that no response depends on.
   */
  change(name: string, id: number, isRelisted = true): void {
    const cells = [CELL.any, CELL.uncounted, itemCell(id)]
    this.#record(name, isRelisted ? [...cells, CELL.listed] : cells)
  }

  /** Records that the event count of an item has changed. */
  recount(name: string, id: number): void {
    this.#record(name, [CELL.any, itemCell(id)])
  }

  /** Records that the event count of any item of a kind may have changed. */
  recountAll(name: DependencyKind): void {
    this.#record(name, [CELL.any, CELL.each])
  }

  /** Records that any item of a kind may have changed. */
  changeAll(name: DependencyKind): void {
    this.#record(name, [CELL.any, CELL.uncounted, CELL.listed, CELL.each])
  }

  /** Records that anything may have changed. */
  changeEverything(): void {
    for (const name of DEPENDENCY_KINDS) this.changeAll(name)
  }

  /** The present version of some dependencies. */
  versionOf(dependencies: readonly Dependency[]): DependencyVersion {
    // Everything names the site somewhere.
    const counted = new Set<number>(cellsOf({ of: 'site' }))
    const within: DependencyVersion[] = []
    for (const dependency of dependencies) {
      if ('cells' in dependency) within.push(dependency)
      else for (const cell of cellsOf(dependency)) counted.add(cell)
    }
    const cells = [...counted]
    return { cells, sum: this.#sum(cells), within, total: this.#total }
  }

  /** Whether none of the dependencies of a version has changed since it was taken. */
  isFresh(version: DependencyVersion): boolean {
    if (version.total === this.#total) return true
    if (this.#sum(version.cells) !== version.sum) return false
    if (!version.within.every((one) => this.isFresh(one))) return false
    version.total = this.#total
    return true
  }

  #record(name: string, cells: readonly number[]): void {
    const kind = KINDS.indexOf(name)
    if (kind < 0) return
    this.#total += 1
    for (const cell of cells) this.#cells[kind * KIND_CELLS + cell] = (this.#cells[kind * KIND_CELLS + cell] ?? 0) + 1
  }

  #sum(cells: readonly number[]): number {
    let sum = 0
    for (const cell of cells) sum += this.#cells[cell] ?? 0
    return sum
  }
}

function cellsOf({ of, id, uncounted, listed }: ItemDependency): Iterable<number> {
  const first = DEPENDENCY_KINDS.indexOf(of) * KIND_CELLS
  if (id === undefined) return [first + (listed ? CELL.listed : uncounted ? CELL.uncounted : CELL.any)]
  return [first + CELL.each, first + itemCell(id)]
}

function itemCell(id: number): number {
  return CELL.items + (id % ITEM_CELLS)
}
