import { wholeNumber } from './integer.ts'
import { type Kind, mistyped, refuse } from './kind.ts'

/** The parent by which a list is filtered; 0 means items without one. Unlike on write, '' filters nothing. */
export const parentFilter: Kind<number> = {
  declared: { type: 'integer' },
  schema: { type: 'integer', minimum: 0 },
  parse(value) {
    const number = wholeNumber(value)
    if (number === undefined) return mistyped('not_integer')
    return number < 0 ? refuse('not_positive') : { ok: true, value: number }
  },
}
