/** The module for organizers: people and bodies that hold events. */

import type { RowOf } from '../../model/column.ts'
import { ORGANIZER_COLUMNS, ORGANIZER_FIELDS } from '../../model/organizer.ts'
import { linkedFilters } from '../shared/linked/filters.ts'
import { type OpenLinked, openLinked } from '../shared/linked/open.ts'
import { linkedRoom } from '../shared/linked/room.ts'
import type { LinkedDeps } from '../shared/linked/routes-write.ts'
import { organizerJsonLd } from './present.ts'
import { ORGANIZER } from './schema.ts'

export { ORGANIZER }

/** What people write about an organizer, as columns. */
export type OrganizerContent = RowOf<typeof ORGANIZER_COLUMNS>

/** What is particular to organizers; routes and writes are those of all linked items (interface: Organizers). */
export const ORGANIZERS = linkedRoom<typeof ORGANIZER_FIELDS, OrganizerContent>({
  key: 'organizer',
  schema: ORGANIZER,
  about: 'api.organizers.organizersPeopleGroupsBehind',
  filters: linkedFilters('organizers'),
  writeFields: ORGANIZER_FIELDS,
  columns: ORGANIZER_COLUMNS,
  searched: ['name', 'description', 'excerpt', 'phone', 'email', 'website'],
  pairs: [],
  alwaysSent: [],
  errors: {
    pastEnd: 'organizer-archive-page-not-found',
    notCreated: 'could-not-create-organizer',
    notAccessible: 'organizer-not-accessible',
    inTrash: 'organizer-is-in-trash',
  },
  complete: (sent) => sent,
  jsonLd: organizerJsonLd,
})

/** Opens the module for organizers: its routes, what events use of it, and what it publishes when it is due. */
export function openOrganizers(deps: LinkedDeps): OpenLinked<OrganizerContent> {
  return openLinked(ORGANIZERS, deps)
}
