import { fail } from '../../base/errors.ts'

/**
 * What one batch may take: characters of earlier responses that its requests repeat, bytes of its responses, after
 * which none is made any more, and milliseconds in the transaction of all, in which other writers wait.
 */
const MOST = { referred: 262_144, answered: 8 * 1024 ** 2, time: 10_000 } as const

/** Bounds a batch, whose few bytes may name long texts and long work again and again. */
export class BatchBounds {
  readonly #now: () => number
  readonly #end: number
  #referred = 0
  #answered = 0

  /** @param now Unix milliseconds */
  constructor(now: () => number, { isAtomic }: { readonly isAtomic: boolean }) {
    this.#now = now
    this.#end = isAtomic ? now() + MOST.time : Number.POSITIVE_INFINITY
  }

  /** Before each request: refuses what would be too much. @throws batch_too_much */
  requireRoom(): void {
    if (this.#answered > MOST.answered || this.#now() > this.#end) throw fail('batch_too_much')
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
