import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A wrong value that a case of the conformance kit expects, and the right one. */
export interface Correction {
  /** The case. */
  readonly id: string
  /** Path of the expectation in the answer: `utc_start_date`. */
  readonly path: string
  /** The value in the kit. */
  readonly printed: string
  readonly right: string
}

interface Step {
  readonly expect?: { readonly body?: readonly unknown[][] }
}

interface Case {
  readonly id: string
  readonly steps: readonly Step[]
}

/**
 * Writes the cases of the kit to a folder with its errata (`errata.json` beside the cases) applied, and returns the
 * folder. The kit itself stays as it was handed over; a correction replaces one expected value by another, so the case
 * is asserted as strictly as before.
 * @throws Error when a correction fits no expectation, as when the kit was mended: then it goes
 */
export function correctedCases(kit: string, folder: string): string {
  const { corrections } = JSON.parse(readFileSync(join(kit, 'errata.json'), 'utf8')) as { corrections: Correction[] }
  const target = join(folder, 'cases')
  mkdirSync(target, { recursive: true })
  const open = new Set(corrections)
  for (const name of readdirSync(join(kit, 'cases')).filter((file) => file.endsWith('.json'))) {
    const cases = JSON.parse(readFileSync(join(kit, 'cases', name), 'utf8')) as Case[]
    for (const one of cases) for (const correction of open) if (correct(one, correction)) open.delete(correction)
    writeFileSync(join(target, name), JSON.stringify(cases))
  }
  const [unfit] = open
  if (unfit !== undefined) throw new Error(`the erratum of ${unfit.id} ${unfit.path} fits no expectation: remove it`)
  return target
}

/** Whether the case had the wrong expectation; it has the right one afterwards. */
function correct({ id, steps }: Case, { id: wanted, path, printed, right }: Correction): boolean {
  if (id !== wanted) return false
  const expectations = steps.flatMap((step) => step.expect?.body ?? [])
  const found = expectations.find(([at, operation, value]) => at === path && operation === 'eq' && value === printed)
  if (found === undefined) return false
  found[2] = right
  return true
}
