import { wholeNumber } from './integer.ts'
import { BY_ID, type Kind, type ParseResult, refuse, schemaRef } from './kind.ts'
import { isOverlong, LIST_LIMIT } from './list.ts'

/** A venue or organizer named on an event's write: an ID that must exist, or the data of a new item. */
export type LinkedRef =
  | { readonly by: 'id'; readonly id: number }
  | { readonly by: 'data'; readonly data: Readonly<Record<string, unknown>> }

/**
 * Venues or organizers of an event: ID, CSV, `{id}`, inline object, arrays of those. `[]`, 0, '', false, {} are none.
 * `schema` names the schema of the data of a new one.
 */
export function linkedList(schema: string): Kind<readonly LinkedRef[]> {
  const one = [...BY_ID, schemaRef(schema)]
  return {
    control: 'linked',
    declared: { type: 'array', items: { type: 'integer' } },
    schema: { anyOf: [...one, { type: 'array', items: { anyOf: one } }] },
    parse: readLinked,
  }
}

function readLinked(value: unknown): ParseResult<readonly LinkedRef[]> {
  if (isOverlong(value)) return refuse('bad_linked')
  const items = flat(value)
  if (items.length > LIST_LIMIT) return refuse('bad_linked')
  const refs: LinkedRef[] = []
  const ids = new Set<number>()
  for (const item of items) {
    const ref = linkedRef(item)
    if (ref === undefined) return refuse('bad_linked')
    if (ref.by === 'data' || !ids.has(ref.id)) refs.push(ref)
    if (ref.by === 'id') ids.add(ref.id)
  }
  return { ok: true, value: refs }
}

function flat(value: unknown): unknown[] {
  if (isNone(value)) return []
  if (typeof value === 'string') return value.split(',').filter((part) => part.trim() !== '')
  if (Array.isArray(value)) return value.flatMap(flat)
  return isIndexed(value) ? Object.values(value).flatMap(flat) : [value]
}

function isNone(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === 0 || value === '0' || value === false)
    return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** Whether it is a list of a form body: with gaps in its brackets (`organizer[1][organizer]=…`) it has digits for keys. */
function isIndexed(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.keys(value).every((key) => /^\d+$/.test(key))
}

function linkedRef(item: unknown): LinkedRef | undefined {
  if (typeof item !== 'object' || item === null) {
    const id = wholeNumber(item)
    return id === undefined || id < 1 ? undefined : { by: 'id', id }
  }
  // Clients with typed models send null for what does not exist yet (decisions: Clearing).
  if (!('id' in item) || item.id === null) return { by: 'data', data: { ...item } }
  const id = wholeNumber(item.id)
  return id === undefined || id < 1 ? undefined : { by: 'id', id }
}
