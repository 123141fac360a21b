import type { Reader } from '../../../storage/engine.ts'
import type { EventTable, OccurrenceTable, VenueTable } from '../../../storage/schema.ts'
import { idsTemplate } from '../../../storage/statement-template.ts'
import { NO_LINKS, placesOfRows } from '../../event-store/event-row.ts'
import { pathOfDate } from '../../event-store/series/shown.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { Term } from '../../terms/index.ts'
import { inPlace, isOpen, type Lookups, placed, shownAmong } from '../show/load.ts'

const OF_OCCURRENCE = [
  'id',
  'event_id',
  'status',
  'author_id',
  'start_local',
  'end_local',
  'start_utc',
  'end_utc',
] as const

const OF_EVENT = [
  ...(['title', 'slug', 'status', 'author_id', 'language', 'event_status', 'all_day', 'timezone'] as const),
  ...(['password_hash', 'exception'] as const),
] as const

type StoredBrief = Pick<OccurrenceTable, (typeof OF_OCCURRENCE)[number]> & Pick<EventTable, (typeof OF_EVENT)[number]>

/** An event as a calendar names it that has hundreds of them: when and where it takes place, its title and its page. */
export interface EventBrief {
  /** Its slug is what stands in the address of its page. */
  readonly row: StoredBrief
  /** None of a protected event. */
  readonly venues: readonly VenueTable[]
  /** Sorted by name; none of a protected event. */
  readonly categories: readonly Term[]
}

/** Events and dates in the order of the IDs, as far as a viewer sees them; nothing is read that a calendar does not name. */
export async function briefsOf(
  reader: Reader,
  lookups: Lookups,
  { ids, viewer }: { readonly ids: readonly number[]; readonly viewer: Viewer },
): Promise<EventBrief[]> {
  if (ids.length === 0) return []
  const rows = await reader.all(briefsWith(reader, ids))
  const links = await placesOfRows(reader, [...new Set(rows.map((row) => row.event_id))])
  const idsOf = (kind: 'venue' | 'category') => [...new Set([...links.values()].flatMap((one) => one[kind]))]
  const venues = await lookups.venue.byIds(reader, idsOf('venue'))
  const categories = placed(await lookups.category.byIds(reader, idsOf('category')), (term) => term)
  const byId = new Map(
    rows.map((stored): [number, EventBrief] => {
      const row = withPath(stored)
      const own = isOpen(row, viewer, NOBODY) ? (links.get(row.event_id) ?? NO_LINKS) : NO_LINKS
      const place = shownAmong(venues, own.venue, viewer)
      return [row.id, { row, venues: place, categories: inPlace(categories, own.category) }]
    }),
  )
  return ids.flatMap((id) => byId.get(id) ?? [])
}

const NOBODY: ReadonlySet<number> = new Set()

interface OfDate {
  readonly series_id: number | null
  readonly series_slug: string | null
  readonly series_status: EventTable['status'] | null
  readonly recurrence_id: string | null
  readonly of_day: number | null
  readonly address: string | null
}

/** A date of a recurring event has its page below that of the event. */
function withPath(stored: StoredBrief & OfDate) {
  const { series_id, series_slug, series_status, recurrence_id, of_day, address, ...row } = stored
  if (series_id === null || series_slug === null || recurrence_id === null || of_day === null) return row
  const status = series_status ?? row.status
  const series = { id: series_id, slug: series_slug, status }
  const date = { id: row.id, recurrence_id, of_day, position: 1, address }
  const exception = row.event_id === series_id ? undefined : row
  return { ...row, status, slug: pathOfDate({ series, date, exception }) }
}

const briefsWith = idsTemplate((reader, hasId) =>
  reader.db
    .selectFrom('occurrence')
    .innerJoin('event', 'event.id', 'occurrence.event_id')
    .leftJoin('series_date', 'series_date.id', 'occurrence.id')
    .leftJoin('event as series', 'series.id', 'series_date.series_id')
    .select(OF_OCCURRENCE.map((name) => `occurrence.${name}` as const))
    .select(OF_EVENT.map((name) => `event.${name}` as const))
    .select(['series_date.series_id', 'series_date.recurrence_id', 'series_date.of_day', 'series_date.address'])
    .select(['series.slug as series_slug', 'series.status as series_status'])
    .where(hasId('occurrence.id')),
)
