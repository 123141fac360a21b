import type { RawInput } from '../../http/request/body.ts'
import { html, type Markup } from '../../pages/html.ts'
import { checkControl, choicesControl, lineControl } from '../controls.ts'
import type { PageRequest } from '../page-request.ts'
import { eventOffers } from './words.ts'

/** What stands in the form of a webhook. */
export interface WebhookForm {
  readonly url: string
  readonly description: string
  readonly events: readonly string[]
  readonly audience: string
}

/** The form of a webhook that is new. */
export const NEW_WEBHOOK: WebhookForm = {
  ...{ url: '', description: '', audience: 'public' },
  events: ['event.created', 'event.updated', 'event.deleted'],
}

/** The form of an existing webhook. */
export function formOf({ url, description, events, audience }: RawInput): WebhookForm {
  const chosen = Array.isArray(events) ? events.map(String) : []
  return { url: String(url), description: String(description), events: chosen, audience: String(audience) }
}

/** The form as it was sent. */
export function sentForm({ sent, incoming }: PageRequest): WebhookForm {
  const { events: chosen, drafts } = incoming.body
  const isAll = drafts === 'true' || (Array.isArray(drafts) && drafts.includes('true'))
  return {
    url: sent('url').trim(),
    description: sent('purpose').trim(),
    events: Array.isArray(chosen) ? chosen.map(String) : [],
    audience: isAll ? 'administrators' : 'public',
  }
}

/** What the API is asked for. */
export function bodyOfForm({ events, ...form }: WebhookForm): RawInput {
  return { ...form, events: [...events] }
}

/** The controls of the form; `wrong` has refused values, by field. */
export function webhookControls(
  request: PageRequest,
  form: WebhookForm,
  wrong: Readonly<Record<string, string>>,
): Markup {
  const { t } = request
  const url = { name: 'url', label: t('admin.url'), value: form.url, wrong: wrong['url'] }
  // Descriptions of items are long texts and have room for that.
  const description = { name: 'purpose', label: t('fields.description'), value: form.description }
  const events = { name: 'events', label: t('admin.webhooks.changesToSend') }
  const isAll = form.audience === 'administrators'
  const drafts = { name: 'drafts', label: t('admin.webhooks.seesDrafts'), isChecked: isAll }
  const told = wrong['events'] === undefined ? html`` : html`<p class="wrong">${wrong['events']}</p>`
  return html`<div class="pair">${lineControl(url, { type: 'url', required: true })}${lineControl(description)}</div><fieldset><legend>${t('admin.webhooks.changesToSend')}</legend>${choicesControl(events, eventOffers(request), new Set(form.events))}${told}</fieldset>${checkControl(drafts)}`
}
