import { fail } from '../../../../base/errors.ts'
import { RESOURCES, type ResourceKey } from '../../../../model/resource.ts'
import type { JsonFile } from '../../types.ts'
import { siteOf } from './identity.ts'
import { below, isObject, type Place, type SourceObject, sourceAt, unusable } from './members.ts'

/** An item of a recorded response. */
export interface SourceItem {
  readonly key: ResourceKey
  readonly source: SourceObject
  /** Site that the response around the item names; '' when it names none. */
  readonly around: string
  /** Further dates of an event that recurs, and the first where it differs from the rule; absent for others. */
  readonly dates?: readonly SourceObject[]
}

/**
 * The items of a recorded response: those of its lists (`events`, `venues`, `organizers`, `categories`, `tags`), of an
 * array, or the one item that it is. @throws recorded_not_json, recorded_not_usable
 */
export function itemsOf(file: JsonFile): readonly SourceItem[] {
  const place = { file: file.name, path: '' }
  const content = parsed(file)
  if (Array.isArray(content)) return content.map((one: unknown, index) => itemOf(one, below(place, index), ''))
  if (!isObject(content)) throw unusable(place, 'is no recorded answer')
  const source = { members: content, place }
  const around = siteOf(source)
  const lists = Object.values(RESOURCES).filter((one) => isListOf(content, one.collection))
  if (lists.length === 0) return [itemOf(content, place, '')]
  return lists.flatMap(({ key, collection }) => {
    const list = content[collection]
    const at = below(place, collection)
    if (!Array.isArray(list)) throw unusable(at, 'is not a list')
    return list.map((one: unknown, index) => ({ key, source: sourceAt(one, below(at, index)), around }))
  })
}

function parsed(file: JsonFile): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(file.bytes))
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : String(error)
    throw fail('recorded_not_json', { file: file.name, reason })
  }
}

/** An event has members `categories` and `tags` of its own, and is no list of them. */
function isListOf(content: Readonly<Record<string, unknown>>, collection: string): boolean {
  if (!Object.hasOwn(content, collection)) return false
  return collection === 'events' || !isEvent(content)
}

function isEvent(item: Readonly<Record<string, unknown>>): boolean {
  return Object.hasOwn(item, 'title') || Object.hasOwn(item, 'start_date')
}

function itemOf(value: unknown, place: Place, around: string): SourceItem {
  const source = sourceAt(value, place)
  const key = kindOf(source.members)
  if (key === undefined) throw unusable(place, 'is no event, venue, organizer, category or tag')
  return { key, source, around }
}

/** What kind of item an object is, by the members that only this kind has. */
function kindOf(item: Readonly<Record<string, unknown>>): ResourceKey | undefined {
  const taxonomy = Object.values(RESOURCES).find((one) => one.wireType === item['taxonomy'])
  if (taxonomy !== undefined) return taxonomy.key
  if (isEvent(item)) return 'event'
  if (typeof item['organizer'] === 'string') return 'organizer'
  if (typeof item['venue'] === 'string') return 'venue'
  // Without a name: only venues have a member that shows a map.
  if (Object.hasOwn(item, 'show_map')) return 'venue'
  return Object.hasOwn(item, 'id') && Object.hasOwn(item, 'global_id') ? 'organizer' : undefined
}
