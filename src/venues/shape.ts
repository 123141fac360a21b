import type { LinkedFrame, LinkedRow, NewLinked } from '../entries/linked/row.ts'
import type { VenueTable } from '../storage/schema.ts'

/** What people write about a venue, as columns. */
export type VenueContent = Omit<VenueTable, keyof LinkedFrame>

/** A venue as it is stored. */
export type VenueRow = LinkedRow<VenueContent>

/** A venue to be added. */
export type NewVenue = NewLinked<VenueContent>
