import { fail } from '../../base/errors.ts'
import { plainAddress } from '../../base/outgoing/request.ts'
import { storedJson } from '../../base/text/stored-json.ts'
import { isZone, utcFromMillis } from '../../base/time/zones.ts'
import { type ItemVersion, itemVersion, type VersionCheck } from '../../http/route/preconditions.ts'
import { HIGHEST_ID } from '../../model/id.ts'
import { STATUSES } from '../../model/status.ts'
import type { Reader, Storage, Transaction } from '../../storage/engine.ts'
import { NOT_EXPORTED } from '../../storage/export/without-secrets.ts'
import { changeRow, differs } from '../../storage/row-writes.ts'
import type { SourceTable } from '../../storage/schema.ts'
import { allSources, eventCount, eventCounts, insertSource, LONGEST_VISIT, sourceById, sourceByUrl } from './store.ts'
import type { Source, SourceInput, SyncReport } from './types.ts'

/** Seconds between two syncs: the default and the bounds. */
const EVERY = { usual: 3_600, least: 300, most: 2_592_000 } as const
const MOST_SOURCES = 1_000

/** The problem of a source that is removed once its events are in the trash; it is paused until then. */
export const BEING_REMOVED = 'subscriptions.problem.beingRemoved'

/** What changing sources needs. */
export interface ManageDeps {
  readonly storage: Storage
  now(): number
}

/** Refuses what a visit would store of a source that was removed meanwhile. @throws source_failed */
export async function requireFollowed(tx: Transaction, id: number): Promise<void> {
  const row = await sourceById(tx, id)
  if (row === undefined || row.problem === BEING_REMOVED) throw fail('source_failed', { reason: 'it was removed' })
}

/** Whether a source is being visited. */
export function isVisited({ visiting_since: since }: SourceTable, now: number): boolean {
  return since !== null && since > utcFromMillis(now - LONGEST_VISIT)
}

/** A source as it is shown. */
function present(row: SourceTable, { events, now }: { readonly events: number; readonly now: number }): Source {
  const { failures, problem, report } = row
  return {
    ...decidedOf(row),
    next_visit: row.next_at,
    last_visit: row.checked_at,
    last_success: row.synced_at,
    failures,
    problem,
    // Reports of earlier versions have no notes.
    report: report === null ? null : Object.assign({ notes: [] }, storedJson<SyncReport>(report)),
    events,
    visiting: isVisited(row, now),
    modified_at: changedAt(row),
  }
}

/** When someone last changed the source in a row. */
function changedAt({ modified_at, created_at }: SourceTable): string {
  return modified_at ?? created_at
}

/** What people decide about a source; visits leave it as it is. */
type Decided = Pick<Source, 'id' | 'name' | 'url' | 'every' | 'status' | 'categories' | 'timezone' | 'paused'>

function decidedOf({ id, name, url, every, status, categories, zone, paused }: SourceTable): Decided {
  const names = storedJson<readonly string[]>(categories)
  return { id, name, url, every, status, categories: names, timezone: zone, paused: paused === 1 }
}

/** The version of what people decide about a source. */
export function sourceVersion(source: Decided & Pick<Source, 'modified_at'>): ItemVersion {
  const { id, name, url, every, status, categories, timezone, paused, modified_at } = source
  const state = JSON.stringify([id, name, url, every, status, categories, timezone, paused])
  return itemVersion(`source ${state}`, modified_at)
}

/** Checks the version of the source in a row. @throws what `check` does */
export function checkSource(row: SourceTable, check: VersionCheck | undefined): void {
  check?.(sourceVersion({ ...decidedOf(row), modified_at: changedAt(row) }))
}

/** A source as it is shown. */
export async function presentSource({ storage, now }: ManageDeps, row: SourceTable): Promise<Source> {
  return present(row, { events: await eventCount(storage, row.id), now: now() })
}

/** All sources. */
export async function listSources({ storage, now }: ManageDeps): Promise<Source[]> {
  const counts = await eventCounts(storage)
  return (await allSources(storage)).map((row) => present(row, { events: counts.get(row.id) ?? 0, now: now() }))
}

/** A source. @throws source-not-found */
export async function sourceOrFail(reader: Reader, id: number): Promise<SourceTable> {
  // PostgreSQL refuses to compare with what no identifier can be.
  const row = Number.isSafeInteger(id) && id <= HIGHEST_ID ? await sourceById(reader, id) : undefined
  if (row === undefined) throw fail('source-not-found')
  return row
}

/** @throws bad_source where a calendar is followed already, or as many are as there may be */
export async function requireRoom(reader: Reader, url: string): Promise<void> {
  if ((await sourceByUrl(reader, url)) !== undefined)
    throw fail('bad_source', { reason: 'subscriptions.problem.duplicate' })
  if ((await allSources(reader)).length >= MOST_SOURCES)
    throw fail('bad_source', { reason: 'subscriptions.problem.tooMany' })
}

/** Follows a calendar from now on; it is visited soon. @throws bad_source */
export async function addSource(deps: ManageDeps, input: SourceInput): Promise<Source> {
  const { storage, now } = deps
  const columns = columnsOf(input)
  const { url } = columns
  if (url === undefined) throw fail('bad_source', { reason: 'its address is missing' })
  const at = utcFromMillis(now())
  const row = {
    ...{ name: new URL(url).hostname, every: EVERY.usual, status: 'publish', categories: '[]', zone: '', paused: 0 },
    ...{ ...UNREAD, refresh: 0, next_at: at, checked_at: null, synced_at: null },
    ...{ failures: 0, problem: '', report: null, created_at: at, modified_at: at, visiting_since: null },
    ...columns,
    url,
  }
  const stored = await storage.write(async (tx) => {
    await requireRoom(tx, url)
    return insertSource(tx, row)
  })
  return presentSource(deps, stored)
}

/** Whether the file of a source has to be read although it has not changed: something else decides now what it says. */
export function isReadAnew(before: SourceTable, now: SourceTable): boolean {
  return (['url', 'zone', 'categories'] as const).some((name) => now[name] !== before[name])
}

/** What a source has of a file that was not read. */
export const UNREAD = { etag: '', last_modified: '', digest: '' } as const

/** What is to change of a source, and what refuses that for the version that is stored. */
interface SourceChange {
  readonly input: SourceInput
  readonly check?: VersionCheck | undefined
}

/** Changes a source; one that is no longer paused is visited soon. @throws source-not-found, bad_source, and what `check` does */
export async function changeSource(deps: ManageDeps, id: number, { input, check }: SourceChange): Promise<Source> {
  const { storage, now } = deps
  const columns = columnsOf(input)
  const { url } = columns
  return presentSource(
    deps,
    await storage.write(async (tx) => {
      const row = await sourceOrFail(tx, id)
      const other = url === undefined ? undefined : await sourceByUrl(tx, url)
      if (other !== undefined && other.id !== id)
        throw fail('bad_source', { reason: 'subscriptions.problem.duplicate' })
      const isOther = url !== undefined && url !== row.url
      if (url === undefined && columns.paused === 0 && row.problem === NOT_EXPORTED)
        throw fail('bad_source', { reason: NOT_EXPORTED })
      if (row.problem === BEING_REMOVED) throw fail('bad_source', { reason: BEING_REMOVED })
      checkSource(row, check)
      const fresh = isReadAnew(row, { ...row, ...columns }) ? UNREAD : {}
      const at = utcFromMillis(now())
      const isWoken = isOther || (row.paused === 1 && columns.paused === 0)
      const change = {
        ...columns,
        ...fresh,
        ...(isWoken && { next_at: at, failures: 0, problem: '' }),
        ...(differs(columns, row) && { modified_at: at }),
      }
      if (Object.keys(change).length > 0) await changeRow(tx, 'source', { id, ...change })
      return { ...row, ...change }
    }),
  )
}

type Columns = Partial<Pick<SourceTable, 'name' | 'url' | 'every' | 'status' | 'categories' | 'zone' | 'paused'>>

function columnsOf(input: SourceInput): Columns {
  const { url, name, every, status, categories, timezone, paused } = input
  const address = url === undefined ? undefined : plainAddress(url.trim().replace(/^webcals?:/i, 'https:'))
  const refuse = (reason: string): never => {
    throw fail('bad_source', { reason })
  }
  if (url !== undefined && (address === undefined || address.length > 2_000)) refuse('subscriptions.problem.notHttp')
  if (every !== undefined && !(every >= EVERY.least && every <= EVERY.most))
    refuse(`it can be visited every ${EVERY.least} to ${EVERY.most} seconds`)
  if (status !== undefined && !STATUSES.some((one) => one === status && one !== 'trash' && one !== 'future'))
    refuse('its status is none of publish, pending, draft, private')
  if (timezone !== undefined && timezone !== '' && !isZone(timezone)) refuse('subscriptions.problem.unknownZone')
  if (categories !== undefined && (categories.length > 20 || categories.some((one) => one.length > 200)))
    refuse('subscriptions.problem.categories')
  const label = name?.replace(/\p{C}/gu, ' ').trim().slice(0, 200)
  return {
    ...(address !== undefined && { url: address }),
    ...(label !== undefined && label !== '' && { name: label }),
    ...(every !== undefined && { every: Math.round(every) }),
    ...(status !== undefined && { status }),
    ...(categories !== undefined && { categories: JSON.stringify(categories) }),
    ...(timezone !== undefined && { zone: timezone }),
    ...(paused !== undefined && { paused: paused ? 1 : 0 }),
  }
}
