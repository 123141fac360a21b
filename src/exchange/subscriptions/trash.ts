import { utcFromMillis } from '../../base/time/zones.ts'
import { type ImportedEvent, noteGone } from '../imports/importer/store-events.ts'
import { trashVanished, type VanishedSteps } from '../imports/importer/vanished.ts'
import type { CalendarDeps } from '../index.ts'
import { lastEnd } from './store.ts'

/** What moving events of a subscription to the trash needs. */
export type TrashDeps = Pick<CalendarDeps, 'storage' | 'now' | 'recurrenceYears'>

/** Moves events from a subscription to the trash, except past ones; how many. */
export function trashComing(
  { storage, now, recurrenceYears }: TrashDeps,
  events: readonly ImportedEvent[],
  checks?: Pick<VanishedSteps<unknown>, 'goOn' | 'check'>,
): Promise<number> {
  const at = utcFromMillis(now())
  const holding = { now: now(), recurrenceYears }
  const items = events.map(({ id }) => ({ kind: 'event' as const, id }))
  return trashVanished({ storage, holding, cause: { actor: null, at } }, items, {
    ...checks,
    stays: async ({ id }) => {
      const end = await lastEnd(storage, id)
      return end === undefined || end < at
    },
    note: (tx, { id }, isTrashed) => noteGone(tx, id, isTrashed ? 1 : 2),
  })
}
