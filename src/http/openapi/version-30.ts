import type { Schema } from './parts.ts'

/** Keywords that apply to a single type. OpenAPI 3.0 has no lists of types, so each alternative gets its own. */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  array: ['items', 'minItems', 'maxItems'],
  object: ['properties', 'required', 'additionalProperties', 'minProperties'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  boolean: [],
}

const OF_ONE_TYPE: ReadonlySet<string> = new Set(Object.values(KEYWORDS).flat())

/** The same document in OpenAPI 3.0 (OpenAPI 3.0.3, section 4.7.24: Schema Object). */
export function openApi30(document: Schema): Schema {
  return { ...convert(document), openapi: '3.0.3' }
}

/** Only schemas and examples differ between the versions. */
function convert(node: Schema): Schema {
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, convertMember(name, value)]))
}

function convertMember(name: string, value: unknown): unknown {
  if (name === 'examples' || !isObject(value)) return value
  if (name === 'schema') return schema30(value)
  if (name === 'schemas') return mapped(value, schema30)
  return Array.isArray(value) ? value.map((item) => convertMember('', item)) : convert(value)
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null
}

function mapped(members: Schema, change: (schema: Schema) => Schema): Schema {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, change(value as Schema)]))
}

/** A schema in terms of 3.0: no siblings of `$ref`, no `const`, one example, one type with `nullable`, files as a format. */
function schema30(schema: Schema): Schema {
  const { $ref, const: only, examples, type, contentMediaType, ...rest } = schema
  if ($ref !== undefined) return beside({ $ref }, schema)
  const inner = {
    ...innerSchemas(rest),
    ...(only !== undefined && { enum: [only] }),
    ...(Array.isArray(examples) && { example: examples[0] }),
    ...(contentMediaType !== undefined && { format: 'binary' }),
  }
  return typed(inner, Array.isArray(type) ? (type as string[]) : type === undefined ? [] : [String(type)])
}

/** A reference must stand alone: its siblings move into an `allOf` with it. */
function beside(reference: Schema, { $ref: _same, ...others }: Schema): Schema {
  if (Object.keys(others).length === 0) return reference
  const { description, examples, ...constraints } = others
  const parts = Object.keys(constraints).length === 0 ? [reference] : [reference, schema30(constraints)]
  return {
    allOf: parts,
    ...(description !== undefined && { description }),
    ...(Array.isArray(examples) && { example: examples[0] }),
  }
}

function innerSchemas(schema: Schema): Schema {
  return Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, innerSchema(keyword, value)]))
}

function innerSchema(keyword: string, value: unknown): unknown {
  if (!isObject(value)) return value
  if (keyword === 'properties') return mapped(value, schema30)
  if (keyword === 'items' || keyword === 'additionalProperties') return schema30(value)
  if (['oneOf', 'anyOf', 'allOf'].includes(keyword)) return (value as unknown as Schema[]).map(schema30)
  return value
}

/** @throws Error when a schema has several types and `anyOf` as well: a programming error */
function typed(schema: Schema, types: readonly string[]): Schema {
  const nullable = types.includes('null') && { nullable: true }
  const named = types.filter((type) => type !== 'null')
  const [single] = named
  if (single === undefined) return schema
  if (named.length === 1) return { type: single, ...nullable, ...schema }
  if ('anyOf' in schema) throw new Error('a schema has both several types and anyOf')
  const entries = Object.entries(schema)
  const common = entries.filter(([keyword]) => !OF_ONE_TYPE.has(keyword))
  const anyOf = named.map((type) => {
    const own = entries.filter(([keyword]) => KEYWORDS[type]?.includes(keyword))
    return { type, ...nullable, ...Object.fromEntries(own) }
  })
  return { ...Object.fromEntries(common), anyOf }
}
