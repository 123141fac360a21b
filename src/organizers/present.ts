import type { LinkedShowing } from '../entries/linked/lookup.ts'
import { jsonLdHead, presentLinkedHead, presentLinkedIds } from '../entries/linked/present.ts'
import { filled, filledLine, withExtra, withoutEmpty } from '../entries/present.ts'
import { webAddress } from '../fields/address.ts'
import type { OrganizerRow } from './shape.ts'

/** The representation of an organizer, member by member as the wire has it (wire: rest 1.2); empty ones are left out. */
export function presentOrganizer(row: OrganizerRow, showing: LinkedShowing): Readonly<Record<string, unknown>> {
  const ids = presentLinkedIds(row, showing)
  const answer = {
    ...presentLinkedHead('organizer', row, showing),
    phone: filledLine(row.phone),
    website: filled(row.website),
    email: filledLine(row.email),
    json_ld: showing.withJsonLd ? organizerJsonLd(row, showing) : undefined,
    global_id: ids.global_id,
    global_id_lineage: ids.global_id_lineage,
  }
  return withExtra(answer, row.extra)
}

/**
 * schema.org Organization of an organizer, as also that of its events has it (wire: rest 1.4; decisions: JSON-LD). Nothing
 * tells whether an organizer is a person; an organization may be one.
 */
function organizerJsonLd(row: OrganizerRow, showing: LinkedShowing): Readonly<Record<string, unknown>> {
  return withoutEmpty({
    ...jsonLdHead('Organization', row, showing),
    url: webAddress(row.website),
    telephone: row.phone,
    email: row.email,
    sameAs: webAddress(row.website),
  })
}
