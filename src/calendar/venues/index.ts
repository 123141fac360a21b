/** The module for venues: places where events happen. */

import { utcFromMillis } from '../../base/time/zones.ts'
import type { Caller } from '../../http/auth/rights.ts'
import type { RowOf } from '../../model/column.ts'
import { VENUE_COLUMNS, VENUE_FIELDS } from '../../model/venue.ts'
import type { Reader } from '../../storage/engine.ts'
import { DISTANCE_FILTERS, linkedFilters, PLACED_ORDERS } from '../shared/linked/filters.ts'
import { type OpenLinked, openLinked } from '../shared/linked/open.ts'
import { linkedRoom } from '../shared/linked/room.ts'
import type { LinkedDeps } from '../shared/linked/routes-write.ts'
import { venueJsonLd } from './present.ts'
import { withRegion } from './rules.ts'
import { VENUE } from './schema.ts'

export { VENUE }

/** What people write about a venue, as columns. */
export type VenueContent = RowOf<typeof VENUE_COLUMNS>

/** What is particular to venues; routes and writes are those of all linked items (interface: Venues). */
export const VENUES = linkedRoom<typeof VENUE_FIELDS, VenueContent>({
  key: 'venue',
  schema: VENUE,
  about: 'api.venues.venuesPlacesWhereEvents',
  filters: [...linkedFilters('venues', PLACED_ORDERS), ...DISTANCE_FILTERS],
  writeFields: VENUE_FIELDS,
  columns: VENUE_COLUMNS,
  searched: [
    ...(['name', 'description', 'excerpt', 'address', 'city', 'province'] as const),
    ...(['state', 'stateprovince', 'zip', 'phone'] as const),
  ],
  pairs: [['geo_lat', 'geo_lng']],
  alwaysSent: ['stateprovince'],
  errors: {
    pastEnd: 'venue-archive-page-not-found',
    notCreated: 'could-not-create-venue',
    notAccessible: 'venue-not-accessible',
    inTrash: 'venue-is-in-trash',
  },
  complete: withRegion,
  jsonLd: venueJsonLd,
})

/** What the module needs. */
export interface VenueDeps extends Omit<LinkedDeps, 'warningsOf'> {
  /** The header that names events which overlap each other at a venue from a moment on, UTC text; they are not listed if absent. */
  standingOverlaps?(
    reader: Reader,
    question: { readonly venue: number; readonly start: string; readonly caller: Caller },
  ): Promise<Readonly<Record<string, string>>>
}

/** Opens the module for venues: its routes, what events use of it, and what it publishes when it is due. */
export function openVenues({ standingOverlaps, ...parts }: VenueDeps): OpenLinked<VenueContent> {
  return openLinked(VENUES, {
    ...parts,
    warningsOf: async (reader, { id, caller, now, values }) =>
      (values['exclusive'] === true &&
        (await standingOverlaps?.(reader, { venue: id, start: utcFromMillis(now), caller }))) ||
      {},
  })
}
