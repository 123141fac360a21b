// The tables of calendar subscriptions.

/** A calendar elsewhere that is followed. */
export interface SubscriptionTable {
  id: number
  name: string
  url: string
  /** Name and password for it, sealed with the key of the site; '' for none. */
  login: string
  /** 1 if it was entered as `webcal:`, which may be https or http. */
  is_webcal: number
  /** Seconds between two syncs, at least. */
  every: number
  /** Status of events that are new. */
  status: string
  /** JSON array of names of categories that every event gets. */
  categories: string
  /** Zone of times that are of none; '' for that of the calendar. */
  zone: string
  paused: number
  /** What it answered last; '' for none. */
  etag: string
  last_modified: string
  /** SHA-256 of the last file, hexadecimal; ''. */
  digest: string
  /** Seconds that it asks to be left alone; 0 where it does not say. */
  refresh: number
  next_at: string
  /** UTC; null before the first sync. */
  checked_at: string | null
  /** UTC; null before the first one that succeeded. */
  synced_at: string | null
  /** Syncs in a row that failed. */
  failures: number
  /** When the first of them was, UTC; null while there are none. */
  failing_since: string | null
  /** Why the last one failed; ''. */
  problem: string
  /** JSON of the result of the last one with changes. */
  report: string | null
  created_at: string
  /** UTC; null while nobody syncs it. */
  visiting_since: string | null
  /** When someone last changed it, UTC; null if that was before this was recorded. */
  modified_at: string | null
}

/** Syncs of a subscription in a row that came to the same. */
export interface SyncLogTable {
  source_id: number
  /** Counts up for each subscription. */
  number: number
  /** UTC. */
  first_at: string
  last_at: string
  times: number
  /** `changed`, `unchanged` or `failed`. */
  outcome: string
  created: number
  updated: number
  unchanged: number
  trashed: number
  skipped: number
  kept: number
  /** Why it failed; ''. */
  problem: string
}
