import type { MediaTable } from '../storage/schema.ts'
import { slugify } from '../text/slug.ts'

/** The slug of a picture: made of its title, else its id. Several may have the same. */
export function slugOf({ id, title }: Pick<MediaTable, 'id' | 'title'>): string {
  return slugify(title) || String(id)
}
