import { createHash } from 'node:crypto'
import { Failure, fail } from '../errors.ts'
import { trashEvent } from '../events/index.ts'
import {
  type CalendarReport,
  followedNames,
  importCalendar,
  type ReadCalendar,
  readCalendarFile,
} from '../feeds/index.ts'
import { STATUSES } from '../model/status.ts'
import { type OutgoingResponse, sendRequest } from '../outgoing/request.ts'
import type { SourceTable } from '../storage/schema.ts'
import { storedJson } from '../text/stored-json.ts'
import { utcFromMillis } from '../time/zones.ts'
import { presentSource, sourceOrFail } from './manage.ts'
import { eventsOfSource, lastEnd, noteGone, updateSource } from './store.ts'
import type { Source, SourceParts, SyncReport } from './types.ts'

/** Bounds of a visit. */
const FETCH = { limit: 33_554_432, patience: 60_000 } as const

/** Milliseconds after a failure: doubled with each further one. */
const PAUSE = { least: 300_000, most: 86_400_000 } as const

/** Milliseconds that a source may ask to be left alone. */
const LONGEST_REFRESH = 7 * 86_400_000

/** Entries of a report that are kept. */
const MOST_TOLD = 100

/** Visits a source now; a failure is noted and shown, not thrown. @throws source-not-found */
export async function syncSource(parts: SourceParts, id: number, signal?: AbortSignal): Promise<Source> {
  const { storage, now } = parts
  const row = await sourceOrFail(storage, id)
  const at = now()
  try {
    const change = await visit(parts, row, signal)
    const wait = Math.max(row.every, change.refresh ?? row.refresh) * 1000
    const next = { next_at: utcFromMillis(at + wait), checked_at: utcFromMillis(at), synced_at: utcFromMillis(at) }
    await updateSource(storage, { id, ...change, ...next, failures: 0, problem: '' })
  } catch (error) {
    if (!(error instanceof Failure) || signal?.aborted === true) throw error
    const failures = row.failures + 1
    const wait = Math.min(PAUSE.least * 2 ** Math.min(failures - 1, 20), PAUSE.most)
    const problem = String(error.slots['reason'] ?? error.message).slice(0, 500)
    const next_at = utcFromMillis(at + Math.max(wait, error.code === 'source_busy' ? Number(error.slots['wait']) : 0))
    await updateSource(storage, { id, failures, problem, next_at, checked_at: utcFromMillis(at) })
  }
  return presentSource(await sourceOrFail(storage, id))
}

type Visited = Partial<Pick<SourceTable, 'etag' | 'last_modified' | 'digest' | 'refresh' | 'report'>>

async function visit(parts: SourceParts, row: SourceTable, signal: AbortSignal | undefined): Promise<Visited> {
  const response = await fetched(parts, row, signal)
  if (response === undefined) return {}
  const { bytes, headers } = response
  const digest = createHash('sha256').update(bytes).digest('hex')
  const validators = { etag: headerOf(headers.etag), last_modified: headerOf(headers['last-modified']) }
  if (digest === row.digest) return validators
  const { zone, name, status } = row
  const reading = { zone: zone === '' ? undefined : zone, siteZone: parts.site.zone, now: parts.now() }
  const read = await readCalendarFile({ name, bytes }, { ...reading, recurrenceYears: parts.recurrenceYears })
  const report = await importCalendar(
    parts,
    { file: name, ...read },
    {
      author: undefined,
      status: STATUSES.find((one) => one === status) ?? 'pending',
      categories: storedJson<readonly string[]>(row.categories),
      source: row.id,
      onProgress: () => undefined,
    },
  )
  // A file that was cut off does not say what it lacks.
  const trashed = read.isWhole ? await trashVanished(parts, row, read) : 0
  const refresh = Math.floor(Math.min(read.refresh ?? 0, LONGEST_REFRESH) / 1000)
  return { ...validators, digest, refresh, report: JSON.stringify(reportOf(report, trashed)) }
}

function reportOf({ created, updated, unchanged, skipped, kept }: CalendarReport, trashed: number): SyncReport {
  const told = { skipped: skipped.slice(0, MOST_TOLD), kept: kept.slice(0, MOST_TOLD) }
  return { created, updated, unchanged, trashed, ...told }
}

/** The file of a source; undefined when it has not changed. @throws source_failed, source_busy */
async function fetched(
  { gate }: SourceParts,
  { url, etag, last_modified }: SourceTable,
  signal: AbortSignal | undefined,
): Promise<OutgoingResponse | undefined> {
  const headers = {
    accept: 'text/calendar, */*;q=0.1',
    'user-agent': 'Kalends',
    ...(etag !== '' && { 'if-none-match': etag }),
    ...(last_modified !== '' && { 'if-modified-since': last_modified }),
  }
  const sent = await sendRequest(url, { ...FETCH, gate, headers, signal })
  if (!sent.ok) throw fail('source_failed', { reason: sent.reason.replaceAll('_', ' ') })
  const { status } = sent.response
  if (status === 304) return undefined
  if (status === 200) return sent.response
  const seconds = Number(sent.response.headers['retry-after'])
  const reason = `the server answered ${status}`
  if ((status === 429 || status === 503) && seconds > 0)
    throw fail('source_busy', { reason, wait: Math.min(seconds * 1000, PAUSE.most) })
  throw fail('source_failed', { reason })
}

function headerOf(value: string | undefined): string {
  return value !== undefined && value.length <= 1_000 ? value : ''
}

/** Moves what a source has no longer, and is not over, to the trash; how many. */
async function trashVanished(parts: SourceParts, { id }: SourceTable, read: ReadCalendar): Promise<number> {
  const { storage, now, recurrenceYears } = parts
  const isThere = followedNames(read, parts.site)
  const at = utcFromMillis(now())
  let trashed = 0
  for (const one of await eventsOfSource(storage, id)) {
    if (isThere(one.name)) continue
    const end = await lastEnd(storage, one.id)
    const isOver = end === undefined || end < at
    await storage.write(async (tx) => {
      const cause = { actor: null, at }
      const isTrashed = !isOver && (await trashEvent(tx, one.id, { cause, holding: { now: now(), recurrenceYears } }))
      await noteGone(tx, one.id, isTrashed ? 1 : 2)
    })
    if (!isOver) trashed += 1
  }
  return trashed
}
