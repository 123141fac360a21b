import type { LinkedShowing } from '../entries/linked/lookup.ts'
import { jsonLdHead, presentLinkedHead, presentLinkedIds } from '../entries/linked/present.ts'
import { filled, filledLine, withExtra, withoutEmpty } from '../entries/present.ts'
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

/** schema.org Person of an organizer (wire: rest 1.4; decisions: JSON-LD); it is embedded as it is in that of an event. */
function organizerJsonLd(row: OrganizerRow, showing: LinkedShowing): Readonly<Record<string, unknown>> {
  return withoutEmpty({
    ...jsonLdHead('Person', row, showing),
    url: row.website,
    telephone: row.phone,
    email: row.email,
    sameAs: row.website,
  })
}
