import { type Kind, mistyped } from './kind.ts'

/**
 * The lines of a recurrence as sent: a list of texts, or one text with line breaks. What they say is checked where the
 * start of the event is known (`readRecurrence`). `[]` and texts of nothing but white space mean that there is none.
 */
export const recurrenceLines: Kind<readonly string[]> = {
  control: 'recurrence',
  declared: { type: 'array', items: { type: 'string' } },
  schema: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }] },
  parse(value) {
    const texts = typeof value === 'string' ? [value] : value
    if (!Array.isArray(texts) || !texts.every((text) => typeof text === 'string')) return mistyped('not_lines')
    return { ok: true, value: texts.filter((text) => text.trim() !== '') }
  },
}
