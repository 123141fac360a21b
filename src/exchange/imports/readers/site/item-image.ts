import { isObject } from '../json/members.ts'
import { idOf, type Raw } from './raw.ts'

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
