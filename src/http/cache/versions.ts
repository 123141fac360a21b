/** What answers are made of: the resources by the names that the journal gives them. */
export const PART_NAMES = ['event', 'venue', 'organizer', 'category', 'tag', 'media'] as const

/** Name of a kind of parts. */
export type PartName = (typeof PART_NAMES)[number]

/** Something that an answer was made of: one item, or everything of a kind when there is no id. */
export interface Part {
  readonly of: PartName
  readonly id?: number
}

/** Everything that answers are made of. */
export const ALL_PARTS: readonly Part[] = PART_NAMES.map((of) => ({ of }))

/** The parts of an answer as they were when it was begun; it is true as long as none of them has changed. */
export interface Stamp {
  readonly cells: Uint32Array
  readonly sum: number
}

const KINDS: readonly string[] = PART_NAMES

/** Items share this many counters of their kind: a change of one now and then costs another its kept answer. */
const ITEM_CELLS = 1024

/** Counters of a kind: one for everything of it, then those of its items. */
const KIND_CELLS = 1 + ITEM_CELLS

/**
 * Counts the changes of all parts, in memory of a fixed size. Counters only grow, so a sum of some of them is the same
 * exactly as long as none of them has changed.
 */
export class Versions {
  readonly #cells = new Float64Array(PART_NAMES.length * KIND_CELLS)
  #total = 0
  #changes = 0

  /** Number of all changes so far. */
  get total(): number {
    return this.#total
  }

  /** How often a change was noted: of one item, or of everything of a kind. */
  get changes(): number {
    return this.#changes
  }

  /** Notes that an item was made, changed or deleted. Names that no answer is made of are passed over. */
  change(name: string, id: number): void {
    const kind = KINDS.indexOf(name)
    if (kind < 0) return
    this.#changes += 1
    this.#count(kind * KIND_CELLS)
    this.#count(cellOf(kind, id))
  }

  /** Notes that any item of a kind may have changed. */
  changeAll(name: PartName): void {
    const first = PART_NAMES.indexOf(name) * KIND_CELLS
    this.#changes += 1
    for (let cell = first; cell < first + KIND_CELLS; cell += 1) this.#count(cell)
  }

  /** Notes that anything may have changed. */
  changeEverything(): void {
    for (const name of PART_NAMES) this.changeAll(name)
  }

  /** The parts as they are now. */
  stamp(parts: readonly Part[]): Stamp {
    const cells = new Set(parts.map((part) => cellOf(PART_NAMES.indexOf(part.of), part.id)))
    const stamp = { cells: Uint32Array.from(cells), sum: 0 }
    return { ...stamp, sum: this.#sum(stamp) }
  }

  /** Whether nothing that a stamp names has changed since it was taken. */
  isCurrent(stamp: Stamp): boolean {
    return this.#sum(stamp) === stamp.sum
  }

  #count(cell: number): void {
    this.#cells[cell] = (this.#cells[cell] ?? 0) + 1
    this.#total += 1
  }

  #sum({ cells }: Stamp): number {
    let sum = 0
    for (const cell of cells) sum += this.#cells[cell] ?? 0
    return sum
  }
}

function cellOf(kind: number, id: number | undefined): number {
  return kind * KIND_CELLS + (id === undefined ? 0 : 1 + (id % ITEM_CELLS))
}
