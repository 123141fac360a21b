import type { RawInput } from '../../http/request/body.ts'
import { html, type Markup } from '../../web/html.ts'
import type { Asking } from '../asking.ts'
import { lineControl, selectControl } from '../controls.ts'
import { zoneControl } from '../zones.ts'
import { statusOffers, timeOffers } from './words.ts'

/** What stands in the form of a source. */
export interface SourceForm {
  readonly url: string
  readonly name: string
  readonly every: string
  readonly status: string
  readonly categories: string
  readonly timezone: string
}

/** The form of a source that is new. */
export const NEW_SOURCE: SourceForm = {
  ...{ url: '', name: '', every: '3600', status: 'publish', categories: '', timezone: '' },
}

/** The form of a source that is followed. */
export function formOf(source: RawInput): SourceForm {
  const { url, name, every, status, categories, timezone } = source
  const names = Array.isArray(categories) ? categories.map(String).join(', ') : ''
  return {
    url: String(url),
    name: String(name),
    every: String(every),
    status: String(status),
    categories: names,
    timezone: String(timezone),
  }
}

/** The form as it was sent. */
export function sentForm({ sent }: Asking): SourceForm {
  return {
    url: sent('url').trim(),
    name: sent('name').trim(),
    every: sent('every'),
    status: sent('status'),
    categories: sent('categories'),
    timezone: sent('timezone').trim(),
  }
}

/** What the API is asked for. */
export function bodyOfForm({ name, categories, ...form }: SourceForm): RawInput {
  const names = categories.split(',').map((one) => one.trim())
  const chosen = names.filter((one) => one !== '')
  return { ...form, ...(name !== '' && { name }), categories: chosen.length === 0 ? '' : chosen }
}

/** The controls of the form; `wrong` has what was refused, by field. */
export function sourceControls(asking: Asking, form: SourceForm, wrong: Readonly<Record<string, string>>): Markup {
  const { t } = asking
  const of = (name: keyof SourceForm) => ({ name, value: form[name], wrong: wrong[name] })
  const url = { ...of('url'), label: t('Address'), hint: t('Of an iCalendar file; it often ends in .ics.') }
  const categories = {
    ...of('categories'),
    label: t('Categories'),
    hint: t('Names separated by commas; new ones are created.'),
  }
  const zone = {
    ...of('timezone'),
    label: t('Time zone'),
    hint: t('For times without a zone; empty for that of this calendar.'),
  }
  return html`${lineControl(url, { type: 'url', required: true })}<div class="pair">${lineControl({ ...of('name'), label: t('Name') })}${selectControl({ ...of('every'), label: t('Sync every') }, timeOffers(asking, Number(form.every) || 0))}${selectControl({ ...of('status'), label: t('Status of new events') }, statusOffers(asking))}</div><div class="pair">${lineControl(categories)}${zoneControl(zone)}</div>`
}
