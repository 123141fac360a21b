import type { Logger } from '../../base/log.ts'
import type { AddressGate } from '../../base/outgoing/addresses.ts'
import type { VersionCheck } from '../../http/route/preconditions.ts'
import type { Report, Storage } from '../../storage/engine.ts'
import type { ItemDeps } from '../feed/index.ts'

/** What webhooks need. */
export interface WebhookDeps extends Omit<ItemDeps, 'reader'> {
  readonly storage: Storage
  /** Which addresses may be connected to. */
  readonly gate: AddressGate
  readonly report: Report
  /** Unix milliseconds. */
  now(): number
  /** Origin of the addresses in items, without a slash at its end. */
  origin(): string
  /** Language of the texts in items. */
  language(): string
}

/** What the routes of webhooks need as well. */
export interface RoutedWebhookDeps extends WebhookDeps {
  /** Takes a line for each change of a webhook. */
  readonly log: Pick<Logger, 'info'>
}

/** Whose view of the calendar a webhook gets: what everybody sees, or drafts as well. */
export const AUDIENCES = ['public', 'administrators'] as const

/** One of `AUDIENCES`. */
export type Audience = (typeof AUDIENCES)[number]

/** What became of a message so far. */
export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'canceled'] as const

/** One of `DELIVERY_STATES`. */
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** A webhook as people and programs see it. Moments are UTC text. */
export interface Webhook {
  readonly id: number
  readonly url: string
  readonly description: string
  /** Names such as `event.created`. */
  readonly events: readonly string[]
  readonly audience: Audience
  readonly active: boolean
  /** Attempts in a row that failed. */
  readonly failures: number
  /** Why the last one failed, or why it was switched off; ''. */
  readonly problem: string
  /** null before the first delivery. */
  readonly last_success: string | null
  readonly created_at: string
  /** When it was last changed; messages leave it as it is. */
  readonly modified_at: string
  /** Only in the response that created it. */
  readonly secret?: string
}

/** A new webhook, or changes to one. */
export interface WebhookInput {
  readonly url?: string | undefined
  readonly description?: string | undefined
  readonly events?: readonly string[] | undefined
  readonly audience?: Audience | undefined
  readonly active?: boolean | undefined
}

/** A message in the log. Moments are UTC text. */
export interface Delivery {
  readonly id: number
  /** Identifier of its webhook. */
  readonly webhook: number
  /** Header `webhook-id`. */
  readonly message: string
  /** `event.created`; `webhook.test` for a test. */
  readonly event: string
  /** Number of the change; 0 for a test. */
  readonly seq: number
  /** Of the item; 0 for a test. */
  readonly item_id: number
  readonly state: DeliveryState
  readonly attempts: number
  readonly queued_at: string
  /** null where it waits for an earlier one about the same item, and at its end. */
  readonly next_attempt: string | null
  readonly last_attempt: string | null
  /** What the receiver answered last; null where it did not. */
  readonly status: number | null
  /** Why the last attempt failed; ''. */
  readonly problem: string
}

/** Which part of the log to read. */
export interface LogQuery {
  readonly state?: DeliveryState | undefined
  /** Only those with a lower ID. */
  readonly before?: number | undefined
  readonly limit: number
}

/** Who removes a webhook, null for the program itself, and what refuses that for the stored version. */
export interface Removing {
  readonly actor?: number | null
  readonly check?: VersionCheck | undefined
}

/** What can be done with the webhooks of a calendar. */
export interface ManagedWebhooks {
  list(): Promise<Webhook[]>
  /** With its secret. @throws bad_webhook */
  add(input: WebhookInput): Promise<Webhook>
  /** @throws webhook-not-found, bad_webhook, and what `check` does */
  change(id: number, input: WebhookInput, check?: VersionCheck): Promise<Webhook>
  /** @throws webhook-not-found, and what `check` does */
  remove(id: number, removing?: Removing): Promise<Webhook>
  /** With its new secret. @throws webhook-not-found, and what `check` does */
  rotate(id: number, check?: VersionCheck): Promise<Webhook>
  /** Sends a test now. @throws webhook-not-found, rest_too_busy */
  test(id: number): Promise<Delivery>
  /** Newest first. */
  log(id: number, query: LogQuery): Promise<Delivery[]>
  /** @throws webhook-delivery-not-found, bad_webhook */
  replay(id: number, check?: VersionCheck): Promise<Delivery>
}
