import type { Storage } from '../storage/engine.ts'
import { headSeq, namesSince } from './read.ts'
import { subscribe } from './subscribe.ts'

/** Hears of every change of a storage, whichever process made it. */
export interface Follower {
  /** Whether everything that was committed until now has been told. Synchronous and cheap. */
  isUpToDate(): boolean
  /** Tells what was committed until now and has not been told. */
  catchUp(): Promise<void>
  /** Ends it. */
  stop(): void
}

/** What a follower tells; changes may be told twice. */
export interface FollowerEars {
  /** An item was made, changed or deleted: name of its resource and its id. */
  changed(resource: string, id: number): void
  /** The same where nobody says what was counted anew with it: it may be anything. */
  changedElsewhere(resource: string, id: number): void
  /** More was changed than is worth naming. */
  changedMuch(): void
}

/** Most changes of other processes that are told one by one. */
const NAMED_LIMIT = 1000

/** Begins to follow: what is committed from now on will be told, own changes before their writer gets its answer. */
export async function follow(storage: Storage, ears: FollowerEars): Promise<Follower> {
  let seen = storage.dataVersion()
  let known = await headSeq(storage)
  const unsubscribe = subscribe(storage, (entries) => {
    for (const { seq, resource, id, recounted } of entries) {
      if (recounted === undefined) ears.changedElsewhere(resource, id)
      else for (const one of [{ resource, id }, ...recounted]) ears.changed(one.resource, one.id)
      // Where numbers of other processes are missing in between, they are still to be read.
      if (seq === known + 1) known = seq
    }
  })
  return {
    isUpToDate: () => storage.dataVersion() === seen,
    catchUp: async () => {
      // Asked before the journal is read: what is committed meanwhile changes it again.
      const version = storage.dataVersion()
      const entries = await namesSince(storage, known, NAMED_LIMIT)
      if (entries.length < NAMED_LIMIT) {
        for (const { resource, id } of entries) ears.changedElsewhere(resource, id)
        known = Math.max(known, entries.at(-1)?.seq ?? 0)
      } else {
        known = await headSeq(storage)
        ears.changedMuch()
      }
      seen = version
    },
    stop: unsubscribe,
  }
}
