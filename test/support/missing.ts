/**
 * Why tests are skipped: they need a program of the system that is not installed here; `false` when it is. `what` names it
 * with its package.
 * @throws in CI, where a test that is skipped would never be missed
 */
export function skipWithout(isInstalled: boolean, what: string): string | false {
  if (isInstalled) return false
  if ((process.env['CI'] ?? '') !== '') throw new Error(`nothing is skipped in CI: tests here need ${what}`)
  return `needs ${what}`
}
