import { html, type Markup } from '../pages/html.ts'
import { FIELD_ACTIONS, type FieldAction } from './bulk-change.ts'
import { lineControl, type Offer } from './controls.ts'
import { pickerOf } from './form-fields.ts'
import { languageOffers } from './languages.ts'
import type { PageRequest } from './page-request.ts'

/** What the actions are called. */
export function fieldLabels({ t }: Pick<PageRequest, 't'>): Readonly<Record<FieldAction, string>> {
  return {
    category: t('admin.bulk.addCategory'),
    tag: t('admin.bulk.addTag'),
    venue: t('admin.bulk.setVenue'),
    organizer: t('admin.bulk.addOrganizer'),
    language: t('admin.bulk.setLanguage'),
    feature: t('admin.bulk.feature'),
    unfeature: t('admin.bulk.stopFeaturing'),
    cancel: t('admin.bulk.cancelEvents'),
    uncancel: t('admin.series.restoreDate'),
  }
}

/** What can be changed in several events. */
export function fieldOffers(request: PageRequest): readonly Offer[] {
  const labels = fieldLabels(request)
  return FIELD_ACTIONS.map((action) => [action, labels[action]])
}

/** The inputs of the actions that need a value; style sheets show that of the action which is chosen. */
export function fieldInputs(request: PageRequest): Markup {
  const { t } = request
  const named = [
    ['category', t('common.category'), 'categories'],
    ['tag', t('common.tag'), 'tags'],
    ['venue', t('fields.venue'), 'venue'],
    ['organizer', t('common.organizer'), 'organizer'],
  ] as const
  const lines = named.map(([action, label, field]) => {
    const parts = { name: `to_${action}`, label, picker: pickerOf(request, field) }
    return html`<div class="to ${action}">${lineControl(parts, { autocomplete: 'off' })}</div>`
  })
  const languages = lineControl(
    { name: 'to_language', label: t('fields.language') },
    { list: 'languages', autocomplete: 'off' },
  )
  const tags = languageOffers(request).map(([tag, name]) => html`<option value="${tag}">${name}</option>`)
  return html`${lines}<div class="to language">${languages}<datalist id="languages">${tags}</datalist></div>`
}
