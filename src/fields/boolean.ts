import { type Kind, mistyped, read } from './kind.ts'

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

/** Yes or no of a scalar in any of its spellings; undefined for everything else (decisions: Scalars). */
export function booleanOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  if (value === 1 || value === 0) return value === 1
  return typeof value === 'string' ? WORDS.get(value.toLowerCase()) : undefined
}

/** Yes or no: true, false, 1, 0, yes, no, on, off in any case. */
export const boolean: Kind<boolean> = {
  declared: { type: 'boolean' },
  schema: { type: 'boolean' },
  parse(value) {
    const flag = booleanOf(value)
    return flag === undefined ? mistyped('not_boolean') : read(flag)
  },
}
