/** Why a test, or what of it takes long, is left to `--all`, which CI runs; false with it. */
export const ONLY_WITH_ALL: string | false = process.env['KALENDS_TEST_ALL'] === undefined ? 'only with --all' : false

/** How often a test draws at random: `quick` in `npm test`, `all` where everything is asked for (`--all`, as CI does). */
export function draws(quick: number, all: number): number {
  return process.env['KALENDS_TEST_ALL'] === undefined ? quick : all
}
