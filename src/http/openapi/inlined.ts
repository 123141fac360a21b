import { exampleOf } from './examples.ts'
import type { NamedSchema, Schema } from './parts.ts'

const PREFIX = '#/components/schemas/'

/** A schema with those that it refers to in their places, so that it needs no components, and its example. */
export function inlined(named: NamedSchema): { readonly schema: Schema; readonly examples: Schema } {
  const known = new Map<string, Schema>()
  const collect = ({ name, schema, uses }: NamedSchema): void => {
    if (known.has(name)) return
    known.set(name, schema)
    uses.forEach(collect)
  }
  collect(named)
  const schema = replaced(named.schema, known)
  return { schema, examples: { [named.name]: { value: exampleOf(schema, {}) } } }
}

function replaced(node: Schema, known: ReadonlyMap<string, Schema>): Schema {
  const { $ref, ...rest } = node
  const target = typeof $ref === 'string' ? known.get($ref.slice(PREFIX.length)) : undefined
  return Object.fromEntries(
    Object.entries({ ...target, ...rest }).map(([name, value]) => [name, valueReplaced(value, known)]),
  )
}

function valueReplaced(value: unknown, known: ReadonlyMap<string, Schema>): unknown {
  if (Array.isArray(value)) return value.map((one) => valueReplaced(one, known))
  return typeof value === 'object' && value !== null ? replaced(value as Schema, known) : value
}
