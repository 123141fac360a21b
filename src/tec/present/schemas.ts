import type { Schema } from '../../http/openapi/parts.ts'

/*
 * What values of this namespace look like.
 */

/** A value with an example of it. */
export function sample(example: string | number, more: Schema = {}): Schema {
  return { type: typeof example === 'string' ? 'string' : 'integer', ...more, examples: [example] }
}

/** A value, or null. */
export function orNull(schema: Schema): Schema {
  return { ...schema, type: [schema['type'], 'null'] }
}

/** A list of values. */
export function listOf(items: Schema): Schema {
  return { type: 'array', items }
}

/** An object with these members, and perhaps others. */
export function object(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', properties, required: Object.keys(properties) }
}

/** One value only. */
export function only(value: string | number | false): Schema {
  return { type: typeof value === 'number' ? 'integer' : typeof value, enum: [value] }
}

export const TEXT = sample('')
export const FLAG = { type: 'boolean' }
export const ID = sample(7, { minimum: 1 })

/** A moment without a zone. */
export const MOMENT = sample('2027-04-17 09:30:00', { pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$' })
