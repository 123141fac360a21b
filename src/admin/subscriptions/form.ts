import { openAddress } from '../../base/outgoing/credentials.ts'
import type { RawInput } from '../../http/request/body.ts'
import { html, type Markup } from '../../pages/html.ts'
import { lineControl, selectControl } from '../controls.ts'
import type { PageRequest } from '../page-request.ts'
import { zoneControl } from '../zones.ts'
import { statusOffers, timeOffers } from './words.ts'

/** What stands in the form of a subscription. */
export type SubscriptionForm = Readonly<Record<'url' | 'name' | 'every' | 'status' | 'categories' | 'timezone', string>>

/** The form of a subscription that is new. */
export const NEW_SUBSCRIPTION: SubscriptionForm = {
  ...{ url: '', name: '', every: '3600', status: 'publish', categories: '', timezone: '' },
}

/** The form of a subscription that is followed. */
export function formOf(subscription: RawInput): SubscriptionForm {
  const { url, name, every, status, categories, timezone } = subscription
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
export function sentForm({ sent }: PageRequest): SubscriptionForm {
  return {
    url: sent('url').trim(),
    name: sent('name').trim(),
    every: sent('every'),
    status: sent('status'),
    categories: sent('categories'),
    timezone: sent('timezone').trim(),
  }
}

/** A password in an address is not shown again, not even to who entered it. */
function shownUrl(url: string): string {
  return openAddress(url).address
}

/** What the API is asked for. */
export function bodyOfForm({ name, categories, ...form }: SubscriptionForm): RawInput {
  const names = categories.split(',').map((one) => one.trim())
  const chosen = names.filter((one) => one !== '')
  return { ...form, ...(name !== '' && { name }), categories: chosen.length === 0 ? '' : chosen }
}

/** The controls of the form; `wrong` has refused values, by field. */
export function controls(
  request: PageRequest,
  form: SubscriptionForm,
  wrong: Readonly<Record<string, string>>,
): Markup {
  const { t } = request
  const of = (name: keyof SubscriptionForm) => ({ name, value: form[name], wrong: wrong[name] })
  const url = { ...of('url'), value: shownUrl(form.url), label: t('admin.url'), hint: t('admin.subscriptions.urlHint') }
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
