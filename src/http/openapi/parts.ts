/** A JSON Schema (2020-12), as OpenAPI 3.1 takes it. */
export type Schema = Readonly<Record<string, unknown>>

/**
 * A schema under its name in the document, with those that it refers to: a route names the first, and the document gets
 * them all.
 */
export interface NamedSchema {
  readonly name: string
  readonly schema: Schema
  readonly uses: readonly NamedSchema[]
}

/** Names a schema; `uses` are those that it refers to. */
export function named(name: string, schema: Schema, uses: readonly NamedSchema[] = []): NamedSchema {
  return { name, schema, uses }
}

/** Highest id of anything (limits: Bounds). */
const HIGHEST_ID = 2_147_483_647

/** A wall clock reading, `YYYY-MM-DD HH:MM:SS`. */
const MOMENT = '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01]) ([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d$'

/** A schema by its name in the document. */
export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` }
}

/** Text; the first of `examples` stands in the example of what it is a part of. */
export function text(description: string, example: string, more: Schema = {}): Schema {
  return { type: 'string', ...more, description, examples: [example] }
}

/** Text that is one of a few words. */
export function word(description: string, words: readonly string[]): Schema {
  return { type: 'string', enum: words, description }
}

/** A wall clock reading, `YYYY-MM-DD HH:MM:SS`. */
export function moment(description: string, example: string): Schema {
  return text(description, example, { pattern: MOMENT })
}

/** An absolute address that the server has made. */
export function address(description: string, example: string): Schema {
  return text(description, example, { format: 'uri' })
}

/** A whole number, 0 or more. */
export function integer(description: string, example = 0, more: Schema = {}): Schema {
  return { type: 'integer', minimum: 0, ...more, description, examples: [example] }
}

/** The identifier of something that exists. */
export function id(description: string, example: number): Schema {
  return integer(description, example, { minimum: 1, maximum: HIGHEST_ID })
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

/** An array that never holds anything. */
export const NOTHING: Schema = { type: 'array', items: {}, maxItems: 0 }

/** What is absent: an empty array takes its place (wire: events 1.2). */
export const ABSENT: Schema = { ...NOTHING, description: 'Always empty' }

/** A value of a named schema with a description of its own, and perhaps an example. */
export function one(name: string, description: string, example?: unknown): Schema {
  return { ...ref(name), description, ...(example !== undefined && { examples: [example] }) }
}

/** An object with these members and no others. */
export function object(
  description: string,
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = Object.keys(properties),
): Schema {
  return { ...open(description, properties, required), additionalProperties: false }
}

/** An object of which further members may follow: imports keep members that are unknown here. */
export function open(
  description: string,
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = Object.keys(properties),
): Schema {
  return { type: 'object', description, properties, ...(required.length > 0 && { required }) }
}

/** Related addresses by relation, each a list of links (wire: rest 1.5, 5.1). */
export function links(required: readonly string[], further: readonly string[] = []): Schema {
  const href = { type: 'string', format: 'uri', examples: ['https://calendar.example/cal/events/v1'] }
  const link = { type: 'object', properties: { embeddable: { const: true }, href }, required: ['href'] }
  const related = { type: 'array', items: { ...link, additionalProperties: false } }
  const linked = [...required, ...further].map((name): [string, Schema] => [name, related])
  return object('Related addresses', Object.fromEntries(linked), required)
}
