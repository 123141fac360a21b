import fc from 'fast-check'

/** Whether the run has time for everything, as .ci/nightly (`npm test -- --full`). */
export const IS_FULL = process.env['KALENDS_TEST_FULL'] !== undefined

/** Why a test, or what of it takes long, is left to .ci/nightly; false there. */
export const ONLY_NIGHTLY: string | false = !IS_FULL && 'only in .ci/nightly'

/** How often a test draws, kills or repeats: `quick` times, and `full` times in .ci/nightly. */
export function draws(full: number, quick = 20): number {
  return IS_FULL ? full : Math.min(quick, full)
}

/** What tests draw their numbers from: .ci/run derives it from the tree, and .ci/nightly from the clock. */
export const SEED = Number(process.env['KALENDS_TEST_SEED'] ?? 20_261_120) & 0x7fffffff

// Properties without a seed of their own would draw by the clock, which no run could repeat.
fc.configureGlobal({ seed: SEED })
