/** A JSON Schema (2020-12), as OpenAPI 3.1 takes it. */
export type Schema = Readonly<Record<string, unknown>>

/** A schema by its name in the document. */
export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` }
}

/** Text. */
export function text(description: string, more: Schema = {}): Schema {
  return { type: 'string', description, ...more }
}

/** Text that is one of a few words. */
export function word(description: string, words: readonly string[]): Schema {
  return { type: 'string', enum: words, description }
}

/** A wall clock reading, `YYYY-MM-DD HH:MM:SS`. */
export function moment(description: string): Schema {
  return text(description, {
    pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$',
    examples: ['2026-11-20 18:30:00'],
  })
}

/** An absolute address. */
export function address(description: string): Schema {
  return text(description, { format: 'uri' })
}

/** A whole number. */
export function integer(description: string, minimum = 0): Schema {
  return { type: 'integer', minimum, description }
}

/** Yes or no. */
export function flag(description: string): Schema {
  return { type: 'boolean', description }
}

/** Yes or no; null where a list withholds the content of an item. */
export function withheldFlag(description: string): Schema {
  return { type: ['boolean', 'null'], description }
}

/** A list of values of one schema. */
export function list(description: string, items: Schema): Schema {
  return { type: 'array', items, description }
}

/** A value of a named schema with a description of its own. */
export function one(name: string, description: string): Schema {
  return { ...ref(name), description }
}

/** An object of which further members may follow: imports keep members that are unknown here. */
export function object(
  description: string,
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
): Schema {
  return {
    type: 'object',
    description,
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: true,
  }
}
