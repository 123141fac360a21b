/** Choices that follow from a seed alone: the same seed makes the same request. */
export interface Dice {
  /** A whole number from 0 to `bound` - 1. */
  below(bound: number): number
  /** True in this share of all cases. */
  chance(share: number): boolean
  /** One of a list that is not empty. */
  pick<T>(list: readonly T[]): T
}

/** Dice for one request of a run. */
export function diceOf(seed: number, index: number): Dice {
  let state = Math.imul(seed ^ Math.imul(index + 1, 0x9e3779b1), 0x85ebca6b) | 0
  // mulberry32: good enough to mix requests, and three lines long.
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    const first = Math.imul(state ^ (state >>> 15), 1 | state)
    const second = (first + Math.imul(first ^ (first >>> 7), 61 | first)) ^ first
    return ((second ^ (second >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (bound: number): number => Math.floor(next() * bound)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T
  return { below, pick, chance: (share) => next() < share }
}
