import type { ImageRef } from '../fields/image.ts'
import type { EntryColumns } from '../storage/schema.ts'
import { presentImage } from './present.ts'

/**
 * Whether a picture that was named on a write is one the entry may have: none, or the one that an import recorded for
 * it, by its id or address. `row` is undefined on create.
 */
export function isOwnImage(ref: ImageRef, row: Pick<EntryColumns, 'image_recorded'> | undefined): boolean {
  if (ref.by === 'none') return true
  const image = row === undefined ? false : presentImage(row)
  if (image === false) return false
  return ref.by === 'id' ? Number(image['id']) === ref.id : image['url'] === ref.url
}
