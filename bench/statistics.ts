/** The middle of some numbers, or the mean of the two in the middle. @throws RangeError when there are none */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.ceil(sorted.length / 2) - 1]
  if (upper === undefined || lower === undefined) throw new RangeError('no numbers')
  return (upper + lower) / 2
}

/** The smallest number that at least this share (0 to 1) of the numbers does not exceed. @throws RangeError when there are none */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const found = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]
  if (found === undefined) throw new RangeError('no numbers')
  return found
}

/** A median with the smallest and the largest of the numbers. */
export interface Spread {
  readonly median: number
  readonly least: number
  readonly most: number
}

/** The spread of some numbers; undefined when there are none. */
export function spreadOf(numbers: readonly number[]): Spread | undefined {
  if (numbers.length === 0) return undefined
  return { median: median(numbers), least: Math.min(...numbers), most: Math.max(...numbers) }
}

/**
 * Quotients of two measurements that alternated: each is of the same round, so that what slows the machine down for a
 * while slows both. Rounds that one of them lacks are left out.
 */
export function quotients(above: readonly number[], below: readonly number[]): number[] {
  return above.slice(0, below.length).map((number, round) => number / (below[round] as number))
}
