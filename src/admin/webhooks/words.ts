import { errorText, Failure } from '../../base/errors.ts'
import { WEBHOOK_EVENTS } from '../../changes/webhooks/index.ts'
import type { RawInput } from '../../http/request/body.ts'
import { html, type Markup } from '../../pages/html.ts'
import type { Offer } from '../controls.ts'
import { momentText } from '../moments.ts'
import type { PageRequest } from '../page-request.ts'
import { type Refusals, refusalsOf } from '../refusals.ts'

/** Where the pages of webhooks are. */
export const WEBHOOKS_PATH = '/admin/webhooks'

/** Where the API has them. */
export const WEBHOOKS_API = '/kalends/v1/webhooks'

/** Path of the messages of webhooks in the API. */
export const DELIVERIES_API = '/kalends/v1/webhook-deliveries'

/** The events that a webhook can get, to choose from. */
export function eventOffers({ t }: PageRequest): readonly Offer[] {
  const kinds = {
    ...{ event: t('common.events'), venue: t('admin.venues'), organizer: t('fields.organizers') },
    ...{ category: t('fields.categories'), tag: t('fields.tags') },
  }
  const actions = { created: t('admin.created'), updated: t('admin.changed'), deleted: t('admin.deleted') }
  return WEBHOOK_EVENTS.map((event): Offer => {
    const [kind, action] = event.split('.') as [keyof typeof kinds, keyof typeof actions]
    return [event, `${kinds[kind]}: ${actions[action]}`]
  })
}

/** Why an attempt failed, in the language of the reader. */
export function problemText({ t }: PageRequest, problem: unknown): string {
  const text = String(problem ?? '')
  const [, status] = /(\d{3})$/.exec(text) ?? []
  if (status !== undefined) return t('subscriptions.problem.serverResponded', { status })
  const texts: Readonly<Record<string, string>> = {
    'closed address': t('subscriptions.problem.privateAddress'),
    unreachable: t('subscriptions.problem.unreachable'),
    'too late': t('subscriptions.problem.timeout'),
    'broken off': t('subscriptions.problem.cutOff'),
    'too many bytes': t('subscriptions.problem.tooLarge'),
  }
  return texts[text] ?? text
}

/** How a webhook is, as a badge. */
export function hookBadge({ t }: PageRequest, { active, failures }: RawInput): Markup {
  if (active !== true) return html`<span class="badge">${t('admin.webhooks.off')}</span>`
  if (Number(failures) > 0) return html`<span class="badge trash">${t('admin.failed')}</span>`
  return html`<span class="badge publish">${t('admin.webhooks.on')}</span>`
}

/** What became of a message, as a badge. */
export function deliveryBadge({ t }: PageRequest, { state }: RawInput): Markup {
  if (state === 'delivered') return html`<span class="badge publish">${t('admin.webhooks.delivered')}</span>`
  if (state === 'pending') return html`<span class="badge pending">${t('admin.webhooks.waiting')}</span>`
  return state === 'failed'
    ? html`<span class="badge trash">${t('admin.failed')}</span>`
    : html`<span class="badge">${t('admin.webhooks.notSent')}</span>`
}

/** A moment on the clock of the site; a dash for none. */
export function momentOf(request: PageRequest, moment: unknown): string {
  return typeof moment === 'string' ? momentText(request, moment) : '–'
}

/** What was refused, in the language of the reader. @throws the error where no writer can fix it */
export function hookRefusals(request: PageRequest, error: unknown): Refusals {
  if (!(error instanceof Failure) || error.code !== 'bad_webhook') return refusalsOf(request, error)
  return { fields: {}, summary: errorText(request.incoming.language, error.code, error.slots) }
}
