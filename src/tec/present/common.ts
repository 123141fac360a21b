import { MEDIA_PATH } from '../../calendar/shared/stored-image.ts'
import type { Urls } from '../../http/address.ts'
import { type EntryKey, RESOURCES } from '../../model/resource.ts'

/** Members of an item, in their order: as the interface shows it, or as this namespace does. */
export type Members = Readonly<Record<string, unknown>>

/** A text with the HTML that shows it. */
interface Rendered {
  readonly rendered: string
}

/** Where an item is shown. */
export interface ItemViewer {
  readonly urls: Pick<Urls, 'page'>
}

/** The same, and what hides its content from this caller. */
interface Showing extends ItemViewer {
  /** Whether it has a password. */
  readonly isProtected?: boolean
  /** What stands in place of its texts; undefined where the caller sees them. */
  readonly instead?: string | undefined
}

/** The members that every item starts with, up to `template`. */
export function commonMembers(kind: EntryKey, shown: Members, { urls, isProtected = false, instead }: Showing) {
  const link = String(shown['url'])
  const text = (member: string) => ({ rendered: instead ?? textOf(shown[member]), protected: isProtected })
  return {
    id: shown['id'],
    date: isoOf(shown['date']),
    date_gmt: isoOf(shown['date_utc']),
    guid: { rendered: link },
    modified: isoOf(shown['modified']),
    modified_gmt: isoOf(shown['modified_utc']),
    slug: textOf(shown['slug']),
    status: shown['status'],
    type: RESOURCES[kind].wireType,
    link,
    title: titleOf(kind, shown),
    content: text('description'),
    excerpt: text('excerpt'),
    author: Number(shown['author'] ?? 0),
    featured_media: ownImageId(shown['image'], urls),
    template: '',
  }
}

function titleOf(kind: EntryKey, shown: Members): Rendered {
  return { rendered: textOf(shown[kind === 'event' ? 'title' : kind]) }
}

/** The text of a member that the interface may leave out; '' then. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function isoOf(moment: unknown): string {
  return textOf(moment).replace(' ', 'T')
}

/** The ID of an image of ours; 0 for none, and for one that an import recorded. */
function ownImageId(image: unknown, urls: Pick<Urls, 'page'>): number {
  if (typeof image !== 'object' || image === null) return 0
  const { id, url } = image as { readonly id?: unknown; readonly url?: unknown }
  return typeof id === 'number' && textOf(url).startsWith(urls.page(MEDIA_PATH)) ? id : 0
}
