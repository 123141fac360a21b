import { encodeText } from '../../base/text/entities.ts'
import { storedJson } from '../../base/text/stored-json.ts'
import { toLocal } from '../../base/time/zones.ts'
import type { ColumnKind } from '../../model/column.ts'
import { type EntryKey, RESOURCES } from '../../model/resource.ts'
import type { EntryColumns } from '../../storage/schema.ts'
import type { Viewer } from './viewer.ts'

/** Statuses whose entries have no pretty page address (wire: events 1.1, row 10). */
const WITHOUT_PAGE = new Set(['draft', 'pending', 'future', 'trash'])

/** The members that start every entry after its IDs, in wire order; `author` is text on the wire. */
export interface EntryHead {
  readonly author: string
  readonly status: string
  /** Publication date in the zone of the site. */
  readonly date: string
  readonly date_utc: string
  readonly modified: string
  readonly modified_utc: string
  /** Page of the entry. */
  readonly url: string
}

/** The members that start every entry. */
export function presentHead(key: EntryKey, row: EntryColumns, viewer: Viewer): EntryHead {
  const { zone } = viewer.site
  const date = toLocal(row.published_at, zone)
  return {
    author: String(row.author_id),
    status: row.status,
    date,
    date_utc: row.published_at,
    modified: row.modified_at === row.published_at ? date : toLocal(row.modified_at, zone),
    modified_utc: row.modified_at,
    url: pageUrl(key, row, viewer.urls),
  }
}

/** URL of an entry's page: by slug, or by ID while only its writers may read it. */
export function pageUrl(
  key: EntryKey,
  row: Pick<EntryColumns, 'id' | 'slug' | 'status'> & { readonly occasion?: { readonly page?: string } },
  urls: Pick<Viewer['urls'], 'page'>,
): string {
  const { page, wireType } = RESOURCES[key]
  return urls.page(
    WITHOUT_PAGE.has(row.status)
      ? `/?post_type=${wireType}&p=${row.id}`
      : `/${page}/${row.occasion?.page ?? row.slug}/`,
  )
}

/** `{host}?id={id}`: names an entry across sites (wire: events 1.1, row 2). */
export function globalId(host: string, id: number): string {
  return `${host}?id=${id}`
}

/** `global_id` and its lineage: the own ID first, then those of the sites it was imported from. */
export function presentLineage(
  host: string,
  id: number,
  lineage: readonly string[] | undefined,
): { global_id: string; global_id_lineage: string[] } {
  const own = globalId(host, id)
  return {
    global_id: own,
    global_id_lineage: lineage === undefined ? [own] : [own, ...lineage.filter((one) => one !== own)],
  }
}

/** A response with the unknown members of an import behind ours; they never shadow ours (architecture: Imports). */
export function withExtra<Item extends object>(item: Item, extra: string | null): Item {
  if (extra === null) return item
  // Undefined members are dropped: they would take the position of an unknown member.
  const own = storedJson<Item>(JSON.stringify(item))
  const recorded = storedJson<Record<string, unknown>>(extra)
  const unknown = Object.entries(recorded).filter(([member]) => !Object.hasOwn(own, member))
  return { ...own, ...Object.fromEntries(unknown) }
}

/**
 * The value of a member that is left out when it has no content: undefined for '', null, undefined, false, `[]` and `{}`
 * (wire: rest 1.1). JSON leaves it out as well, and objects that have all members alike are made and written much faster.
 */
export function filled<Value>(value: Value): Value | undefined {
  return isEmpty(value) ? undefined : value
}

/** The value of a plain column as a response shows it; lines of text are shown like titles (decisions: Text). */
export function shownAs(kind: ColumnKind, value: unknown): unknown {
  if (kind === 'flag' || kind === 'mark') return value === 1
  return typeof value === 'string' && (kind === 'line' || kind === 'email') ? encodeText(value) : value
}

/** The members that have content: '', null, undefined, false, `[]` and `{}` are left out (wire: rest 1.1). */
export function withoutEmpty(item: object): Readonly<Record<string, unknown>> {
  const kept: Record<string, unknown> = {}
  for (const [member, value] of Object.entries(item)) if (!isEmpty(value)) kept[member] = value
  return kept
}

function isEmpty(value: unknown): boolean {
  if (value === '' || value === null || value === undefined || value === false) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
