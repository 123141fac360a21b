import { fail } from '../../errors.ts'
import { RESOURCES, type ResourceKey } from '../../model/resource.ts'
import { siteOf } from './identity.ts'
import { below, isObject, type Place, type Recorded, recordedAt, unusable } from './members.ts'
import type { JsonFile } from './types.ts'

/** An item of a recorded answer. */
export interface RecordedItem {
  readonly key: ResourceKey
  readonly recorded: Recorded
  /** Site that the answer around the item names; '' when it names none. */
  readonly around: string
}

/**
 * The items of a recorded answer: those of its lists (`events`, `venues`, `organizers`, `categories`, `tags`), of an
 * array, or the one item that it is. @throws recorded_not_json, recorded_not_usable
 */
export function itemsOf(file: JsonFile): readonly RecordedItem[] {
  const place = { file: file.name, path: '' }
  const answer = parsed(file)
  if (Array.isArray(answer)) return answer.map((one: unknown, index) => itemOf(one, below(place, index), ''))
  if (!isObject(answer)) throw unusable(place, 'is no recorded answer')
  const recorded = { members: answer, place }
  const around = siteOf(recorded)
  const lists = Object.values(RESOURCES).filter((one) => isListOf(answer, one.collection))
  if (lists.length === 0) return [itemOf(answer, place, '')]
  return lists.flatMap(({ key, collection }) => {
    const list = answer[collection]
    const at = below(place, collection)
    if (!Array.isArray(list)) throw unusable(at, 'is not a list')
    return list.map((one: unknown, index) => ({ key, recorded: recordedAt(one, below(at, index)), around }))
  })
}

function parsed(file: JsonFile): unknown {
  try {
    return JSON.parse(file.text.replace(/^\uFEFF/, ''))
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : String(error)
    throw fail('recorded_not_json', { file: file.name, reason })
  }
}

/** An event has members `categories` and `tags` of its own, and is no list of them. */
function isListOf(answer: Readonly<Record<string, unknown>>, collection: string): boolean {
  if (!Object.hasOwn(answer, collection)) return false
  return collection === 'events' || !isEvent(answer)
}

function isEvent(item: Readonly<Record<string, unknown>>): boolean {
  return Object.hasOwn(item, 'title') || Object.hasOwn(item, 'start_date')
}

function itemOf(value: unknown, place: Place, around: string): RecordedItem {
  const recorded = recordedAt(value, place)
  const key = kindOf(recorded.members)
  if (key === undefined) throw unusable(place, 'is no event, venue, organizer, category or tag')
  return { key, recorded, around }
}

/** What kind of item an object is, by the members that only this kind has. */
function kindOf(item: Readonly<Record<string, unknown>>): ResourceKey | undefined {
  const taxonomy = Object.values(RESOURCES).find((one) => one.wireType === item['taxonomy'])
  if (taxonomy !== undefined) return taxonomy.key
  if (isEvent(item)) return 'event'
  if (typeof item['organizer'] === 'string') return 'organizer'
  if (typeof item['venue'] === 'string') return 'venue'
  // Without a name: only venues tell whether they show a map.
  if (Object.hasOwn(item, 'show_map')) return 'venue'
  return Object.hasOwn(item, 'id') && Object.hasOwn(item, 'global_id') ? 'organizer' : undefined
}
