import { isObject } from '../json/members.ts'

/** An item as the site has answered it. */
export type Raw = Readonly<Record<string, unknown>>

/** The ID of an item; undefined for what has none. */
export function idOf(item: Raw): number | undefined {
  const { id } = item
  const number = typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : id
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : undefined
}

/** How an item of a list is identified: dates of an event may have its ID. */
export function keyOf(item: Raw): string | undefined {
  const id = idOf(item)
  if (id === undefined) return undefined
  const start = item['start_date']
  return typeof start === 'string' ? `${id}@${start}` : String(id)
}

/** The ID that a key starts with. */
export function idOfKey(key: string): number {
  return Number(key.split('@', 1)[0])
}

/** The objects in a list; `[]` for anything else. */
export function objectsIn(value: unknown): Raw[] {
  if (isObject(value))
    return Object.keys(value).every((name) => /^\d+$/.test(name)) ? Object.values(value).filter(isObject) : [value]
  return Array.isArray(value) ? value.filter(isObject) : []
}
