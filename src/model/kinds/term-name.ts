import { plainText } from '../../base/text/html.ts'
import { type Kind, mistyped, refuse } from './kind.ts'
import { namingText } from './text.ts'

/** Longest name of a category or tag, in characters (wire: rest 3.9). */
export const TERM_NAME_LIMIT = 200

/**
 * The name of a category or tag: plain text, tags removed and entities decoded once. A name of which nothing remains
 * is read as '' and one that is too long as it is: the module refuses both with codes of their own (wire: rest 3.9).
 */
export const termName: Kind<string> = {
  control: 'line',
  declared: { type: 'string' },
  schema: { type: 'string', minLength: 1, maxLength: TERM_NAME_LIMIT },
  parse(value) {
    const given = namingText(value)
    if (given === undefined) return mistyped('not_text')
    return given === '' || given === '0' ? refuse('empty') : { ok: true, value: plainText(given) }
  },
}
