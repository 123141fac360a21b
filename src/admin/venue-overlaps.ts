import { utcFromMillis } from '../base/time/zones.ts'
import { overlapsAtVenue } from '../calendar/events/index.ts'
import type { RawInput } from '../http/request/body.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import { momentText } from './moments.ts'
import type { PageRequest } from './page-request.ts'

/** Pairs that are listed. */
const SHOWN = 50

/** Events that overlap at a venue that takes one at a time: they were there before, and stay; nothing where none do. */
export async function venueOverlaps(request: PageRequest, venue: RawInput): Promise<Markup> {
  if (venue['exclusive'] !== true) return NOTHING
  const { t, deps, incoming } = request
  const pairs = await overlapsAtVenue(deps.storage, {
    venue: Number(venue['id']),
    start: utcFromMillis(incoming.now),
    caller: incoming.caller,
    limit: SHOWN + 1,
  })
  if (pairs.length === 0) return NOTHING
  const items = pairs.slice(0, SHOWN).map((pair) => {
    const links = pair.map(
      ({ id, title, start: from }) =>
        html`<a href="/admin/events/${id}">${title || t('common.untitledEvent')}</a> (${momentText(request, from)})`,
    )
    return html`<li dir="auto">${links[0] ?? NOTHING} · ${links[1] ?? NOTHING}</li>\n`
  })
  const more = pairs.length > SHOWN ? html`<p>…</p>` : NOTHING
  return html`<section class="box" aria-labelledby="overlaps"><h2 id="overlaps">${t('admin.conflict.overlappingEvents')}</h2><p>${t('admin.conflict.olderOverlaps')}</p><ul>${items}</ul>${more}</section>\n`
}
