/** The room of venues: places where events happen. */

import { DISTANCE_FILTERS, linkedFilters, PLACED_ORDERS } from '../entries/linked/filters.ts'
import { type OpenLinked, openLinked } from '../entries/linked/open.ts'
import { linkedRoom } from '../entries/linked/room.ts'
import type { LinkedParts } from '../entries/linked/routes-write.ts'
import type { RowOf } from '../model/column.ts'
import { VENUE_COLUMNS, VENUE_FIELDS } from '../model/venue.ts'
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
  about: 'Venues: the places of events',
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

/** Opens the room of venues: its routes, what events use of it, and what it publishes when it is due. */
export function openVenues(parts: LinkedParts): OpenLinked<VenueContent> {
  return openLinked(VENUES, parts)
}
