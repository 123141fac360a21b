import { withValues } from '../../../../base/i18n/translate.ts'
import { decodeEntities } from '../../../../base/text/entities.ts'
import { cleanHtml, plainText } from '../../../../base/text/html.ts'
import { isHttpUrl } from '../../../../base/text/http-url.ts'
import { slugify } from '../../../../base/text/slug.ts'
import type { Column } from '../../../../model/column.ts'
import { canonicalLanguage } from '../../../../model/kinds/language.ts'
import { STATUSES, type Status } from '../../../../model/status.ts'
import type { Skipped } from '../../types.ts'
import {
  below,
  flagAt,
  isObject,
  momentAt,
  noteAt,
  numberAt,
  type SourceObject,
  textAt,
  unusable,
  valueAt,
} from './members.ts'
import { isScriptAddress, safeJson, unknownMembers } from './unknown.ts'

/** Members that every event, venue and organizer has and that are read, or rebuilt with every response. */
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
export interface SourceEntry {
  readonly status: Status
  /** As recorded; '' to create one. */
  readonly slug: string
  /** UTC text; undefined when none was recorded. */
  readonly publishedAt: string | undefined
  /** UTC text; undefined when none was recorded. */
  readonly modifiedAt: string | undefined
  readonly description: string
  readonly excerpt: string
  /** JSON of the image object; null if there is none. */
  readonly image_recorded: string | null
  /** Where the image is; '' if there is none. */
  readonly imageAddress: string
  /** The author there; '' when none was recorded. */
  readonly recordedAuthor: string
  /** Unknown members. */
  readonly unknown: Readonly<Record<string, unknown>>
}

/** How entries are read. */
export interface EntryReadOptions {
  readonly known: ReadonlySet<string>
  /** Takes what is left out. */
  readonly notes: Skipped[]
  /** Zone of the dates that are recorded on a wall clock. */
  readonly zone: string
}

/** Reads what an event, venue or organizer has in common with the others. @throws recorded_not_usable */
export function readEntry(source: SourceObject, { known, zone, notes }: EntryReadOptions): SourceEntry {
  const modifiedAt = momentAt(source, 'modified', zone)
  const publishedAt = momentAt(source, 'date', zone) ?? modifiedAt
  const image = readImage(source, notes)
  return {
    status: readStatus(source),
    slug: slugify(textAt(source, 'slug')),
    publishedAt,
    modifiedAt: modifiedAt ?? publishedAt,
    description: cleanHtml(textAt(source, 'description')),
    excerpt: cleanHtml(textAt(source, 'excerpt')),
    image_recorded: image.json,
    imageAddress: image.address,
    recordedAuthor: textAt(source, 'author').slice(0, 200),
    unknown: unknownMembers(source, known, notes),
  }
}

/** States that others have and we do not (auto-draft, inherit) are drafts: no one else sees what may not be ready. */
function readStatus(source: SourceObject): Status {
  const text = textAt(source, 'status')
  return text === '' ? 'publish' : (STATUSES.find((one) => one === text) ?? 'draft')
}

/** The image object as recorded; one without a usable address is none. */
function readImage(source: SourceObject, notes: Skipped[]): { readonly json: string | null; readonly address: string } {
  const value = valueAt(source, 'image')
  const isNone = value === undefined || value === false || value === '' || (Array.isArray(value) && value.length === 0)
  if (isNone) return { json: null, address: '' }
  if (!isObject(value)) throw unusable(below(source.place, 'image'), 'is neither false nor an object')
  const safe = safeJson(value)
  const address = typeof value['url'] === 'string' ? value['url'] : ''
  const isUsable = isHttpUrl(address)
  if (safe.ok && isUsable) return { json: JSON.stringify(safe.value), address }
  notes.push(noteAt(source, 'image', isUsable ? 'too large' : 'it has no usable address'))
  return { json: null, address: '' }
}

/** An address as it was recorded, decoded once; '' for one that a browser would run as a script. */
function addressAt(source: SourceObject, name: string): string {
  const address = decodeEntities(textAt(source, name)).trim()
  return isScriptAddress(address) ? '' : address.replace(/[<>"\p{Cc}]/gu, encodeURIComponent)
}

/** The value of a plain column as it was recorded: what is absent is blank, and, with a note, what cannot be. @throws recorded_not_usable */
export function columnAt(
  source: SourceObject,
  name: string,
  { column, notes }: { readonly column: Column; readonly notes: Skipped[] },
): unknown {
  const value = recordedAs(source, name, column)
  const recorded = valueAt(source, name)
  const isLost = (value === '' || value === null) && recorded !== undefined && recorded !== false
  if (isLost && String(recorded).trim() !== '') notes.push(noteAt(source, name, unreadOf(name, recorded)))
  return value
}

/** Why a value was left out, with the value as it was recorded. */
function unreadOf(property: string, recorded: unknown): string {
  return withValues('import.note.unread', { property, value: String(recorded).slice(0, 100) })
}

function recordedAs(source: SourceObject, name: string, { kind, blank, limit = Number.MAX_VALUE }: Column): unknown {
  if (kind === 'flag' || kind === 'mark') return flagAt(source, name, blank === 1) ? 1 : 0
  if (kind === 'link') return addressAt(source, name)
  if (kind === 'html') return cleanHtml(textAt(source, name))
  if (kind === 'number') {
    const value = numberAt(source, name)
    return value === null || Math.abs(value) > limit ? null : value
  }
  if (kind === 'language') {
    const tag = valueAt(source, name)
    return typeof tag === 'string' ? (canonicalLanguage(tag.trim().replaceAll('_', '-')) ?? '') : ''
  }
  const text = plainText(textAt(source, name))
  // What would be markup is no email address.
  return kind === 'email' && /[<>]/.test(text) ? '' : text
}
