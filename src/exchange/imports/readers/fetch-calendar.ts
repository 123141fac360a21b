import { type MessageId, withValues } from '../../../base/i18n/translate.ts'
import type { AddressGate } from '../../../base/outgoing/addresses.ts'
import { basicAuthorization, type Credentials, openAddress } from '../../../base/outgoing/credentials.ts'
import { type OutgoingResponse, plainAddress, sendRequest, type Unanswered } from '../../../base/outgoing/request.ts'
import { unpack } from './unpack.ts'

/** Where a calendar is fetched from. */
export interface CalendarAddress {
  /** http or https, without credentials. */
  readonly url: string
  readonly credentials: Credentials | undefined
  /** Whether it was entered as `webcal:`: https is tried first, and http where nothing answers there. */
  readonly isWebcal: boolean
}

/** The address of a calendar as people enter it; undefined where it is none of http(s) or webcal(s). */
export function calendarAddress(entered: string): CalendarAddress | undefined {
  const { address, credentials } = openAddress(entered.trim().replace(/^webcals?:/i, 'https:'))
  const url = plainAddress(address)
  return url === undefined ? undefined : { url, credentials, isWebcal: /^\s*webcal:/i.test(entered) }
}

/** Bounds of a calendar that is fetched: bytes, also unpacked, and milliseconds. */
const FETCH = { limit: 33_554_432, patience: 60_000 } as const

/** How a calendar is fetched. */
export interface CalendarFetch {
  readonly gate: AddressGate
  readonly signal?: AbortSignal | undefined
  /** Besides those that all calendars are fetched with. */
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds; a minute if absent. */
  readonly patience?: number
}

/** A response of status 200 or 304, unpacked, or the reason for having none. */
export type FetchedCalendar =
  | { readonly ok: true; readonly response: OutgoingResponse }
  | { readonly ok: false; readonly reason: string; readonly response?: OutgoingResponse }

/** Why there is no response, for people. */
export const PROBLEMS: Readonly<Record<Unanswered, MessageId>> = {
  closed_address: 'subscriptions.problem.privateAddress',
  unreachable: 'subscriptions.problem.unreachable',
  too_late: 'subscriptions.problem.timeout',
  broken_off: 'subscriptions.problem.cutOff',
  too_many_bytes: 'subscriptions.problem.tooLarge',
  too_many_redirects: 'subscriptions.problem.tooManyRedirects',
  bad_redirect: 'subscriptions.problem.badRedirect',
}

/** Fetches a calendar. Reasons are messages. */
export async function fetchCalendar(address: CalendarAddress, fetch: CalendarFetch): Promise<FetchedCalendar> {
  const { url, credentials, isWebcal } = address
  const { headers, ...bounds } = fetch
  const authorization = credentials && { authorization: basicAuthorization(credentials) }
  const asked = { accept: 'text/calendar, */*;q=0.1', ...headers, ...authorization }
  const send = (target: string) => sendRequest(target, { ...FETCH, ...bounds, headers: asked })
  const first = await send(url)
  const isMute = !first.ok && first.reason === 'unreachable' && isWebcal
  const sent = isMute ? await send(url.replace(/^https:/, 'http:')) : first
  if (!sent.ok) return { ok: false, reason: PROBLEMS[sent.reason] }
  const { response } = sent
  const { status } = response
  if (status === 304) return sent
  if (status !== 200) return { ok: false, reason: refusalOf(status, credentials), response }
  const unpacked = await unpack(response.bytes, response.headers['content-encoding'] ?? '', FETCH.limit)
  if (unpacked.ok) return { ok: true, response: { ...response, bytes: unpacked.bytes } }
  const isLarge = unpacked.reason === 'too_large'
  return { ok: false, reason: isLarge ? PROBLEMS.too_many_bytes : 'subscriptions.problem.compressed' }
}

function refusalOf(status: number, credentials: Credentials | undefined): string {
  if (status !== 401) return withValues('subscriptions.problem.serverResponded', { status })
  return credentials === undefined ? 'subscriptions.problem.needsPassword' : 'subscriptions.problem.wrongPassword'
}
