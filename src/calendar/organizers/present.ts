import { webAddress } from '../../model/kinds/address.ts'
import type { OrganizerTable } from '../../storage/schema.ts'
import type { LinkedShowing } from '../shared/linked/lookup.ts'
import { jsonLdHead } from '../shared/linked/present.ts'
import { withoutEmpty } from '../shared/present.ts'

/**
 * schema.org Organization of an organizer, as also that of its events has it (wire: rest 1.4; decisions: JSON-LD). Nothing
 * reports whether an organizer is a person; an organization may be one.
 */
export function organizerJsonLd(row: OrganizerTable, showing: LinkedShowing): Readonly<Record<string, unknown>> {
  return withoutEmpty({
    ...jsonLdHead('Organization', row, showing),
    url: webAddress(row.website),
    telephone: row.phone,
    email: row.email,
    sameAs: webAddress(row.website),
  })
}
