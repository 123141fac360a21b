import type { Reader } from '../../storage/engine.ts'
import { written } from '../../storage/statement-builder.ts'

/** One thing that was looked at. */
export interface Finding {
  /** Name of the check, in a word or two. */
  readonly check: string
  /** How many things are not as they should be; 0 is well. */
  readonly problems: number
  /** A few of them in words; '' when all is well. */
  readonly detail: string
  /** Whether `--repair` makes it right: it is derived from something else. */
  readonly isDerived: boolean
}

/** Most things that a finding names. */
const NAMED = 5

/** A finding of things by name. */
export function finding(check: string, names: readonly string[], isDerived = false): Finding {
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : ''
  return { check, problems: names.length, detail: names.slice(0, NAMED).join(', ') + more, isDerived }
}

/** The texts in the column `name` of the rows of a statement. */
export async function namesFrom(reader: Reader, sql: string): Promise<string[]> {
  return (await reader.all(written<{ name: unknown }>(sql))).map(({ name }) => String(name))
}
