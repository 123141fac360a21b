import type { LinkedRoom } from '../entries/linked/room.ts'
import { ORGANIZER_FIELDS } from '../model/organizer.ts'
import { ORGANIZER_LIST_FIELDS } from './filters.ts'
import { presentOrganizer } from './present.ts'
import { BLANK_ORGANIZER, organizerDraft, searchedOfOrganizer } from './rules.ts'
import { ORGANIZER } from './schema.ts'
import type { OrganizerContent } from './shape.ts'
import { ORGANIZER_TABLE } from './store.ts'

/** What is particular to organizers; routes and writes are those of all linked items (interface: Organizers). */
export const ORGANIZERS: LinkedRoom<typeof ORGANIZER_FIELDS, OrganizerContent> = {
  key: 'organizer',
  schema: ORGANIZER,
  about: 'Organizers: the people and groups behind events',
  listFields: ORGANIZER_LIST_FIELDS,
  writeFields: ORGANIZER_FIELDS,
  table: ORGANIZER_TABLE,
  blank: BLANK_ORGANIZER,
  draftOf: organizerDraft,
  check: () => [],
  complete: (sent) => sent,
  searched: searchedOfOrganizer,
  present: presentOrganizer,
}
