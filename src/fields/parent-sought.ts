import { wholeNumber } from './integer.ts'
import { type Kind, mistyped, read, refuse } from './kind.ts'

/** The parent by which a list is filtered; 0 asks for the items at the top. Unlike on write, '' says nothing. */
export const parentSought: Kind<number> = {
  declared: { type: 'integer' },
  schema: { type: 'integer', minimum: 0 },
  parse(value) {
    const number = wholeNumber(value)
    if (number === undefined) return mistyped('not_integer')
    return number < 0 ? refuse('not_positive') : read(number)
  },
}
