import { type Failure, fail } from '../../base/errors.ts'
import { mayGoTo } from '../../base/outgoing/credentials.ts'
import { storedJson } from '../../base/text/stored-json.ts'
import { isZone, utcFromMillis } from '../../base/time/zones.ts'
import { type ItemVersion, itemVersion, type VersionCheck } from '../../http/route/preconditions.ts'
import { HIGHEST_ID } from '../../model/id.ts'
import { STATUSES } from '../../model/status.ts'
import type { Reader, Storage, Transaction } from '../../storage/engine.ts'
import { NOT_EXPORTED } from '../../storage/export/without-secrets.ts'
import { changeRow, differs } from '../../storage/row-writes.ts'
import type { SubscriptionTable } from '../../storage/schema.ts'
import { eventCounts } from '../imports/importer/store-events.ts'
import { calendarAddress } from '../index.ts'
import { type LoginKey, sealLogin } from './login.ts'
import { allSubscriptions, findById, findByUrl, insertSubscription, LONGEST_SYNC } from './store.ts'
import type { Subscription, SubscriptionInput, SyncReport } from './types.ts'

/** Seconds between two syncs: the default and the bounds. */
const EVERY = { usual: 3_600, least: 300, most: 2_592_000 } as const
const MOST_SUBSCRIPTIONS = 1_000

/** The problem of a subscription that is removed once its events are in the trash; it is paused until then. */
export const BEING_REMOVED = 'subscriptions.problem.beingRemoved'

/** What changing subscriptions needs. */
export interface ManageDeps {
  readonly storage: Storage
  now(): number
}

/** Refuses what a sync would store of a subscription that was removed meanwhile. @throws subscription_failed */
export async function requireFollowed(tx: Transaction, id: number): Promise<void> {
  const row = await findById(tx, id)
  if (row === undefined || row.problem === BEING_REMOVED)
    throw fail('subscription_failed', { reason: 'it was removed' })
}

/** Whether a subscription is being synced. */
export function isVisited({ visiting_since: since }: SubscriptionTable, now: number): boolean {
  return since !== null && since > utcFromMillis(now - LONGEST_SYNC)
}

/** A subscription as it is shown. */
function shown(
  row: SubscriptionTable,
  { events, now }: { readonly events: number; readonly now: number },
): Subscription {
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

/** When someone last changed the subscription in a row. */
function changedAt({ modified_at, created_at }: SubscriptionTable): string {
  return modified_at ?? created_at
}

/** What people decide about a subscription; syncs leave it as it is. */
type Decided = Pick<Subscription, 'id' | 'name' | 'url' | 'every' | 'status' | 'categories' | 'timezone' | 'paused'>

function decidedOf({ id, name, url, every, status, categories, zone, paused }: SubscriptionTable): Decided {
  const names = storedJson<readonly string[]>(categories)
  return { id, name, url, every, status, categories: names, timezone: zone, paused: paused === 1 }
}

/** The version of what people decide about a subscription. */
export function versionOf(subscription: Decided & Pick<Subscription, 'modified_at'>): ItemVersion {
  const { id, name, url, every, status, categories, timezone, paused, modified_at } = subscription
  const state = JSON.stringify([id, name, url, every, status, categories, timezone, paused])
  return itemVersion(`subscription ${state}`, modified_at)
}

/** Checks the version of the subscription in a row. @throws what `check` does */
export function checkVersion(row: SubscriptionTable, check: VersionCheck | undefined): void {
  check?.(versionOf({ ...decidedOf(row), modified_at: changedAt(row) }))
}

/** A subscription as it is shown. */
export async function present({ storage, now }: ManageDeps, row: SubscriptionTable): Promise<Subscription> {
  return shown(row, { events: (await eventCounts(storage, row.id)).get(row.id) ?? 0, now: now() })
}

/** All subscriptions. */
export async function listSubscriptions({ storage, now }: ManageDeps): Promise<Subscription[]> {
  const counts = await eventCounts(storage)
  return (await allSubscriptions(storage)).map((row) => shown(row, { events: counts.get(row.id) ?? 0, now: now() }))
}

/** A subscription. @throws subscription-not-found */
export async function requireById(reader: Reader, id: number): Promise<SubscriptionTable> {
  // PostgreSQL refuses to compare with what no identifier can be.
  const row = Number.isSafeInteger(id) && id <= HIGHEST_ID ? await findById(reader, id) : undefined
  if (row === undefined) throw fail('subscription-not-found')
  return row
}

/** What refuses a subscription for a reason. */
function refused(reason: string): Failure {
  return fail('bad_subscription', { reason })
}

/** @throws bad_subscription where a calendar is followed already, or as many are as there may be */
export async function requireRoom(reader: Reader, url: string): Promise<void> {
  if ((await findByUrl(reader, url)) !== undefined) throw refused('subscriptions.problem.duplicate')
  if ((await allSubscriptions(reader)).length >= MOST_SUBSCRIPTIONS) throw refused('subscriptions.problem.tooMany')
}

/** Follows a calendar from now on; it is synced soon. @throws bad_subscription */
export async function addSubscription(deps: ManageDeps & LoginKey, input: SubscriptionInput): Promise<Subscription> {
  const { storage, now } = deps
  const columns = columnsOf(input, deps)
  const { url } = columns
  if (url === undefined) throw refused('its address is missing')
  const at = utcFromMillis(now())
  const row = {
    ...{ name: new URL(url).hostname, every: EVERY.usual, status: 'publish', categories: '[]', zone: '', paused: 0 },
    ...{ login: '', is_webcal: 0 },
    ...{ ...UNREAD, refresh: 0, next_at: at, checked_at: null, synced_at: null },
    ...{ ...WELL, report: null, created_at: at, modified_at: at, visiting_since: null },
    ...columns,
    url,
  }
  const stored = await storage.write(async (tx) => {
    await requireRoom(tx, url)
    return insertSubscription(tx, row)
  })
  return present(deps, stored)
}

/** Whether the file of a subscription has to be read although it has not changed: something else decides now what it says. */
export function isReadAnew(before: SubscriptionTable, now: SubscriptionTable): boolean {
  return (['url', 'zone', 'categories'] as const).some((name) => now[name] !== before[name])
}

/** What a subscription has whose last sync did not fail. */
export const WELL = { failures: 0, failing_since: null, problem: '' } as const

/** What a subscription has of a file that was not read. */
export const UNREAD = { etag: '', last_modified: '', digest: '' } as const

/** What is to change of a subscription, and what refuses that for the version that is stored. */
interface SubscriptionChange {
  readonly input: SubscriptionInput
  readonly check?: VersionCheck | undefined
}

/** Changes a subscription; one that is no longer paused is synced soon. @throws subscription-not-found, bad_subscription, and what `check` does */
export async function changeSubscription(
  deps: ManageDeps & LoginKey,
  id: number,
  { input, check }: SubscriptionChange,
): Promise<Subscription> {
  const { storage, now } = deps
  const changed = columnsOf(input, deps)
  const { url } = changed
  return present(
    deps,
    await storage.write(async (tx) => {
      const row = await requireById(tx, id)
      const columns = { ...changed, ...loginAfter(row, changed) }
      const other = url === undefined ? undefined : await findByUrl(tx, url)
      if (other !== undefined && other.id !== id) throw refused('subscriptions.problem.duplicate')
      const isOther = (url !== undefined && url !== row.url) || (columns.login ?? row.login) !== row.login
      if (url === undefined && columns.paused === 0 && row.problem === NOT_EXPORTED) throw refused(NOT_EXPORTED)
      if (row.problem === BEING_REMOVED) throw refused(BEING_REMOVED)
      checkVersion(row, check)
      const fresh = isReadAnew(row, { ...row, ...columns }) ? UNREAD : {}
      const at = utcFromMillis(now())
      const isWoken = isOther || (row.paused === 1 && columns.paused === 0)
      const change = {
        ...columns,
        ...fresh,
        ...(isWoken && { next_at: at, ...WELL }),
        ...(differs(columns, row) && { modified_at: at }),
      }
      if (Object.keys(change).length > 0) await changeRow(tx, 'source', { id, ...change })
      return { ...row, ...change }
    }),
  )
}

type Columns = Partial<
  Pick<
    SubscriptionTable,
    'name' | 'url' | 'login' | 'is_webcal' | 'every' | 'status' | 'categories' | 'zone' | 'paused'
  >
>

/** Credentials stay for the host that they were entered for, until others are. */
function loginAfter(row: SubscriptionTable, { url, login, is_webcal }: Columns): Columns {
  if (url === undefined) return {}
  const kept = mayGoTo(url, row.url) ? row.login : ''
  return { login: login ?? kept, ...(url === row.url && is_webcal === 0 && { is_webcal: row.is_webcal }) }
}

function columnsOf(input: SubscriptionInput, key: LoginKey): Columns {
  const { url, name, every, status, categories, timezone, paused } = input
  const address = url === undefined ? undefined : calendarAddress(url)
  const refuse = (reason: string): never => {
    throw refused(reason)
  }
  if (url !== undefined && (address === undefined || address.url.length > 2_000))
    refuse('subscriptions.problem.notHttp')
  if (every !== undefined && !(every >= EVERY.least && every <= EVERY.most))
    refuse(`it can be visited every ${EVERY.least} to ${EVERY.most} seconds`)
  if (status !== undefined && !STATUSES.some((one) => one === status && one !== 'trash' && one !== 'future'))
    refuse('its status is none of publish, pending, draft, private')
  if (timezone !== undefined && timezone !== '' && !isZone(timezone)) refuse('subscriptions.problem.unknownZone')
  if (categories !== undefined && (categories.length > 20 || categories.some((one) => one.length > 200)))
    refuse('subscriptions.problem.categories')
  const label = name?.replace(/\p{C}/gu, ' ').trim().slice(0, 200)
  return {
    ...(address !== undefined && { url: address.url, is_webcal: address.isWebcal ? 1 : 0 }),
    ...(address?.credentials !== undefined && { login: sealLogin(address.credentials, key) }),
    ...(label !== undefined && label !== '' && { name: label }),
    ...(every !== undefined && { every: Math.round(every) }),
    ...(status !== undefined && { status }),
    ...(categories !== undefined && { categories: JSON.stringify(categories) }),
    ...(timezone !== undefined && { zone: timezone }),
    ...(paused !== undefined && { paused: paused ? 1 : 0 }),
  }
}
