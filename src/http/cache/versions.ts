/** What answers are made of: the resources by the names that the journal gives them. */
export const PART_NAMES = ['event', 'venue', 'organizer', 'category', 'tag', 'media'] as const

/** Name of a kind of parts. */
export type PartName = (typeof PART_NAMES)[number]

/** One item that an answer was made of, or everything of a kind when there is no id. */
export interface ItemPart {
  readonly of: PartName
  readonly id?: number
  /** With everything of a kind: numbers of events, which change without a write of the item, are no part of the answer. */
  readonly uncounted?: true
  /** With everything of a kind: only which items lists hold, and in which order; nothing of what they say of them. */
  readonly listed?: true
}

/** Something that an answer was made of. A stamp stands for all parts that it was taken of. */
export type Part = ItemPart | Stamp

/** Everything that answers are made of. */
export const ALL_PARTS: readonly Part[] = PART_NAMES.map((of) => ({ of }))

/** The parts of an answer as they were when it was begun; it is true as long as none of them has changed. */
export interface Stamp {
  readonly cells: readonly number[]
  readonly sum: number
  /** Those that it was taken of: looked at once for all lists that show the same text. */
  readonly within: readonly Stamp[]
  /** How many changes are known to have left it true: it goes on with each look, so that none is looked at twice. */
  total: number
}

const KINDS: readonly string[] = PART_NAMES

/** Items share this many counters of their kind: a change of one now and then costs another its kept answer. */
const ITEM_CELLS = 8192

/** Counters of a kind: of anything, of anything but counts, of what lists hold, and of what may be any item; then those of its items. */
const CELL = { any: 0, uncounted: 1, listed: 2, each: 3, items: 4 } as const

const KIND_CELLS = CELL.items + ITEM_CELLS

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

  /**
   * Notes that an item was made, changed or deleted; `isRelisted` is false where lists hold what they held before. Names that
   * no answer is made of are passed over.
   */
  change(name: string, id: number, isRelisted = true): void {
    const cells = [CELL.any, CELL.uncounted, itemCell(id)]
    this.#note(name, isRelisted ? [...cells, CELL.listed] : cells)
  }

  /** Notes that the number of events of an item has changed. */
  recount(name: string, id: number): void {
    this.#note(name, [CELL.any, itemCell(id)])
  }

  /** Notes that the number of events of any item of a kind may have changed. */
  recountAll(name: PartName): void {
    this.#note(name, [CELL.any, CELL.each])
  }

  /** Notes that any item of a kind may have changed. */
  changeAll(name: PartName): void {
    this.#note(name, [CELL.any, CELL.uncounted, CELL.listed, CELL.each])
  }

  /** Notes that anything may have changed. */
  changeEverything(): void {
    for (const name of PART_NAMES) this.changeAll(name)
  }

  /** The parts as they are now. */
  stamp(parts: readonly Part[]): Stamp {
    const counted = new Set<number>()
    const within: Stamp[] = []
    for (const part of parts) {
      if ('cells' in part) within.push(part)
      else for (const cell of cellsOf(part)) counted.add(cell)
    }
    const cells = [...counted]
    return { cells, sum: this.#sum(cells), within, total: this.#total }
  }

  /** Whether nothing that a stamp names has changed since it was taken. */
  isCurrent(stamp: Stamp): boolean {
    if (stamp.total === this.#total) return true
    if (this.#sum(stamp.cells) !== stamp.sum) return false
    if (!stamp.within.every((one) => this.isCurrent(one))) return false
    stamp.total = this.#total
    return true
  }

  #note(name: string, cells: readonly number[]): void {
    const kind = KINDS.indexOf(name)
    if (kind < 0) return
    this.#changes += 1
    this.#total += 1
    for (const cell of cells) this.#cells[kind * KIND_CELLS + cell] = (this.#cells[kind * KIND_CELLS + cell] ?? 0) + 1
  }

  #sum(cells: readonly number[]): number {
    let sum = 0
    for (const cell of cells) sum += this.#cells[cell] ?? 0
    return sum
  }
}

function cellsOf({ of, id, uncounted, listed }: ItemPart): Iterable<number> {
  const first = PART_NAMES.indexOf(of) * KIND_CELLS
  if (id === undefined) return [first + (listed ? CELL.listed : uncounted ? CELL.uncounted : CELL.any)]
  return [first + CELL.each, first + itemCell(id)]
}

function itemCell(id: number): number {
  return CELL.items + (id % ITEM_CELLS)
}
