import { type BackgroundWork, backgroundWork, rest } from '../../../base/background.ts'
import type { Logger } from '../../../base/log.ts'
import { workSince } from '../../../base/time/recurrence/dates.ts'
import { MOST_DATES } from '../../../base/time/recurrence/lines.ts'
import { inSteps } from '../../../base/time/recurrence/steps.ts'
import { localFromMillis, utcFromMillis } from '../../../base/time/zones.ts'
import type { Report, Storage, Transaction } from '../../../storage/engine.ts'
import { findStoredEvent } from '../../event-store/rows.ts'
import { recurringOf, storedRecurrence } from '../../event-store/series/recurring.ts'
import { countBegun } from '../../event-store/series/rows.ts'
import { seriesState } from '../../event-store/series/state.ts'
import { writeSeries } from '../../event-store/series/write.ts'
import { type TakenVenue, venueTaken } from '../conflicts/on-import.ts'
import { type HeldDates, type Holding, holdingSteps, withDates } from './dates.ts'

/** What moves horizons on. */
export interface HorizonDeps {
  readonly storage: Storage
  readonly report: Report
  readonly log: Pick<Logger, 'warn'>
  /** Unix milliseconds. */
  now(): number
  readonly recurrenceYears: number
}

/** Between two rounds, and between two events of one, milliseconds. */
const REST = { round: 86_400_000, event: 20 } as const

/** Events that are looked through together. */
const PAGE = 100

/** Further dates of an event that one transaction stores, all of which webhooks are notified of. */
const STEP = 100

/** Stores in the background the dates of rules without end that have come within reach. */
export function openHorizon({ storage, report, log, now, recurrenceYears }: HorizonDeps): BackgroundWork {
  return backgroundWork({
    round: (signal) => moveHorizons(storage, { now: now(), recurrenceYears, log }, signal),
    every: REST.round,
    failed: (error) => report(error, 'storing further dates of recurring events'),
  })
}

/** How far horizons are to be moved, and the log that is notified of what overlaps then; absent where nobody reads it. */
export type HorizonMove = Holding & Partial<Pick<HorizonDeps, 'log'>>

/** Stores the dates up to the present horizon of all events whose rule has no end, some of an event in each transaction. */
export async function moveHorizons(storage: Storage, move: HorizonMove, signal: AbortSignal): Promise<void> {
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
      for (;;) {
        const step = signal.aborted ? undefined : await storage.write((tx) => moveHorizon(tx, row.id, move))
        if (step === undefined) break
        warnOfTaken(move.log, row.id, step)
        await rest(REST.event, signal)
      }
    }
    const end = rows.at(-1)
    if (end === undefined) return
    last = end.id
  }
}

/** What further dates of an event have come to. */
interface HorizonStep {
  /** What takes their venue, which takes one event at a time: the first that is found. */
  readonly taken: TakenVenue | undefined
}

/**
 * Gives the event some further dates: up to the horizon, or as many as may be to come at a time; undefined where there are
 * none. Dates whose venue is taken take place all the same, as the rule says: there is nobody to refuse.
 */
async function moveHorizon(tx: Transaction, id: number, holding: Holding): Promise<HorizonStep | undefined> {
  const row = await findStoredEvent(tx, { by: 'id', id })
  const until = row && recurringOf(row)?.until
  if (row === undefined || until === undefined) return undefined
  const local = localFromMillis(holding.now, row.timezone)
  const cutAt = MOST_DATES + (await countBegun(tx, id, local))
  const room = { most: cutAt, cutAt, work: workSince(row.start_local, local) }
  const steps = holdingSteps(row, storedRecurrence(row), { ...holding, room })
  const held = await inSteps(steps, () => tx.pause())
  if (!held.ok || (held.starts.at(-1) ?? '') <= until) return undefined
  const before = await seriesState(tx, row)
  const after = await withDates(tx, before, nextOf(held, until))
  const taken = await venueTaken(tx, { before, after })
  const cause = { actor: null, action: 'extend', at: utcFromMillis(holding.now), modified: row.modified_at } as const
  await writeSeries(tx, { before, after, cause })
  return { taken }
}

/** Tells whoever reads the log of dates that overlap others where one event takes place at a time. */
function warnOfTaken(log: HorizonMove['log'], event: number, { taken }: HorizonStep): void {
  if (taken === undefined) return
  const { venue, id, start } = taken
  log?.warn(
    { event, venue, overlaps: id, start },
    'further dates overlap others at a venue that takes one event at a time',
  )
}

/** The dates up to a horizon and the first ones beyond it, up to which it moves. */
function nextOf(held: Extract<HeldDates, { ok: true }>, until: string): Extract<HeldDates, { ok: true }> {
  const known = held.starts.filter((start) => start <= until).length
  const starts = held.starts.slice(0, known + STEP)
  if (starts.length === held.starts.length) return held
  return { ...held, starts, recurring: { ...held.recurring, until: starts.at(-1) ?? until } }
}
