import { errorText, Failure } from '../../base/errors.ts'
import type { RawInput } from '../../http/request/body.ts'
import { html, type Markup } from '../../pages/html.ts'
import type { Offer } from '../controls.ts'
import { momentText } from '../moments.ts'
import type { PageRequest } from '../page-request.ts'
import { type Refusals, refusalsOf } from '../refusals.ts'

/** Where the pages of subscriptions are. */
export const SUBSCRIPTIONS_PATH = '/admin/subscriptions'

/** Where the API has them. */
export const API_PATH = '/kalends/v1/subscriptions'

const UNITS = [
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** Seconds as people say them: `6 hours`. */
function timeText({ incoming }: PageRequest, seconds: number): string {
  const [unit, size] = UNITS.find(([, one]) => seconds % one === 0) ?? (['second', 1] as const)
  const style = { style: 'unit', unit, unitDisplay: 'long' } as const
  return new Intl.NumberFormat(incoming.language, style).format(seconds / size)
}

/** Times between two syncs that are offered, in seconds. */
const TIMES = [300, 900, 1_800, 3_600, 10_800, 21_600, 43_200, 86_400, 604_800] as const

/** The times between two syncs to choose from, and the one that is in force. */
export function timeOffers(request: PageRequest, present: number): readonly Offer[] {
  const all = [...new Set([...TIMES, present])].filter((one) => one > 0).sort((one, other) => one - other)
  return all.map((one) => [String(one), timeText(request, one)])
}

/** The statuses of new events to choose from. */
export function statusOffers({ t }: PageRequest): readonly Offer[] {
  return [
    ['publish', t('admin.public')],
    ['pending', t('admin.pending')],
    ['draft', t('admin.draft')],
    ['private', t('admin.private')],
  ]
}

/** Why a sync failed, in the language of the reader as far as it is known there. */
export function problemText({ say }: Pick<PageRequest, 'say'>, problem: unknown): string {
  return say(String(problem ?? ''))
}

/** How a subscription is, as a badge. */
export function stateBadge({ t }: PageRequest, subscription: RawInput): Markup {
  const { visiting, paused, failures, last_visit: visited } = subscription
  if (visiting === true) return html`<span class="badge pending">${t('admin.subscriptions.syncing')}</span>`
  if (paused === true) return html`<span class="badge">${t('admin.subscriptions.paused')}</span>`
  if (Number(failures) > 0) return html`<span class="badge trash">${t('admin.failed')}</span>`
  return visited === null
    ? html`<span class="badge pending">${t('admin.subscriptions.notSyncedYet')}</span>`
    : html`<span class="badge publish">${t('admin.subscriptions.active')}</span>`
}

/** A moment of a subscription on the clock of the site; a dash for none. */
export function momentOf(request: PageRequest, moment: unknown): string {
  return typeof moment === 'string' && moment !== '' ? momentText(request, moment) : '–'
}

/** What was refused: the reasons of subscriptions in the language of the reader. @throws the error where no writer can fix it */
export function refusalsIn(request: PageRequest, error: unknown): Refusals {
  if (!(error instanceof Failure) || error.code !== 'bad_subscription') return refusalsOf(request, error)
  return { fields: {}, summary: errorText(request.incoming.language, error.code, error.slots) }
}
