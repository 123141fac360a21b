import type { Storage } from '../engine.ts'
import type { Change, ChangeEffect } from './entry.ts'
import { headSeq, type NamedChange, namesSince } from './read.ts'
import { subscribe } from './subscribe.ts'

/** Hears of every change of a storage, whichever process made it. */
export interface Follower {
  /** Whether everything committed so far has been reported. Synchronous and cheap. */
  isUpToDate(): boolean
  /**
   * Reports what was committed and not reported yet. If such a run is already waiting, joins that one: callers that
   * must know check again.
   */
  catchUp(): Promise<void>
  /** Ends following. */
  stop(): void
}

/** What a follower reports; changes may be reported twice. */
export interface ChangeListener {
  /** An item was created, changed or deleted. */
  changed(change: Pick<Change, 'resource' | 'id' | 'isRelisted'>): void
  /** The event count of an item changed, and nothing else of it. */
  recounted(resource: string, id: number): void
  /** An item was created, changed or deleted by a process that does not say which counts changed: any may have. */
  changedElsewhere(resource: string, id: number): void
  /** More was changed than is worth naming. */
  changedMuch(): void
  /** Determines the effects of changes of other processes, by their number; those left out are unknown. */
  effectsOf(changes: readonly NamedChange[]): Promise<ReadonlyMap<number, ChangeEffect>>
}

/** Most changes of other processes that are reported one by one. */
const NAMED_LIMIT = 1000

/**
 * Starts to follow: everything committed from now on is reported, own changes before their writer gets its response.
 */
export async function follow(storage: Storage, listener: ChangeListener): Promise<Follower> {
  let seen = storage.dataVersion()
  let known = await headSeq(storage)
  let running: Promise<void> | undefined

  function tell({
    resource,
    id,
    recounted,
    isRelisted = true,
  }: Pick<Change, 'resource' | 'id' | keyof ChangeEffect>): void {
    if (recounted === undefined) listener.changedElsewhere(resource, id)
    else listener.changed({ resource, id, isRelisted })
    for (const one of recounted ?? []) listener.recounted(one.resource, one.id)
  }

  const unsubscribe = subscribe(storage, (entries) => {
    // Changes of others are read when the cache checks: until then it is not up to date.
    for (const entry of entries.filter(({ elsewhere }) => elsewhere !== true)) {
      tell(entry)
      // If numbers of other processes are missing in between, they still have to be read.
      if (entry.seq === known + 1) known = entry.seq
    }
  })

  async function readOn(): Promise<void> {
    // Taken before the journal is read: a commit in between changes it again.
    const version = storage.dataVersion()
    const changes = await namesSince(storage, known, NAMED_LIMIT)
    if (changes.length < NAMED_LIMIT) {
      const effects = await listener.effectsOf(changes)
      for (const change of changes) tell({ ...change, ...effects.get(change.seq) })
      known = Math.max(known, changes.at(-1)?.seq ?? 0)
    } else {
      known = await headSeq(storage)
      listener.changedMuch()
    }
    seen = version
  }

  return {
    isUpToDate: () => storage.dataVersion() === seen,
    catchUp: () => {
      running ??= readOn().finally(() => {
        running = undefined
      })
      return running
    },
    stop: unsubscribe,
  }
}
