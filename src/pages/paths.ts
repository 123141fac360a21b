import { slugify } from '../base/text/slug.ts'
import type { Selector } from '../http/resource.ts'

/** What a path segment means as a slug: it arrives decoded, and slugs are stored in their percent-encoded form. */
export function storedForm(selector: Selector): Selector {
  return selector.by === 'id' ? selector : { by: 'slug', slug: slugify(selector.slug) }
}
