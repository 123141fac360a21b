import { type Kind, mistyped } from './kind.ts'

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['yes', true],
  ['on', true],
  ['false', false],
  ['0', false],
  ['no', false],
  ['off', false],
])

/** A boolean from a scalar in any spelling; undefined for everything else (decisions: Scalars). */
export function booleanOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  if (value === 1 || value === 0) return value === 1
  return typeof value === 'string' ? WORDS.get(value.toLowerCase()) : undefined
}

const FURTHER_YES: ReadonlySet<string> = new Set(['y', 'enable', 'enabled'])

/** A boolean from text as filters and map flags read it: anything but yes is no (wire: rest 2.5, 3.2). */
export function looselyYes(value: string): boolean {
  return booleanOf(value) ?? FURTHER_YES.has(value.toLowerCase())
}

/** A boolean declared as text: any text is read; true, false, 1 and 0 are accepted (decisions: Scalars). */
export const textFlag: Kind<boolean> = {
  control: 'boolean',
  declared: { type: 'string' },
  schema: { type: ['string', 'boolean'] },
  parse(value) {
    const flag = typeof value === 'string' ? looselyYes(value) : booleanOf(value)
    return flag === undefined ? mistyped('not_boolean') : { ok: true, value: flag }
  },
}

/** Yes or no: true, false, 1, 0, yes, no, on, off in any case. */
export const boolean: Kind<boolean> = {
  control: 'boolean',
  declared: { type: 'boolean' },
  schema: { type: 'boolean' },
  parse(value) {
    const flag = booleanOf(value)
    return flag === undefined ? mistyped('not_boolean') : { ok: true, value: flag }
  },
}
