import { isHttpUrl } from '../../fields/address.ts'
import type { Column } from '../../model/column.ts'
import { STATUSES, type Status } from '../../model/status.ts'
import { decodeEntities } from '../../text/entities.ts'
import { cleanHtml } from '../../text/html.ts'
import { plainText } from '../../text/plain.ts'
import { slugify } from '../../text/slug.ts'
import {
  below,
  flagAt,
  isObject,
  momentAt,
  numberAt,
  placeText,
  type Recorded,
  textAt,
  unusable,
  valueAt,
} from './members.ts'
import type { Skipped } from './types.ts'
import { isScriptAddress, safeJson, unknownMembers } from './unknown.ts'

/** Members that every event, venue and organizer has and that are read, or made anew with every answer. */
export const ENTRY_MEMBERS: readonly string[] = [
  ...[
    'id',
    'global_id',
    'global_id_lineage',
    'author',
    'status',
    'date',
    'date_utc',
    'modified',
    'modified_utc',
    'url',
  ],
  ...['rest_url', 'description', 'excerpt', 'slug', 'image', 'json_ld', '_links'],
]

/** What events, venues and organizers have in common, read and cleaned. */
export interface RecordedEntry {
  readonly status: Status
  /** As recorded; '' to be made. */
  readonly slug: string
  /** UTC text; undefined when none was recorded. */
  readonly publishedAt: string | undefined
  /** UTC text; undefined when none was recorded. */
  readonly modifiedAt: string | undefined
  readonly description: string
  readonly excerpt: string
  /** JSON of the image object; null when there is none. */
  readonly image_recorded: string | null
  /** The author there; '' when none was recorded. */
  readonly recordedAuthor: string
  /** Unknown members. */
  readonly unknown: Readonly<Record<string, unknown>>
}

/** How entries are read. */
export interface Reading {
  readonly known: ReadonlySet<string>
  /** Zone of the dates that are recorded on a wall clock. */
  readonly zone: string
}

/** Reads what an event, venue or organizer has in common with the others. @throws recorded_not_usable */
export function readEntry(
  recorded: Recorded,
  { known, zone }: Reading,
): { readonly entry: RecordedEntry; readonly skipped: readonly Skipped[] } {
  const modifiedAt = momentAt(recorded, 'modified', zone)
  const publishedAt = momentAt(recorded, 'date', zone) ?? modifiedAt
  const image = readImage(recorded)
  const unknown = unknownMembers(recorded, known)
  const entry = {
    status: readStatus(recorded),
    slug: slugify(textAt(recorded, 'slug')),
    publishedAt,
    modifiedAt: modifiedAt ?? publishedAt,
    description: cleanHtml(textAt(recorded, 'description')),
    excerpt: cleanHtml(textAt(recorded, 'excerpt')),
    image_recorded: image.json,
    recordedAuthor: textAt(recorded, 'author').slice(0, 200),
    unknown: unknown.members,
  }
  return { entry, skipped: [...image.skipped, ...unknown.skipped] }
}

/** States that others have and we do not (auto-draft, inherit) are drafts: nobody else sees what may not be ready. */
function readStatus(recorded: Recorded): Status {
  const text = textAt(recorded, 'status')
  return text === '' ? 'publish' : (STATUSES.find((one) => one === text) ?? 'draft')
}

/** The image object as recorded; one without a usable address is none. */
function readImage(recorded: Recorded): { readonly json: string | null; readonly skipped: readonly Skipped[] } {
  const value = valueAt(recorded, 'image')
  const place = below(recorded.place, 'image')
  const isNone = value === undefined || value === false || value === '' || (Array.isArray(value) && value.length === 0)
  if (isNone) return { json: null, skipped: [] }
  if (!isObject(value)) throw unusable(place, 'is neither false nor an object')
  const safe = safeJson(value)
  const isUsable = typeof value['url'] === 'string' && isHttpUrl(value['url'])
  if (safe.ok && isUsable) return { json: JSON.stringify(safe.value), skipped: [] }
  return { json: null, skipped: [{ what: placeText(place), why: isUsable ? 'too large' : 'it has no usable address' }] }
}

/** An address as it was recorded, decoded once; '' for one that a browser would run as a script. */
export function addressAt(recorded: Recorded, name: string): string {
  const address = decodeEntities(textAt(recorded, name)).trim()
  return isScriptAddress(address) ? '' : address.replace(/[<>"\p{Cc}]/gu, encodeURIComponent)
}

/** The value of a plain column as it was recorded: what is absent is blank, what is out of bounds too. @throws recorded_not_usable */
export function columnAt(recorded: Recorded, name: string, { kind, blank, limit = Number.MAX_VALUE }: Column): unknown {
  if (kind === 'flag') return flagAt(recorded, name, blank === 1) ? 1 : 0
  if (kind === 'link') return addressAt(recorded, name)
  if (kind === 'html') return cleanHtml(textAt(recorded, name))
  if (kind === 'number') {
    const value = numberAt(recorded, name)
    return value === null || Math.abs(value) > limit ? null : value
  }
  const text = plainText(textAt(recorded, name))
  // What would be markup is no mail address.
  return kind === 'email' && /[<>]/.test(text) ? '' : text
}
