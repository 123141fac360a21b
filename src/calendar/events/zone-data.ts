import { type BackgroundWork, backgroundWork, rest } from '../../base/background.ts'
import type { Logger } from '../../base/log.ts'
import { isZone, toLocal, toUtc, utcFromMillis } from '../../base/time/zones.ts'
import type { Reader, Report, Storage, Transaction } from '../../storage/engine.ts'
import { record } from '../../storage/journal/append.ts'
import { changeRow } from '../../storage/row-writes.ts'
import type { EventTable } from '../../storage/schema.ts'
import { type EventState, snapshotOfEvent } from '../event-store/copies.ts'
import { isPlain, linksOf, NO_LINKS } from '../event-store/event-row.ts'
import { findStoredEvent } from '../event-store/rows.ts'
import { storeDates } from '../event-store/series/occurrences.ts'
import { exceptionOf, type SeriesMoments } from '../event-store/series/recurring.ts'
import { seriesState } from '../event-store/series/state.ts'
import { writeSeries } from '../event-store/series/write.ts'
import { updateEvent } from '../event-store/write.ts'
import { following } from './series/dates.ts'

/** What times are derived again with. */
export interface ZoneDataDeps {
  readonly storage: Storage
  readonly report: Report
  readonly log: Pick<Logger, 'info'>
  /** Unix milliseconds. */
  now(): number
}

/** Between two rounds, and between two transactions of one, milliseconds. */
const REST = { round: 86_400_000, write: 20 } as const

/** Identifiers of dates that are looked through together, and events without further dates that one transaction changes. */
const PAGE = 2_000
const BATCH = 50

/** A calendar may be that many milliseconds ahead of UTC, or behind. */
const DAY = 86_400_000

/** Where the version of the zone data is stored that all times in UTC are derived with. */
const KEY = 'zone_data'

/** Derives the times in UTC of future events again, in the background, when the rules of time zones have changed. */
export function openZoneData({ storage, report, log, now }: ZoneDataDeps): BackgroundWork {
  return backgroundWork({
    round: (signal) => followZoneData(storage, { now: now(), version: process.versions['tz'] ?? '', log }, signal),
    every: REST.round,
    failed: (error) => report(error, 'deriving times with new rules of time zones'),
  })
}

/** The moment (Unix milliseconds) from which on events are future ones, and the version of the zone data of this process. */
export interface ZoneDataChange {
  readonly now: number
  /** Such as `2026a`. */
  readonly version: string
  readonly log?: Pick<Logger, 'info'>
  /** Whether it is done although it was with this version. */
  readonly isForced?: boolean
}

/**
 * Derives the times in UTC of all future events and dates of series from their local times where they do not follow from
 * them, unless that was done with this version (RFC 5545 section 3.3.5). What has been derived stays so if it is interrupted.
 */
export async function followZoneData(storage: Storage, change: ZoneDataChange, signal: AbortSignal): Promise<void> {
  const { version, now, log, isForced = false } = change
  const stored = storage.db.selectFrom('meta').select('value').where('key', '=', KEY)
  if (!isForced && (await storage.first(stored))?.value === version) return
  const last = await storage.first(storage.db.selectFrom('occurrence').select('id').orderBy('id', 'desc').limit(1))
  let moved = 0
  for (let from = 0; from <= (last?.id ?? -1); from += PAGE) {
    const stale = await staleEvents(storage, { from, now })
    for (const ids of portionsOf(stale)) {
      if (signal.aborted) return
      moved += await storage.write(async (tx) => {
        let count = 0
        for (const id of ids) if (await deriveTimes(tx, id, now)) count += 1
        return count
      })
      await rest(REST.write, signal)
    }
    if (signal.aborted) return
  }
  if (moved > 0) log?.info({ events: moved, version }, 'times were derived again with new rules of time zones')
  await storeZoneVersion(storage, version)
}

/** Stores that all times in UTC follow from their local ones by this version of the zone data, that of this process if absent. */
export async function storeZoneVersion(storage: Storage, version = process.versions['tz'] ?? ''): Promise<void> {
  await storage.write(async (tx) => {
    const entry = tx.db.insertInto('meta').values({ key: KEY, value: version })
    await tx.run(entry.onConflict((conflict) => conflict.column('key').doUpdateSet({ value: version })))
  })
}

/** An event with a date whose times in UTC do not follow from its local ones. */
interface StaleEvent {
  readonly id: number
  readonly isSeries: boolean
}

/** Events that one transaction changes: a series by itself. */
function portionsOf(stale: readonly StaleEvent[]): readonly (readonly number[])[] {
  const plain = stale.filter(({ isSeries }) => !isSeries).map(({ id }) => id)
  const portions = stale.filter(({ isSeries }) => isSeries).map(({ id }) => [id])
  for (let done = 0; done < plain.length; done += BATCH) portions.push(plain.slice(done, done + BATCH))
  return portions
}

const WHEN = ['occurrence.start_local', 'occurrence.end_local', 'occurrence.start_utc', 'occurrence.end_utc'] as const

async function staleEvents(
  storage: Storage,
  { from, now }: { readonly from: number; readonly now: number },
): Promise<readonly StaleEvent[]> {
  const page = storage.db
    .selectFrom('occurrence')
    .innerJoin('event', 'event.id', 'occurrence.event_id')
    .select([...WHEN, 'occurrence.event_id', 'event.timezone', 'event.recurrence', 'event.exception'])
    .where('occurrence.end_utc', '>=', utcFromMillis(now - DAY))
    .where('occurrence.id', '>=', from)
    .where('occurrence.id', '<', from + PAGE)
  const stale = new Map<number, StaleEvent>()
  for (const { event_id, recurrence, exception, ...date } of await storage.all(page.orderBy('occurrence.id'))) {
    if (!isStale(date)) continue
    const id = exceptionOf({ exception })?.series ?? event_id
    stale.set(id, { id, isSeries: recurrence !== null || exception !== null })
  }
  return [...stale.values()]
}

/** Future events whose times in UTC do not follow from their local ones, as `event 12`, among the newest ones. */
export async function staleTimes(
  reader: Reader,
  { now, most }: { readonly now: number; readonly most: number },
): Promise<readonly string[]> {
  const sample = reader.db
    .selectFrom('event')
    .select(['id', 'start_local', 'end_local', 'start_utc', 'end_utc', 'timezone'])
    .where('end_utc', '>=', utcFromMillis(now - DAY))
  const rows = await reader.all(sample.orderBy('id', 'desc').limit(most))
  return rows.filter(isStale).map(({ id }) => `event ${id}`)
}

type Moments = Omit<SeriesMoments, 'all_day'>

function isStale(times: Moments): boolean {
  const { start_utc, end_utc } = derivedTimes(times)
  return start_utc !== times.start_utc || end_utc !== times.end_utc
}

function derivedTimes({ start_local, end_local, start_utc, end_utc, timezone }: Moments) {
  if (!isZone(timezone)) return { start_utc, end_utc }
  const derived = (local: string, utc: string): string =>
    // A reading that the clock shows twice may be the second one.
    toLocal(utc, timezone) === local ? utc : toUtc(local, timezone)
  return { start_utc: derived(start_local, start_utc), end_utc: derived(end_local, end_utc) }
}

/** Whether times of an event or its dates have moved in UTC. */
async function deriveTimes(tx: Transaction, id: number, now: number): Promise<boolean> {
  const row = await findStoredEvent(tx, { by: 'id', id })
  if (row === undefined) return false
  if (!isPlain(row)) return deriveSeries(tx, row, now)
  if (!isStale(row)) return false
  const links = (await linksOf(tx, [id])).get(id) ?? NO_LINKS
  const after = { row: { ...row, ...derivedTimes(row), revision: row.revision + 1 }, links }
  await updateEvent(tx, { before: { row, links }, after }, { actor: null, action: 'update', at: utcFromMillis(now) })
  return true
}

async function deriveSeries(tx: Transaction, row: EventTable, now: number): Promise<boolean> {
  const at = utcFromMillis(now)
  const from = utcFromMillis(now - DAY)
  const derived = ({ row: one, links }: EventState): EventState => ({
    row: one.end_utc < from ? one : { ...one, ...derivedTimes(one) },
    links,
  })
  const before = await seriesState(tx, row)
  const exceptions = new Map([...before.exceptions].map(([date, one]) => [date, derived(one)]))
  const after = following({ base: derived(before.base), dates: before.dates, exceptions })
  const cause = { actor: null, action: 'update', at, modified: row.modified_at } as const
  const { base } = await writeSeries(tx, { before, after, cause })
  if (base.row.revision !== row.revision) return true
  // Its first date is over: only what lists read of further ones has moved.
  const revision = row.revision + 1
  await changeRow(tx, 'event', { id: row.id, revision })
  const snapshot = snapshotOfEvent({ ...row, revision }, before.base.links)
  const entry = { at, actor: null, resource: 'event', action: 'update', id: row.id, revision, snapshot } as const
  record(tx, { ...entry, recounted: [], isRelisted: row.status === 'publish' })
  await storeDates(tx, row.id)
  return true
}
