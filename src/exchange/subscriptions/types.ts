import type { VersionCheck } from '../../http/route/preconditions.ts'

/** A subscription as people and programs see it. Moments are UTC text. */
export interface Subscription {
  readonly id: number
  readonly name: string
  readonly url: string
  /** Seconds between two syncs, at least. */
  readonly every: number
  /** Status of events that are new. */
  readonly status: string
  /** Names of categories that every event gets. */
  readonly categories: readonly string[]
  /** Zone of times that are of none; '' for that of the calendar. */
  readonly timezone: string
  readonly paused: boolean
  readonly next_visit: string
  /** null before the first sync. */
  readonly last_visit: string | null
  /** null before the first one that succeeded. */
  readonly last_success: string | null
  /** Syncs in a row that failed. */
  readonly failures: number
  /** Why the last one failed; ''. */
  readonly problem: string
  /** The result of the last sync that read a file; null before. */
  readonly report: SyncReport | null
  /** Current events from it. */
  readonly events: number
  /** Whether it is being synced now. */
  readonly visiting: boolean
  /** When it was last changed; syncs leave it as it is. */
  readonly modified_at: string
}

/** Syncs of a subscription in a row that came to the same. Moments are UTC text, numbers those of one sync. */
export interface LoggedSync {
  readonly first_at: string
  readonly last_at: string
  readonly times: number
  /** `changed`, `unchanged` or `failed`. */
  readonly outcome: string
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly trashed: number
  readonly skipped: number
  readonly notes: number
  /** Why it failed; ''. */
  readonly problem: string
}

/** What becomes of the events of a subscription that is removed: `trash` takes those that are still to come. */
export type EventsLeft = 'keep' | 'trash'

/** What a sync did; the numbers are those of events. */
export interface SyncReport {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  /** Events that went to the trash because the subscription no longer has them. */
  readonly trashed: number
  /** What was left out, at most 100. */
  readonly skipped: readonly { readonly what: string; readonly why: string }[]
  /** What was read differently or stays because it was changed here, at most 100. */
  readonly notes: readonly { readonly what: string; readonly why: string }[]
}

/** A new subscription, or changes to one. */
export interface SubscriptionInput {
  readonly url?: string | undefined
  readonly name?: string | undefined
  /** Seconds. */
  readonly every?: number | undefined
  readonly status?: string | undefined
  readonly categories?: readonly string[] | undefined
  readonly timezone?: string | undefined
  readonly paused?: boolean | undefined
}

/** Who removes a subscription, null for the program itself, what becomes of its events, and what refuses that for the stored version. */
export interface SubscriptionRemoval {
  /** They stay if absent. */
  readonly events?: EventsLeft | undefined
  readonly actor?: number | null
  readonly check?: VersionCheck | undefined
}

/** What can be done with the subscriptions of a calendar. */
export interface ManagedSubscriptions {
  list(): Promise<Subscription[]>
  /** @throws bad_subscription */
  add(input: SubscriptionInput): Promise<Subscription>
  /** @throws subscription-not-found, bad_subscription, and what `check` does */
  change(id: number, input: SubscriptionInput, check?: VersionCheck): Promise<Subscription>
  /** @throws subscription-not-found, and what `check` does */
  remove(id: number, removal?: SubscriptionRemoval): Promise<Subscription>
  /** The last syncs, newest first. @throws subscription-not-found */
  syncs(id: number): Promise<LoggedSync[]>
  /** Syncs all subscriptions that are due. */
  syncDue(signal?: AbortSignal): Promise<void>
  /** Syncs a subscription now, unless it is being synced. @throws subscription-not-found */
  sync(id: number): Promise<Subscription>
}
