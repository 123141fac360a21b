import { type Kind, mistyped, refuse } from './kind.ts'
import { textOf } from './text.ts'

/** Names of further fields. */
export const FIELD_NAME = /^[a-z][a-z0-9_]{0,63}$/

const MOST_FIELDS = 50
const LONGEST = 10_000

/** Further fields of a site: texts by name, at most 50. null leaves a name out; an empty list stands for none. */
export const customFields: Kind<Readonly<Record<string, string>>> = {
  declared: {},
  schema: {
    type: 'object',
    additionalProperties: { type: 'string', maxLength: LONGEST },
    maxProperties: MOST_FIELDS,
  },
  parse(value) {
    if (value === '' || (Array.isArray(value) && value.length === 0)) return { ok: true, value: {} }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return mistyped('bad_custom_fields')
    const entries = Object.entries(value).filter(([, text]) => text !== null)
    if (entries.length > MOST_FIELDS) return refuse('bad_custom_fields')
    const fields: Record<string, string> = {}
    for (const [name, sent] of entries) {
      const text = textOf(sent)
      if (text === undefined || !FIELD_NAME.test(name)) return refuse('bad_custom_fields')
      if (text.length > LONGEST && Array.from(text).length > LONGEST) return refuse('too_long')
      fields[name] = text
    }
    return { ok: true, value: fields }
  },
}
