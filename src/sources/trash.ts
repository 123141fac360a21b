import { trashEvent } from '../events/index.ts'
import type { SourceEventTable } from '../storage/schema.ts'
import { utcFromMillis } from '../time/zones.ts'
import { lastEnd, noteGone } from './store.ts'
import type { SourceParts } from './types.ts'

/** What moving events of a source to the trash needs. */
export type TrashParts = Pick<SourceParts, 'storage' | 'now' | 'recurrenceYears'>

/** Moves events that a source brought to the trash, except those that are over; how many. `goOn` is called before each. */
export async function trashComing(
  parts: TrashParts,
  events: readonly SourceEventTable[],
  goOn: () => void = () => undefined,
): Promise<number> {
  const { storage, now, recurrenceYears } = parts
  const at = utcFromMillis(now())
  let trashed = 0
  for (const { id } of events) {
    goOn()
    const end = await lastEnd(storage, id)
    const isOver = end === undefined || end < at
    const isTrashed = await storage.write(async (tx) => {
      const cause = { actor: null, at }
      const isMoved = !isOver && (await trashEvent(tx, id, { cause, holding: { now: now(), recurrenceYears } }))
      await noteGone(tx, id, isMoved ? 1 : 2)
      return isMoved
    })
    if (isTrashed) trashed += 1
  }
  return trashed
}
