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

/** The image of an item at its site. */
interface ItemImage {
  readonly url: string
  /** Absent where the site says none. */
  readonly id: number | undefined
  /** The addresses of its smaller sizes, each with the wire's name of the size. */
  readonly sizes: readonly (readonly [address: string, name: string])[]
}

/** Smaller sizes of an image whose addresses are kept: sites have eight or so. */
const MOST_SIZES = 20

/** The image of an item; undefined when it has none. */
export function imageOf(item: Raw): ItemImage | undefined {
  const { image } = item
  if (!isObject(image) || typeof image['url'] !== 'string' || image['url'] === '') return undefined
  const { url, sizes } = image
  const smaller = Object.entries(isObject(sizes) ? sizes : {}).flatMap(([name, size]) =>
    isObject(size) && typeof size['url'] === 'string' && size['url'] !== url ? [[size['url'], name] as const] : [],
  )
  return { url, id: idOf(image), sizes: smaller.slice(0, MOST_SIZES) }
}
