import { time } from '../../pages/dates.ts'
import { html, type Markup, NOTHING } from '../../pages/html.ts'
import { choiceOffers } from '../choices.ts'
import type { PageRequest } from '../page-request.ts'
import { statusBadge } from '../status.ts'
import { rowsTable } from '../table.ts'
import type { ImportOutcome } from './types.ts'

/** The first events of a file as they would look; nothing for a file without any. */
export function previewedEvents(request: PageRequest, { preview = [] }: ImportOutcome): Markup {
  if (preview.length === 0) return NOTHING
  const { t, incoming } = request
  const context = { language: incoming.language, say: t }
  const rows = preview.map((event) => {
    const badge = event.status === 'publish' ? NOTHING : html` ${statusBadge(request, event.status)}`
    const state = eventState(request, event.event_status)
    return html`<tr><th scope="row" class="wrap"><bdi>${event.title}</bdi>${badge}${state}</th><td class="wrap">${time(context, event)}</td><td class="wrap"><bdi>${event.venues.join(', ')}</bdi></td></tr>\n`
  })
  return html`<h3>${t('admin.import.firstEvents')}</h3>${rowsTable([t('fields.title'), t('form.section.when'), t('fields.venue')], rows)}`
}

/** What became of an event, as a badge; nothing where it takes place as planned. */
function eventState(request: PageRequest, status: string): Markup {
  const [, text] = choiceOffers(request, { name: 'event_status' }).find(([value]) => value === status) ?? []
  return text === undefined ? NOTHING : html` <span class="badge trash">${text}</span>`
}
