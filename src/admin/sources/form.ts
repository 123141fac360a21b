import type { RawInput } from '../../http/request/body.ts'
import { html, type Markup } from '../../pages/html.ts'
import type { FormPart } from '../conflict.ts'
import { lineControl, selectControl } from '../controls.ts'
import { type FormValues, textIn } from '../form-values.ts'
import type { PageRequest } from '../page-request.ts'
import { linePart } from '../plain-form.ts'
import { zoneControl } from '../zones.ts'
import { statusOffers, timeOffers, timeText } from './words.ts'

/** What stands in the form of a source. */
export type SourceForm = Readonly<Record<'url' | 'name' | 'every' | 'status' | 'categories' | 'timezone', string>>

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
export function sentForm({ sent }: PageRequest): SourceForm {
  return {
    url: sent('url').trim(),
    name: sent('name').trim(),
    every: sent('every'),
    status: sent('status'),
    categories: sent('categories'),
    timezone: sent('timezone').trim(),
  }
}

/** The form with these values. */
export function sourceFormIn(values: FormValues): SourceForm {
  const text = (name: keyof SourceForm): string => textIn(values, name)
  return {
    ...{ url: text('url'), name: text('name'), every: text('every') },
    ...{ status: text('status'), categories: text('categories'), timezone: text('timezone') },
  }
}

/** The parts of the form, as two versions of it name them. */
export function sourceParts(request: PageRequest): readonly FormPart[] {
  const { t } = request
  const statuses = new Map(statusOffers(request))
  return [
    linePart('url', t('admin.url')),
    linePart('name', t('fields.name')),
    linePart('every', t('admin.subscriptions.syncEvery'), (value) => timeText(request, Number(value) || 0)),
    linePart('status', t('admin.import.newStatus'), (value) => statuses.get(value) ?? value),
    linePart('categories', t('fields.categories')),
    linePart('timezone', t('fields.timeZone')),
  ]
}

/** What the API is asked for. */
export function bodyOfForm({ name, categories, ...form }: SourceForm): RawInput {
  const names = categories.split(',').map((one) => one.trim())
  const chosen = names.filter((one) => one !== '')
  return { ...form, ...(name !== '' && { name }), categories: chosen.length === 0 ? '' : chosen }
}

/** The controls of the form; `wrong` has refused values, by field. */
export function sourceControls(
  request: PageRequest,
  form: SourceForm,
  wrong: Readonly<Record<string, string>>,
): Markup {
  const { t } = request
  const of = (name: keyof SourceForm) => ({ name, value: form[name], wrong: wrong[name] })
  const url = { ...of('url'), label: t('admin.url'), hint: t('admin.subscriptions.urlHint') }
  const categories = {
    ...of('categories'),
    label: t('fields.categories'),
    hint: t('admin.form.namesHint'),
  }
  const zone = {
    ...of('timezone'),
    label: t('fields.timeZone'),
    hint: t('admin.subscriptions.zoneHint'),
  }
  return html`${lineControl(url, { type: 'url', required: true })}<div class="pair">${lineControl({ ...of('name'), label: t('fields.name') })}${selectControl({ ...of('every'), label: t('admin.subscriptions.syncEvery') }, timeOffers(request, Number(form.every) || 0))}${selectControl({ ...of('status'), label: t('admin.import.newStatus') }, statusOffers(request))}</div><div class="pair">${lineControl(categories)}${zoneControl(zone)}</div>`
}
