import { eventsByIds, type Lookups, presentEvents } from '../../calendar/events/index.ts'
import type { LinkedLookup } from '../../calendar/shared/linked/lookup.ts'
import { type Visibility, visibilityOf } from '../../calendar/shared/listing.ts'
import { imagesOf } from '../../calendar/shared/stored-image.ts'
import type { TermLookup } from '../../calendar/terms/index.ts'
import { ANONYMOUS } from '../../http/auth/rights.ts'
import type { Call } from '../../http/route.ts'
import type { ResourceKey } from '../../model/resource.ts'
import type { Site } from '../../model/site.ts'
import type { Reader } from '../../storage/engine.ts'
import { lineagesOf } from '../../storage/entry-texts.ts'
import type { EntryColumns } from '../../storage/schema.ts'

/** What items are read from. */
export interface ItemDeps {
  readonly reader: Reader
  readonly site: Site
  readonly lookups: Lookups
}

/** Items as lists show them, by ID. */
type Items = ReadonlyMap<number, object>

/** For whom items are shown. */
type Audience = Pick<Call<unknown>, 'caller' | 'urls' | 'language'>

/** Which items are shown. */
interface AskedItems {
  readonly resource: ResourceKey
  readonly ids: readonly number[]
  /** Whether events that are on no list are shown, too, to those who may read them; not if absent. */
  readonly withHidden?: boolean
}

/** The items with these IDs as the lists of the interface show them to a caller now; what they do not show is absent. */
export function itemsOf(
  deps: ItemDeps,
  audience: Audience,
  { resource, ids, withHidden = false }: AskedItems,
): Promise<Items> {
  const { lookups } = deps
  if (resource === 'event') return eventsOf(deps, audience, { ids, withHidden })
  if (resource === 'venue') return linkedOf(deps, audience, { lookup: lookups.venue, ids })
  if (resource === 'organizer') return linkedOf(deps, audience, { lookup: lookups.organizer, ids })
  return termsOf(deps, audience, { lookup: lookups[resource], ids })
}

async function eventsOf(
  { reader, site, lookups }: ItemDeps,
  audience: Audience,
  { ids, withHidden }: Required<Omit<AskedItems, 'resource'>>,
): Promise<Items> {
  const listed = visibilityOf(audience.caller, undefined)
  const found = await eventsByIds(reader, ids)
  const rows = found.filter((row) => (withHidden || row.hide_from_listings !== 1) && isListed(row, listed))
  const showing = { viewer: { ...audience, site }, withJsonLd: false, opened: new Set<number>() }
  const shown = await presentEvents(reader, lookups, { rows, showing })
  return new Map(rows.map(({ id }, index) => [id, shown[index] ?? {}]))
}

async function linkedOf<Row extends EntryColumns, Draft>(
  { reader, site }: ItemDeps,
  audience: Audience,
  { lookup, ids }: { readonly lookup: LinkedLookup<Row, Draft>; readonly ids: readonly number[] },
): Promise<Items> {
  const listed = visibilityOf(audience.caller, undefined)
  const rows = [...(await lookup.byIds(reader, ids)).values()].filter((row) => isListed(row, listed))
  const lineages = await lineagesOf(
    reader,
    rows.map(({ id }) => id),
  )
  const pictures = await imagesOf(reader, rows)
  const viewer = { ...audience, site }
  return new Map(
    rows.map((row) => {
      const own = { lineage: lineages.get(row.id), picture: pictures.get(row.id) }
      return [row.id, lookup.present(row, { viewer, withJsonLd: false, ...own })]
    }),
  )
}

async function termsOf(
  { reader }: ItemDeps,
  { caller, urls }: Audience,
  { lookup, ids }: { readonly lookup: TermLookup; readonly ids: readonly number[] },
): Promise<Items> {
  const terms = await lookup.byIds(reader, ids)
  const seen = await Promise.all(terms.map((term) => lookup.isSeenBy(reader, term, caller)))
  const shown = terms.filter((_term, index) => seen[index])
  const views = await lookup.shownOf(reader, shown, urls)
  return new Map(shown.map(({ id }, index) => [id, views[index] ?? {}]))
}

function isListed({ status, author_id }: EntryColumns, { ofAll, ofOwn, ownerId }: Visibility): boolean {
  return ofAll.includes(status) || (ownerId !== ANONYMOUS.id && author_id === ownerId && ofOwn.includes(status))
}
