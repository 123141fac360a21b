import type { VersionCheck } from '../../http/route/preconditions.ts'
import type { CalendarDeps } from '../index.ts'

/** What following sources needs. */
export type SourceDeps = CalendarDeps

/** A source as people and programs see it. Moments are UTC text. */
export interface Source {
  readonly id: number
  readonly name: string
  readonly url: string
  /** Seconds between two visits, at least. */
  readonly every: number
  /** Status of events that are new. */
  readonly status: string
  /** Names of categories that every event gets. */
  readonly categories: readonly string[]
  /** Zone of times that are of none; '' for that of the calendar. */
  readonly timezone: string
  readonly paused: boolean
  readonly next_visit: string
  /** null before the first visit. */
  readonly last_visit: string | null
  /** null before the first one that succeeded. */
  readonly last_success: string | null
  /** Visits in a row that failed. */
  readonly failures: number
  /** Why the last one failed; ''. */
  readonly problem: string
  /** The result of the last sync that read a file; null before. */
  readonly report: SyncReport | null
  /** Current events from it. */
  readonly events: number
  /** Whether it is being visited now. */
  readonly visiting: boolean
  /** When it was last changed; visits leave it as it is. */
  readonly modified_at: string
}

/** Visits of a source in a row that came to the same. Moments are UTC text, numbers those of one visit. */
export interface SourceVisit {
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

/** What becomes of the events of a source that is removed: `trash` takes those that are still to come. */
export type EventsLeft = 'keep' | 'trash'

/** What a visit did; the numbers are those of events. */
export interface SyncReport {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  /** Events that went to the trash because the source no longer has them. */
  readonly trashed: number
  /** What was left out, at most 100. */
  readonly skipped: readonly { readonly what: string; readonly why: string }[]
  /** What was read differently or stays because it was changed here, at most 100. */
  readonly notes: readonly { readonly what: string; readonly why: string }[]
}

/** A new source, or changes to one. */
export interface SourceInput {
  readonly url?: string | undefined
  readonly name?: string | undefined
  /** Seconds. */
  readonly every?: number | undefined
  readonly status?: string | undefined
  readonly categories?: readonly string[] | undefined
  readonly timezone?: string | undefined
  readonly paused?: boolean | undefined
}

/** Who removes a source, null for the program itself, what becomes of its events, and what refuses that for the stored version. */
export interface SourceRemoval {
  /** They stay if absent. */
  readonly events?: EventsLeft | undefined
  readonly actor?: number | null
  readonly check?: VersionCheck | undefined
}

/** What can be done with the sources of a calendar. */
export interface ManagedSources {
  list(): Promise<Source[]>
  /** @throws bad_source */
  add(input: SourceInput): Promise<Source>
  /** @throws source-not-found, bad_source, and what `check` does */
  change(id: number, input: SourceInput, check?: VersionCheck): Promise<Source>
  /** @throws source-not-found, and what `check` does */
  remove(id: number, removal?: SourceRemoval): Promise<Source>
  /** The last visits, newest first. @throws source-not-found */
  visits(id: number): Promise<SourceVisit[]>
  /** Visits all sources that are due. */
  visitDue(signal?: AbortSignal): Promise<void>
  /** Visits a source now, unless it is being visited. @throws source-not-found */
  sync(id: number): Promise<Source>
}
