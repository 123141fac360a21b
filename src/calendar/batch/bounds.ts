import { fail } from '../../base/errors.ts'

/**
 * What one batch may take: rows that it changes beyond one for each request, characters of earlier responses that its
 * requests repeat, bytes of its responses, after which none is made any more, and milliseconds in the transaction of
 * all, in which other writers wait.
 */
const MOST = { rows: 10_000, referred: 262_144, answered: 8 * 1024 ** 2, time: 10_000 } as const

/** What bounds are counted with. */
export interface BoundsDeps {
  /** Unix milliseconds. */
  now(): number
  readonly isAtomic: boolean
  /** Charges rows to the client, see `Incoming.spend`. */
  readonly spend: ((rows: number) => void) | undefined
  /** Rows that the client has been charged for already. */
  readonly charged: number
}

/** @throws batch_too_much for more rows than a batch may change */
export function requireFewRows(rows: number): void {
  if (rows > MOST.rows) throw fail('batch_too_much')
}

/** Bounds a batch, whose few bytes may name long texts and long work again and again. */
export class BatchBounds {
  readonly #deps: BoundsDeps
  readonly #end: number
  #rows = 0
  #charged: number
  #referred = 0
  #answered = 0

  constructor(deps: BoundsDeps) {
    this.#deps = deps
    this.#charged = deps.charged
    this.#end = deps.isAtomic ? deps.now() + MOST.time : Number.POSITIVE_INFINITY
  }

  /** Counts rows that a request is about to change. @throws batch_too_much, rest_too_many_requests */
  write(rows: number): void {
    this.#rows += rows
    requireFewRows(this.#rows)
    if (this.#rows <= this.#charged) return
    this.#deps.spend?.(this.#rows - this.#charged)
    this.#charged = this.#rows
  }

  /** Before each request: refuses what would be too much. @throws batch_too_much */
  requireRoom(): void {
    if (this.#answered > MOST.answered || this.#deps.now() > this.#end) throw fail('batch_too_much')
  }

  /** Counts a value of an earlier response that a request repeats. @throws batch_too_much */
  refer(value: unknown): void {
    this.#referred += typeof value === 'string' ? value.length : JSON.stringify(value).length
    if (this.#referred > MOST.referred) throw fail('batch_too_much')
  }

  /** Counts the bytes of a response. */
  answer(bytes: number): void {
    this.#answered += bytes
  }
}
