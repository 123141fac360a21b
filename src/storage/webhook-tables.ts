// The tables of webhooks, beside those of the calendar in schema.ts.

/** A program elsewhere that is notified of changes. */
export interface WebhookTable {
  id: number
  url: string
  description: string
  /** JSON array of names such as `event.created`. */
  events: string
  /** Whose view of the calendar it gets: `public` or `administrators`. */
  audience: string
  active: number
  /** `whsec_` and base64. */
  secret: string
  /** The secret before it, which signs as well until `former_until`; ''. */
  former_secret: string
  /** UTC; null where there is no former secret. */
  former_until: string | null
  /** Number of the journal up to which its deliveries are queued. */
  seq: number
  /** Attempts in a row that failed. */
  failures: number
  /** Why the last one failed, or why it was switched off; ''. */
  problem: string
  /** UTC; null before the first delivery. */
  succeeded_at: string | null
  created_at: string
  /** When it was last changed, UTC; null if that was before this was recorded. */
  modified_at: string | null
}

/** A delivery to a webhook, stored for 30 days after its end. */
export interface WebhookDeliveryTable {
  id: number
  webhook_id: number
  /** `msg_` and random letters; the same for each attempt. */
  message: string
  /** `event.created`; `webhook.test` for a test. */
  event: string
  /** The change: number of the journal, moment, item; 0 and '' for a test. */
  seq: number
  at: string
  resource: string
  item_id: number
  revision: number
  /** `pending`, `delivered`, `failed` or `canceled`. */
  state: string
  attempts: number
  /** How many of these found that it cannot be created, because of an error here. */
  unmade: number
  /** When it started to wait, UTC. */
  queued_at: string
  /** When it is due; null while an earlier one about the item is pending, and at its end. */
  next_at: string | null
  attempted_at: string | null
  /** UTC; null while it is pending. */
  finished_at: string | null
  /** What the receiver answered last; 0 where it did not. */
  status: number
  /** Why the last attempt failed; ''. */
  problem: string
}
