import type { LinkedDraft } from '../entries/linked/row.ts'
import type { OrganizerValues } from '../model/organizer.ts'
import { textOfHtml } from '../text/html.ts'
import type { OrganizerContent, OrganizerRow } from './shape.ts'

/** Content of an organizer of which nothing was sent. */
export const BLANK_ORGANIZER: OrganizerContent = { name: '', description: '', phone: '', website: '', email: '' }

/** What was sent about an organizer. */
export function organizerDraft(values: OrganizerValues): LinkedDraft<OrganizerContent> {
  const { author: _a, date: _d, date_utc: _u, status: _s, image: _i, organizer, ...others } = values
  return { entry: values, content: { ...others, ...(organizer !== undefined && { name: organizer }) } }
}

/** The texts that a search looks at (wire: rest 2.5). */
export function searchedOfOrganizer(row: OrganizerRow): readonly string[] {
  const { name, description, excerpt, phone, email, website } = row
  return [name, textOfHtml(description), textOfHtml(excerpt), phone, email, website]
}
