import { cleanHtml } from '../base/text/html.ts'
import { html, type Markup, NOTHING, trusted } from '../pages/html.ts'
import { choiceOffers } from './choices.ts'
import type { FormState } from './form-fields.ts'
import { textIn } from './form-values.ts'
import { startOf } from './moments.ts'
import type { PageRequest } from './page-request.ts'

/** What visitors would see of an event, from what its form says; nothing of it is saved. */
export function eventPreview(request: PageRequest, { values, picture }: FormState): Markup {
  const { t } = request
  const text = (name: string): string => textIn(values, name).trim()
  const moment = (name: string): Markup => {
    const isAllDay = text('all_day') === 'true'
    return startOf(request, { start_date: `${text(name)} ${text(`${name}_time`) || '00:00'}`, all_day: isAllDay })
  }
  const places = [text('venue'), text('is_virtual') === 'true' ? t('fields.online') : '', text('cost')]
  const facts = places.filter((one) => one !== '').join(' · ')
  const status = choiceOffers(request, { name: 'event_status' }).find(([value]) => value === text('event_status'))
  const banner =
    text('event_status') === ''
      ? NOTHING
      : html`<p class="note"><strong>${status?.[1] ?? ''}</strong> ${text('event_status_reason')}</p>`
  const { address, alt } = picture
  const image = address === '' ? NOTHING : html`<img class="preview" src="${address}" alt="${alt}">`
  const end = text('end_date') === '' ? NOTHING : html` – ${moment('end_date')}`
  return html`<section class="box shown" aria-labelledby="preview-title"><p class="quiet-text">${t('admin.events.unsaved')}</p>
<h2 id="preview-title" dir="auto">${text('title') || t('common.untitledEvent')}</h2>${banner}<p>${moment('start_date')}${end}</p><p>${facts}</p>${image}<div dir="auto">${trusted(cleanHtml(text('description')))}</div></section>\n`
}
