import type { AddressGate } from '../../base/outgoing/addresses.ts'
import { sendRequest } from '../../base/outgoing/request.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import type { WebhookDeliveryTable, WebhookTable } from '../../storage/schema.ts'
import { askedPause } from './retries.ts'
import { signatureOf } from './secrets.ts'

/** Bounds of an attempt: bytes of the response, milliseconds for everything. */
const BOUNDS = { limit: 65_536, patience: 15_000 } as const

/** What became of an attempt. */
export interface AttemptOutcome {
  readonly isDelivered: boolean
  /** The receiver wants no messages any more (410). */
  readonly isGone: boolean
  /** What it answered; 0 where it did not. */
  readonly status: number
  /** Why it failed, in English; ''. */
  readonly problem: string
  /** Milliseconds that it asks to be left alone; 0 where it does not. */
  readonly wait: number
  /**
   * Why there was no message to send: an error here, which may be permanent, or a calendar that was too busy to make
   * it. Absent where there was one.
   */
  readonly unmade?: 'error' | 'busy'
}

/** How a message is sent. */
export interface Sending {
  /** Which addresses may be connected to. */
  readonly gate: AddressGate
  /** Unix milliseconds. */
  readonly now: number
  readonly signal?: AbortSignal | undefined
  /** Milliseconds for everything; 15 seconds if absent. */
  readonly patience?: number
}

/** Sends a message once; redirects are not followed. Never rejects. */
export async function attempt(
  { gate, now, signal, patience = BOUNDS.patience }: Sending,
  hook: WebhookTable,
  { delivery, body }: { readonly delivery: Pick<WebhookDeliveryTable, 'message'>; readonly body: string },
): Promise<AttemptOutcome> {
  const { message } = delivery
  const timestamp = Math.floor(now / 1000)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Kalends',
    'content-length': String(Buffer.byteLength(body)),
    'webhook-id': message,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureOf(hook, { message, timestamp, body }, utcFromMillis(now)),
  }
  const request = { ...BOUNDS, patience, gate, headers, method: 'POST', body: Buffer.from(body), redirects: 0, signal }
  const sent = await sendRequest(hook.url, request)
  const failed = { isDelivered: false, isGone: false, status: 0, wait: 0 }
  if (!sent.ok) return { ...failed, problem: sent.reason.replaceAll('_', ' ') }
  const { status, headers: answered } = sent.response
  if (status >= 200 && status < 300) return { ...failed, isDelivered: true, status, problem: '' }
  const wait = askedPause(answered, now)
  return { ...failed, isGone: status === 410, status, wait, problem: `the receiver answered ${status}` }
}
