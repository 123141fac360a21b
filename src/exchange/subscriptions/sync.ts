import { createHash } from 'node:crypto'
import { Failure, fail } from '../../base/errors.ts'
import { translateKnown } from '../../base/i18n/translate.ts'
import type { OutgoingResponse } from '../../base/outgoing/request.ts'
import { retryAfter } from '../../base/outgoing/retry-after.ts'
import { storedJson } from '../../base/text/stored-json.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import { STATUSES } from '../../model/status.ts'
import { changeRow } from '../../storage/row-writes.ts'
import type { SubscriptionTable } from '../../storage/schema.ts'
import { eventsFrom } from '../imports/importer/store-events.ts'
import {
  type CalendarDeps,
  type CalendarReport,
  fetchCalendar,
  followedNames,
  importCalendar,
  readCalendarFile,
} from '../index.ts'
import { openLogin } from './login.ts'
import { BEING_REMOVED, isReadAnew, isVisited, present, requireById, requireFollowed, UNREAD, WELL } from './manage.ts'
import { findById, update } from './store.ts'
import { logSync, NO_CHANGES, type SyncOutcome } from './sync-log.ts'
import { trashComing } from './trash.ts'
import type { Subscription, SyncReport } from './types.ts'

/** Milliseconds after a failure: doubled with each further one. */
const PAUSE = { least: 300_000, most: 86_400_000 } as const

/** Milliseconds that a subscription may ask to be left alone. */
const LONGEST_REFRESH = 7 * 86_400_000

/** Entries of a report that are stored. */
const MOST_TOLD = 100

/** Milliseconds of a sync: it has ended before another process takes it for dead. */
const LONGEST = 780_000

/** How a sync is asked for. */
export interface SyncRequest {
  /** Ends it. */
  readonly signal?: AbortSignal | undefined
  /** Whether it is only to be synced when it is due: another process may have been there meanwhile. */
  readonly isDue?: boolean
  /** Ends it as one that took too long; after 13 minutes if absent. */
  readonly late?: AbortSignal
}

/**
 * Syncs a subscription now, unless it is being synced; a failure is noted and shown, not thrown.
 * @throws subscription-not-found
 */
export async function syncSubscription(deps: CalendarDeps, id: number, asked: SyncRequest): Promise<Subscription> {
  const { storage, now } = deps
  const { signal, late = AbortSignal.timeout(LONGEST) } = asked
  const row = await begin(deps, id, asked)
  if (row === undefined) return present(deps, await requireById(storage, id))
  const at = now()
  try {
    const { report, change } = await visit(deps, row, { signal, late })
    const wait = Math.max(row.every, change.refresh ?? row.refresh) * 1000
    const next = { next_at: utcFromMillis(at + wait), synced_at: utcFromMillis(at), ...WELL }
    await end(deps, { row, at }, { visit: visitOf(report), change: { ...change, ...next } })
  } catch (error) {
    if (!(error instanceof Failure) || signal?.aborted === true) {
      // What cannot be noted now runs out by itself.
      await update(storage, { id, visiting_since: null }).catch(() => undefined)
      throw error
    }
    const failures = row.failures + 1
    const wait = Math.min(PAUSE.least * 2 ** Math.min(failures - 1, 20), PAUSE.most)
    const problem = problemOf(error).slice(0, 500)
    const next_at = utcFromMillis(
      at + Math.max(wait, error.code === 'subscription_busy' ? Number(error.slots['wait']) : 0),
    )
    const failing_since = row.failing_since ?? utcFromMillis(at)
    const failed = { ...NO_CHANGES, outcome: 'failed', problem }
    await end(deps, { row, at }, { visit: failed, change: { failures, failing_since, problem, next_at } })
  }
  return present(deps, await requireById(storage, id))
}

/** Notes that a subscription is being synced; undefined where it is already, removed, or not due. @throws subscription-not-found */
function begin(
  { storage, now }: CalendarDeps,
  id: number,
  { isDue }: SyncRequest,
): Promise<SubscriptionTable | undefined> {
  return storage.write(async (tx) => {
    const row = await requireById(tx, id)
    const at = utcFromMillis(now())
    if (row.problem === BEING_REMOVED || isVisited(row, now())) return undefined
    if (isDue === true && (row.paused === 1 || row.next_at > at)) return undefined
    await changeRow(tx, 'source', { id, visiting_since: at })
    return row
  })
}

/** Notes what a sync came to. */
async function end(
  { storage }: CalendarDeps,
  { row, at }: { readonly row: SubscriptionTable; readonly at: number },
  { visit, change }: { readonly visit: SyncOutcome; readonly change: Partial<SubscriptionTable> },
): Promise<void> {
  const moment = utcFromMillis(at)
  await storage.write(async (tx) => {
    const { id } = row
    const stored = await findById(tx, id)
    // It may have been removed meanwhile, or changed; what is being removed stays that way.
    if (stored === undefined) return
    const unread = isReadAnew(row, stored) ? UNREAD : {}
    const removed = stored.problem === BEING_REMOVED ? { problem: BEING_REMOVED } : {}
    await changeRow(tx, 'source', { ...change, ...unread, ...removed, id, checked_at: moment, visiting_since: null })
    await logSync(tx, { id, at: moment }, visit)
  })
}

/** What files are instead of calendars, as responses. */
const OF_RESPONSES: Readonly<Record<string, string>> = {
  'import.problem.empty': 'subscriptions.problem.empty',
  'import.problem.isHtml': 'subscriptions.problem.isHtml',
  'import.problem.compressed': 'subscriptions.problem.compressed',
  'import.problem.notCalendarStart': 'subscriptions.problem.notCalendarStart',
}

function problemOf({ code, slots, message }: Failure): string {
  const reason = String(slots['reason'] ?? message)
  if (code !== 'calendar_not_readable') return reason
  const [id = '', values] = reason.split('?', 2)
  const own = OF_RESPONSES[id]
  return own === undefined ? `its file ${translateKnown('en', reason)}` : [own, values ?? []].flat().join('?')
}

function visitOf(report: SyncReport | undefined): SyncOutcome {
  if (report === undefined) return NO_CHANGES
  const { created, updated, unchanged, trashed, skipped, notes } = report
  const counts = { created, updated, unchanged, trashed, skipped: skipped.length, kept: notes.length }
  return { ...counts, outcome: 'changed', problem: '' }
}

/** The result of a sync. */
interface SyncedFile {
  readonly change: Partial<Pick<SubscriptionTable, 'etag' | 'last_modified' | 'digest' | 'refresh' | 'report'>>
  /** Absent where the file had not changed. */
  readonly report?: SyncReport
}

/** What ends a sync. */
interface Ends {
  readonly signal: AbortSignal | undefined
  readonly late: AbortSignal
}

/** @throws subscription_failed when the sync took too long, what ends it otherwise */
function goOn({ signal, late }: Ends): void {
  signal?.throwIfAborted()
  if (late.aborted) throw fail('subscription_failed', { reason: 'it took too long; the next visit goes on' })
}

async function visit(deps: CalendarDeps, row: SubscriptionTable, ends: Ends): Promise<SyncedFile> {
  const either = AbortSignal.any([ends.late, ...(ends.signal === undefined ? [] : [ends.signal])])
  const response = await fetched(deps, row, either)
  if (response === undefined) return { change: {} }
  const { bytes, headers } = response
  const digest = createHash('sha256').update(bytes).digest('hex')
  const validators = { etag: headerOf(headers.etag), last_modified: headerOf(headers['last-modified']) }
  if (digest === row.digest) return { change: validators }
  const { zone, name, status } = row
  const reading = { zone: zone === '' ? undefined : zone, siteZone: deps.site.zone, now: deps.now() }
  goOn(ends)
  const read = await readCalendarFile({ name, bytes }, { ...reading, recurrenceYears: deps.recurrenceYears })
  // The import empties the list of events.
  const isThere = followedNames(read, deps.site)
  const imported = await importCalendar(
    deps,
    { file: name, ...read },
    {
      author: undefined,
      status: STATUSES.find((one) => one === status) ?? 'pending',
      categories: storedJson<readonly string[]>(row.categories),
      subscription: row.id,
      ends: either,
      // After each batch: its items stay.
      onProgress: () => goOn(ends),
      check: (tx) => requireFollowed(tx, row.id),
    },
  )
  // A file that was cut off does not say what it lacks.
  goOn(ends)
  const trashed = read.isWhole
    ? await trashVanished(deps, row, { isThere, renamed: imported.renamed, goOn: () => goOn(ends) })
    : 0
  const refresh = Math.floor(Math.min(read.refresh ?? 0, LONGEST_REFRESH) / 1000)
  const report = reportOf(imported, trashed)
  // Read again although it has not changed, for images that may be had then and events whose venue may be free.
  const seen = imported.later > 0 ? UNREAD : { ...validators, digest }
  return { change: { ...seen, refresh, report: JSON.stringify(report) }, report }
}

function reportOf({ counts, skipped, notes }: CalendarReport, trashed: number): SyncReport {
  const left = skipped.slice(0, MOST_TOLD).map(({ what, why }) => ({ what, why }))
  const told = { skipped: left, notes: notes.slice(0, MOST_TOLD) }
  const { created, updated, unchanged } = counts.event
  return { created, updated, unchanged, trashed, ...told }
}

/** The file of a subscription; undefined when it has not changed. @throws subscription_failed, subscription_busy */
async function fetched(
  { gate, now, secret }: CalendarDeps,
  { url, login, is_webcal, etag, last_modified }: SubscriptionTable,
  signal: AbortSignal | undefined,
): Promise<OutgoingResponse | undefined> {
  const headers = {
    ...(etag !== '' && { 'if-none-match': etag }),
    ...(last_modified !== '' && { 'if-modified-since': last_modified }),
  }
  const address = { url, credentials: openLogin(login, { secret }), isWebcal: is_webcal === 1 }
  const sent = await fetchCalendar(address, { gate, headers, signal })
  if (sent.ok) return sent.response.status === 304 ? undefined : sent.response
  const { reason, response } = sent
  const isBusy = response?.status === 429 || response?.status === 503
  const wait = isBusy ? (retryAfter(response.headers, now()) ?? 0) : 0
  if (wait > 0) throw fail('subscription_busy', { reason, wait: Math.min(wait, PAUSE.most) })
  throw fail('subscription_failed', { reason })
}

function headerOf(value: string | undefined): string {
  return value !== undefined && value.length <= 1_000 ? value : ''
}

/** Moves upcoming events that a subscription no longer has to the trash; how many. */
async function trashVanished(
  deps: CalendarDeps,
  { id }: SubscriptionTable,
  {
    isThere,
    renamed,
    goOn: check,
  }: { isThere(name: string): boolean; readonly renamed: ReadonlySet<number>; goOn(): void },
): Promise<number> {
  const events = await eventsFrom(deps.storage, id)
  return trashComing(
    deps,
    events.filter(({ id, name }) => !isThere(name) && !renamed.has(id)),
    { goOn: check, check: (tx) => requireFollowed(tx, id) },
  )
}
