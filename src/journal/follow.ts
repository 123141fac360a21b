import type { Storage } from '../storage/engine.ts'
import type { Change, ChangeEffect } from './entry.ts'
import { headSeq, type NamedChange, namesSince } from './read.ts'
import { subscribe } from './subscribe.ts'

/** Hears of every change of a storage, whichever process made it. */
export interface Follower {
  /** Whether everything that was committed until now has been told. Synchronous and cheap. */
  isUpToDate(): boolean
  /**
   * Tells what was committed until now and has not been told. Where somebody has asked before and waits, until then: who
   * needs to know looks whether all is told.
   */
  catchUp(): Promise<void>
  /** Ends it. */
  stop(): void
}

/** What a follower tells; changes may be told twice. */
export interface FollowerEars {
  /** An item was made, changed or deleted. */
  changed(change: Pick<Change, 'resource' | 'id' | 'isRelisted'>): void
  /** The count of events of an item was altered, and nothing else of it. */
  recounted(resource: string, id: number): void
  /** An item was made, changed or deleted, and nobody says what was counted anew with it: it may be anything. */
  changedElsewhere(resource: string, id: number): void
  /** More was changed than is worth naming. */
  changedMuch(): void
  /** Finds out the effects of changes of other processes, by their number; of those that are left out nobody knows. */
  effectsOf(changes: readonly NamedChange[]): Promise<ReadonlyMap<number, ChangeEffect>>
}

/** Most changes of other processes that are told one by one. */
const NAMED_LIMIT = 1000

/** Begins to follow: what is committed from now on will be told, own changes before their writer gets its answer. */
export async function follow(storage: Storage, ears: FollowerEars): Promise<Follower> {
  let seen = storage.dataVersion()
  let known = await headSeq(storage)
  let running: Promise<void> | undefined

  function tell({
    resource,
    id,
    recounted,
    isRelisted = true,
  }: Pick<Change, 'resource' | 'id' | keyof ChangeEffect>): void {
    if (recounted === undefined) ears.changedElsewhere(resource, id)
    else ears.changed({ resource, id, isRelisted })
    for (const one of recounted ?? []) ears.recounted(one.resource, one.id)
  }

  const unsubscribe = subscribe(storage, (entries) => {
    // What others have written is read when somebody asks: nothing is believed until then.
    for (const entry of entries.filter(({ elsewhere }) => elsewhere !== true)) {
      tell(entry)
      // Where numbers of other processes are missing in between, they are still to be read.
      if (entry.seq === known + 1) known = entry.seq
    }
  })

  async function readOn(): Promise<void> {
    // Asked before the journal is read: what is committed meanwhile changes it again.
    const version = storage.dataVersion()
    const changes = await namesSince(storage, known, NAMED_LIMIT)
    if (changes.length < NAMED_LIMIT) {
      const effects = await ears.effectsOf(changes)
      for (const change of changes) tell({ ...change, ...effects.get(change.seq) })
      known = Math.max(known, changes.at(-1)?.seq ?? 0)
    } else {
      known = await headSeq(storage)
      ears.changedMuch()
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
