import type { LinkedRoom } from '../entries/linked/room.ts'
import { VENUE_FIELDS } from '../model/venue.ts'
import { VENUE_LIST_FIELDS } from './filters.ts'
import { presentVenue } from './present.ts'
import { BLANK_VENUE, checkVenue, completeVenue, searchedOfVenue, venueDraft } from './rules.ts'
import { VENUE } from './schema.ts'
import type { VenueContent } from './shape.ts'
import { VENUE_TABLE } from './store.ts'

/** What is particular to venues; routes and writes are those of all linked items (interface: Venues). */
export const VENUES: LinkedRoom<typeof VENUE_FIELDS, VenueContent> = {
  key: 'venue',
  schema: VENUE,
  about: 'Venues: the places of events',
  listFields: VENUE_LIST_FIELDS,
  writeFields: VENUE_FIELDS,
  table: VENUE_TABLE,
  blank: BLANK_VENUE,
  draftOf: venueDraft,
  check: checkVenue,
  complete: completeVenue,
  searched: searchedOfVenue,
  present: presentVenue,
}
