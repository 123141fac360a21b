import { type BackgroundWork, backgroundWork, rest } from '../../background.ts'
import { findStoredEvent } from '../../event-store/rows.ts'
import { recurringOf, storedRecurrence } from '../../event-store/series/recurring.ts'
import { countBegun } from '../../event-store/series/rows.ts'
import { seriesState } from '../../event-store/series/state.ts'
import { writeSeries } from '../../event-store/series/write.ts'
import type { Report, Storage, Transaction } from '../../storage/engine.ts'
import { workSince } from '../../time/recurrence/dates.ts'
import { MOST_DATES } from '../../time/recurrence/lines.ts'
import { inSteps } from '../../time/recurrence/steps.ts'
import { localFromMillis, utcFromMillis } from '../../time/zones.ts'
import { type HeldDates, type Holding, holdingSteps, withDates } from './dates.ts'

/** What moves horizons on. */
export interface HorizonParts {
  readonly storage: Storage
  readonly report: Report
  /** Unix milliseconds. */
  now(): number
  readonly recurrenceYears: number
}

/** Between two rounds, and between two events of one, milliseconds. */
const REST = { round: 86_400_000, event: 20 } as const

/** Events that are looked through together. */
const PAGE = 100

/** Further dates of an event that one transaction stores, all of which webhooks are told of. */
const STEP = 100

/** Stores in the background the dates of rules without end that have come within reach. */
export function openHorizon({ storage, report, now, recurrenceYears }: HorizonParts): BackgroundWork {
  return backgroundWork({
    round: (signal) => moveHorizons(storage, { now: now(), recurrenceYears }, signal),
    every: REST.round,
    failed: (error) => report(error, 'storing further dates of recurring events'),
  })
}

/** Stores the dates up to the present horizon of all events whose rule has no end, some of an event in each transaction. */
export async function moveHorizons(storage: Storage, holding: Holding, signal: AbortSignal): Promise<void> {
  for (let last = 0; !signal.aborted; ) {
    const query = storage.db
      .selectFrom('event')
      .select(['id', 'recurrence'])
      .where('recurrence', 'is not', null)
      .where('status', '!=', 'trash')
      .where('id', '>', last)
      .orderBy('id')
      .limit(PAGE)
    const rows = await storage.all(query)
    for (const row of rows) {
      if (signal.aborted) return
      if (recurringOf(row)?.until === undefined) continue
      while (!signal.aborted && (await storage.write((tx) => moveHorizon(tx, row.id, holding))))
        await rest(REST.event, signal)
    }
    const end = rows.at(-1)
    if (end === undefined) return
    last = end.id
  }
}

/** Whether the event has got some further dates: up to the horizon, or as many as may be to come at a time. */
async function moveHorizon(tx: Transaction, id: number, holding: Holding): Promise<boolean> {
  const row = await findStoredEvent(tx, { by: 'id', id })
  const until = row && recurringOf(row)?.until
  if (row === undefined || until === undefined) return false
  const local = localFromMillis(holding.now, row.timezone)
  const cutAt = MOST_DATES + (await countBegun(tx, id, local))
  const room = { most: cutAt, cutAt, work: workSince(row.start_local, local) }
  const steps = holdingSteps(row, storedRecurrence(row), { ...holding, room })
  const held = await inSteps(steps, () => tx.pause())
  if (!held.ok || (held.starts.at(-1) ?? '') <= until) return false
  const before = await seriesState(tx, row)
  const after = await withDates(tx, before, nextOf(held, until))
  const cause = { actor: null, action: 'extend', at: utcFromMillis(holding.now), modified: row.modified_at } as const
  await writeSeries(tx, { before, after, cause })
  return true
}

/** The dates up to a horizon and the first ones beyond it, up to which it moves. */
function nextOf(held: Extract<HeldDates, { ok: true }>, until: string): Extract<HeldDates, { ok: true }> {
  const known = held.starts.filter((start) => start <= until).length
  const starts = held.starts.slice(0, known + STEP)
  if (starts.length === held.starts.length) return held
  return { ...held, starts, recurring: { ...held.recurring, until: starts.at(-1) ?? until } }
}
