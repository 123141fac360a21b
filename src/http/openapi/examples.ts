import type { Schema } from './parts.ts'

const PREFIX = '#/components/schemas/'

/**
 * A value that is valid by the schema, built from the examples of its members. Text without an example is left out.
 */
export function exampleOf(schema: Schema, schemas: Readonly<Record<string, Schema>>): unknown {
  const { examples, enum: words, $ref, anyOf } = schema
  if (Array.isArray(examples)) return examples[0]
  if ('const' in schema) return schema['const']
  if (Array.isArray(words)) return words[0]
  if (typeof $ref === 'string') return exampleOf(schemas[$ref.slice(PREFIX.length)] ?? {}, schemas)
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0], schemas)
  return madeOf(schema, schemas)
}

function madeOf(schema: Schema, schemas: Readonly<Record<string, Schema>>): unknown {
  const type: unknown = Array.isArray(schema['type']) ? schema['type'][0] : schema['type']
  if (type === 'object') {
    const members = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, Schema>>)
    const made = members.map(([name, member]): [string, unknown] => [name, exampleOf(member, schemas)])
    return Object.fromEntries(made.filter(([, value]) => value !== undefined))
  }
  if (type === 'array') return schema['maxItems'] === 0 ? [] : listOf(exampleOf(schema['items'] as Schema, schemas))
  if (type === 'boolean') return false
  return type === 'number' ? 0 : undefined
}

function listOf(item: unknown): unknown[] | undefined {
  return item === undefined ? undefined : [item]
}
