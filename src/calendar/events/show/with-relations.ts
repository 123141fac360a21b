import type { Dependency } from '../../../http/cache/versions.ts'
import { plainBlankOf } from '../../../model/column.ts'
import { EVENT_COLUMNS } from '../../../model/event.ts'
import type { Reader } from '../../../storage/engine.ts'
import type { MediaTable, OrganizerTable, VenueTable } from '../../../storage/schema.ts'
import { type EventRow, NO_LINKS } from '../../event-store/event-row.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { Term } from '../../terms/index.ts'
import { dependenciesOfEvent, inPlace, isOpen, type Lookups, loadRelations, placed, shownAmong } from './load.ts'
import { SECRET_BLANK } from './present.ts'

/** An event with what it embeds, as far as a viewer sees it: rows, for formats other than the interface's JSON. */
export interface EventWithRelations {
  /** Without its content when the event is protected and not opened. */
  readonly row: EventRow
  readonly venues: readonly VenueTable[]
  readonly organizers: readonly OrganizerTable[]
  /** Sorted by name. */
  readonly categories: readonly Term[]
  readonly tags: readonly Term[]
  /** Undefined when it has none of ours. */
  readonly picture: MediaTable | undefined
  /** Everything that was read for it, shown or not. */
  readonly dependencies: readonly Dependency[]
}

/** Who sees the events. */
export interface EventAudience {
  readonly viewer: Viewer
  /** IDs of the protected events that this caller has unlocked with a password. */
  readonly opened: ReadonlySet<number>
}

/** Events with what they embed, in the order of their rows, read with one query for each kind. */
export async function loadWithRelations(
  reader: Reader,
  lookups: Lookups,
  { rows, viewer, opened }: EventAudience & { readonly rows: readonly EventRow[] },
): Promise<EventWithRelations[]> {
  const embedded = await loadRelations(reader, lookups, { rows })
  const { links, venues, organizers, pictures } = embedded
  const categories = placed(embedded.categories, (term) => term)
  const tags = placed(embedded.tags, (term) => term)
  return rows.map((row) => {
    const dependencies = dependenciesOfEvent(row, embedded)
    if (!isOpen(row, viewer, opened)) return { ...NOTHING_EMBEDDED, row: closed(row), dependencies }
    const own = links.get(row.id) ?? NO_LINKS
    return {
      row,
      dependencies,
      venues: shownAmong(venues, own.venue, viewer),
      organizers: shownAmong(organizers, own.organizer, viewer),
      categories: inPlace(categories, own.category),
      tags: inPlace(tags, own.tag),
      picture: pictures.get(row.id),
    }
  })
}

const NOTHING_EMBEDDED = { venues: [], organizers: [], categories: [], tags: [], picture: undefined } as const

/** Plain columns as if nothing had been sent. */
const PLAIN_BLANK = plainBlankOf(EVENT_COLUMNS)

/** What lists show of a protected event: title, slug and dates (wire: events 7). */
function closed(row: EventRow): EventRow {
  return {
    ...row,
    ...PLAIN_BLANK,
    ...SECRET_BLANK,
    language: row.language,
    ...{ description: '', excerpt: '', image_id: null, image_recorded: null, extra: null },
    ...{
      cost: '',
      cost_symbol: '',
      cost_position: '',
      website: '',
      post_parent: 0,
      tickets: null,
      custom_fields: null,
    },
  }
}
