import type { Schema } from './parts.ts'

/** Members of a document that are data: they look the same in both versions. */
const DATA: ReadonlySet<string> = new Set(['value', 'example', 'default', 'enum', 'examples'])

/** Members whose members have names of their own, which mean nothing to OpenAPI. */
const NAMED: ReadonlySet<string> = new Set(['properties', 'parameters', 'schemas', 'headers', 'responses', 'paths'])

/**
 * A document in OpenAPI 3.0.4 instead of 3.1: schemas are of an older kind there, references stand alone, and only OAuth has
 * scopes.
 */
export function asVersion30(document: Schema): Schema {
  return { ...(older(document) as Schema), openapi: '3.0.4' }
}

function older(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(older)
  if (typeof node !== 'object' || node === null) return node
  const { $ref, ...beside } = node as Schema
  if (typeof $ref !== 'string') return withOlderWords(membersOf(node as Schema))
  if (Object.keys(beside).length === 0) return node
  return { allOf: [{ $ref }], ...withOlderWords(membersOf(beside)) }
}

function membersOf(node: Schema): Schema {
  const made = Object.entries(node).map(([name, value]): [string, unknown] => {
    if (name === 'bearer' && Array.isArray(value)) return [name, []]
    if (NAMED.has(name) && !Array.isArray(value)) return [name, everyMember(value)]
    return [name, DATA.has(name) ? value : older(value)]
  })
  return Object.fromEntries(made)
}

function everyMember(value: unknown): Schema {
  return Object.fromEntries(Object.entries(value as Schema).map(([name, member]) => [name, older(member)]))
}

/** A node with the words of JSON Schema 2020-12 that 3.0 lacks put into older ones. */
function withOlderWords({ type, const: only, examples, contentMediaType, ...node }: Schema): Schema {
  return {
    ...olderType(type, node),
    ...(only !== undefined && { enum: [only] }),
    ...(Array.isArray(examples) ? { example: examples[0] } : examples !== undefined && { examples }),
    ...(contentMediaType !== undefined && { format: 'binary' }),
  }
}

/** One type alone has its place in 3.0; null is a mark of its own. */
function olderType(type: unknown, node: Schema): Schema {
  if (!Array.isArray(type)) return type === undefined ? node : { type, ...node }
  const types = type.filter((one) => one !== 'null')
  const nullable = types.length < type.length && { nullable: true }
  if (types.length === 1) return { type: types[0], ...nullable, ...node }
  return { anyOf: types.map((one) => ({ type: one, ...nullable })), ...node }
}
