import type { LinkedFrame, LinkedRow, NewLinked } from '../entries/linked/row.ts'
import type { OrganizerTable } from '../storage/schema.ts'

/** What people write about an organizer, as columns. */
export type OrganizerContent = Omit<OrganizerTable, keyof LinkedFrame>

/** An organizer as it is stored. */
export type OrganizerRow = LinkedRow<OrganizerContent>

/** An organizer to be added. */
export type NewOrganizer = NewLinked<OrganizerContent>
