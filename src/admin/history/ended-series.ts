import { utcFromMillis } from '../../base/time/zones.ts'
import { historyOf } from '../../storage/journal/read.ts'
import type { Asking } from '../asking.ts'
import { passOver } from '../refusals.ts'
import { KEPT_EVENTS, saveState } from './restore.ts'

/** A series that somebody has ended, and when: Unix milliseconds. */
interface EndedSeries {
  readonly id: number
  readonly at: number
}

/**
 * Brings the dates back that this user has removed from one on, with what they had for themselves. False where it cannot be
 * done, or the series was changed since: its history still has the earlier state.
 */
export async function takeBackEnding(asking: Asking, { id, at }: EndedSeries): Promise<boolean> {
  const { parts, incoming } = asking
  const [present, wanted] = await historyOf(parts.storage, { resource: 'event', id, limit: 2 })
  if (present?.actor !== incoming.caller.id || present.at !== utcFromMillis(at)) return false
  if (wanted === undefined || wanted.snapshot === null) return false
  const saved = await saveState(asking, KEPT_EVENTS, { wanted, present }).then(() => true, passOver)
  return saved === true
}
