import { utcFromMillis } from '../../base/time/zones.ts'
import { trashEvent } from '../../calendar/events/index.ts'
import type { Transaction } from '../../storage/engine.ts'
import type { SourceEventTable } from '../../storage/schema.ts'
import { lastEnd, noteGone } from './store.ts'
import type { SourceParts } from './types.ts'

/** What moving events of a source to the trash needs. */
export type TrashParts = Pick<SourceParts, 'storage' | 'now' | 'recurrenceYears'>

/** What is looked at before an event goes to the trash, and in the transaction in which it goes; what these throw ends it. */
export interface TrashChecks {
  goOn(): void
  check(tx: Transaction): Promise<void>
}

/** Moves events that a source brought to the trash, except those that are over; how many. */
export async function trashComing(
  parts: TrashParts,
  events: readonly SourceEventTable[],
  checks?: TrashChecks,
): Promise<number> {
  const { storage, now, recurrenceYears } = parts
  const at = utcFromMillis(now())
  let trashed = 0
  for (const { id } of events) {
    checks?.goOn()
    const end = await lastEnd(storage, id)
    const isOver = end === undefined || end < at
    const isTrashed = await storage.write(async (tx) => {
      await checks?.check(tx)
      const cause = { actor: null, at }
      const isMoved = !isOver && (await trashEvent(tx, id, { cause, holding: { now: now(), recurrenceYears } }))
      await noteGone(tx, id, isMoved ? 1 : 2)
      return isMoved
    })
    if (isTrashed) trashed += 1
  }
  return trashed
}
