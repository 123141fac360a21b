/** What is done as long work. */
export type LongWorkKind = 'file-import' | 'site-import' | 'backup' | 'bulk'

/** How long work stands: `stopped` by someone, `lost` when its process ended before it did. */
export type LongWorkState = 'running' | 'done' | 'stopped' | 'failed' | 'lost'

/** Why something failed: a code of `src/base/errors.ts` and what its text names. */
export interface WorkProblem {
  readonly code: string
  readonly slots: Readonly<Record<string, string | number>>
}

/** Long work as it is shown. Moments are UTC text. */
export interface LongWorkEntry {
  readonly id: number
  readonly kind: LongWorkKind
  readonly state: LongWorkState
  /** The user who started it; 0 and '' for nobody, as for commands. */
  readonly by: { readonly id: number; readonly name: string }
  /** JSON of the order, as `NewLongWork.about`. */
  readonly about: string
  /** What was dealt with, and all of it; 0 and 0 while that is unknown. */
  readonly done: number
  readonly total: number
  readonly startedAt: string
  /** Absent while it is running, and where nobody knows. */
  readonly endedAt?: string
  /** The work that it continues or takes back; 0 for none. */
  readonly follows: number
  /** JSON of what `run` returned; absent before the end. */
  readonly outcome?: string
  /** Absent where nothing failed. */
  readonly problem?: WorkProblem
}

/** How far work is; `total` is 0 while it is unknown. */
export interface WorkProgress {
  readonly done: number
  readonly total: number
}

/** What the work itself may use. */
export interface WorkTask {
  readonly id: number
  /** Aborted when someone stops the work or the process ends: then it ends as soon as it can. */
  readonly signal: AbortSignal
  progress(now: WorkProgress): void
}

/** Work that is to start. */
export interface NewLongWork {
  readonly kind: LongWorkKind
  /** Of the work with the same lane one continues at a time; any number with ''. */
  readonly lane: string
  readonly by: LongWorkEntry['by']
  /** Anything that JSON can say, without secrets. */
  readonly about: unknown
  readonly follows?: number
  /** Does the work; what it returns becomes the outcome. */
  run(task: WorkTask): Promise<unknown>
}

/** Work that continues while nobody waits for it; any process can say how far it is. */
export interface LongWork {
  /** Starts work and returns its ID; undefined where other work of its lane continues. It continues when its client is gone. */
  begin(work: NewLongWork): Promise<number | undefined>
  /** Does the work while its caller waits, and returns what it came to. @throws what `run` throws */
  during<Outcome>(work: DuringWork<Outcome>): Promise<Outcome>
  /** One by its ID; undefined for none. */
  find(id: number): Promise<LongWorkEntry | undefined>
  /** The last one of a kind; undefined where there was none. */
  latest(kind: LongWorkKind): Promise<LongWorkEntry | undefined>
  /** The last ones of a kind, newest first; `[]` for none. */
  recent(kind: LongWorkKind): Promise<readonly LongWorkEntry[]>
  /** The last ones of each kind without what they came to, newest first; `[]` for none. */
  recentOfAll(): Promise<readonly Omit<LongWorkEntry, 'outcome'>[]>
  /** Those that continue an entry or take it back, newest first; `[]` for none. */
  followers(id: number): Promise<readonly LongWorkEntry[]>
  /** Asks work of any process to stop; nothing where it has ended. */
  stop(id: number): Promise<void>
  /** Stops the work of this process, and notes of what does not end in time that it was broken off. */
  close(): Promise<void>
}

/** Work whose caller waits for it. */
export interface DuringWork<Outcome> extends Omit<NewLongWork, 'run' | 'lane'> {
  run(task: WorkTask): Promise<Outcome>
  /** The stored part of the outcome; undefined if there is nothing to report, so that the entry is deleted. */
  told(outcome: Outcome): unknown
}
