import { isIndexed } from '../../model/kinds/linked.ts'
import type { NamedSchema, Schema } from '../openapi/parts.ts'
import type { AnyRoute } from '../route.ts'

type Field = AnyRoute['fields'][number]

/** What an object may hold, by the names of its members: what these may hold in turn, undefined where that is anything. */
export type KnownMembers = ReadonlyMap<string, KnownMembers | undefined>

/** What the objects may hold that are sent for the fields of a route; undefined for fields that take none, or any. */
export function membersOfFields(route: AnyRoute): KnownMembers {
  const schemas = new Map<string, Schema>()
  const collect = ({ name, schema, uses }: NamedSchema): void => {
    if (schemas.has(name)) return
    schemas.set(name, schema)
    uses.forEach(collect)
  }
  collect(route.response.schema)
  return membersOf(route.fields, propertiesOf(route.response.schema.schema), schemas)
}

/** A client may send back what it received, read-only members included: these count as known beside the fields. */
function membersOf(
  fields: readonly Pick<Field, 'name' | 'kind'>[],
  shown: Schema,
  schemas: ReadonlyMap<string, Schema>,
) {
  const known = fields.map(({ name, kind }): [string, KnownMembers | undefined] => {
    const objects = [kind.schema, shown[name]].flatMap((schema) => objectsIn(schema as Schema | undefined, schemas))
    if (objects.length === 0 || objects.some((one) => one['properties'] === undefined)) return [name, undefined]
    const properties: Schema = Object.assign({}, ...objects.map(propertiesOf))
    const names = Object.keys(properties).map((member): [string, undefined] => [member, undefined])
    return [name, new Map([...names, ...membersOf(kind.members ?? [], properties, schemas)])]
  })
  return new Map(known)
}

function propertiesOf(schema: Schema): Schema {
  return (schema['properties'] ?? {}) as Schema
}

/** The schemas of the objects that a value may be or may list. */
function objectsIn(schema: Schema | undefined, schemas: ReadonlyMap<string, Schema>): readonly Schema[] {
  if (schema === undefined) return []
  const { $ref, anyOf, items, type } = schema
  const named = typeof $ref === 'string' ? schemas.get($ref.slice($ref.lastIndexOf('/') + 1)) : undefined
  const further = [named, items, ...(Array.isArray(anyOf) ? anyOf : [])] as (Schema | undefined)[]
  const isObject = type === 'object' || (Array.isArray(type) && type.includes('object'))
  return [...(isObject ? [schema] : []), ...further.flatMap((one) => objectsIn(one, schemas))]
}

/** Adds the dotted paths of unknown members of a value, which may be a list of objects: `organizer.colour`. */
export function addUnknownMembers(
  names: string[],
  path: string,
  { value, known }: { value: unknown; known: KnownMembers },
): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value) || isIndexed(value)) {
    for (const one of Object.values(value)) addUnknownMembers(names, path, { value: one, known })
    return
  }
  for (const [name, member] of Object.entries(value)) {
    const inner = known.get(name)
    if (!known.has(name)) names.push(`${path}.${name}`)
    else if (inner !== undefined) addUnknownMembers(names, `${path}.${name}`, { value: member, known: inner })
  }
}

/** Whether what GET shows has a member of this name or dotted path, be it in a list. */
export function isShownAt(shown: unknown, name: string): boolean {
  if (typeof shown !== 'object' || shown === null) return false
  if (Array.isArray(shown)) return shown.some((one) => isShownAt(one, name))
  if (Object.hasOwn(shown, name)) return true
  const dot = name.indexOf('.')
  const first = name.slice(0, Math.max(dot, 0))
  return dot > 0 && Object.hasOwn(shown, first) && isShownAt((shown as Schema)[first], name.slice(dot + 1))
}
