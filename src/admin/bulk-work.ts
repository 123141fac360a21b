import { findUserById } from '../accounts/users/index.ts'
import { Failure, fail } from '../base/errors.ts'
import { storedJson } from '../base/text/stored-json.ts'
import type { Caller } from '../http/auth/rights.ts'
import { NOTHING, type RawInput } from '../http/request/body.ts'
import {
  addItems,
  type ChosenRow,
  countItems,
  finishItem,
  itemsIn,
  type LongWorkEntry,
  type NewLongWork,
} from '../storage/jobs/index.ts'
import { insideTransaction } from '../storage/reads.ts'
import type { LongWorkItemTable } from '../storage/schema.ts'
import { readTrash } from '../storage/trash.ts'
import { type BulkAction, type BulkList, type ChosenItem, callFor, needsChange } from './bulk-call.ts'
import { changeOf, type FieldAction, isFieldAction } from './bulk-change.ts'
import { refuseUnseen } from './bulk-seen.ts'
import { objectsIn } from './form-values.ts'
import type { PageRequest } from './page-request.ts'
import { passOver } from './refusals.ts'
import { restoreRow, trashFor } from './trash/kinds.ts'
import { moveToTrash } from './trash/move.ts'
import { keyOf } from './trash/moved.ts'

/** Most items that are changed at once. */
export const MOST_MATCHES = 10_000

/** How many items are changed side by side: they share a commit. */
const TOGETHER = 16

/** The order for a bulk change, as its entry of long work stores it. */
export interface BulkAbout {
  readonly collection: string
  /** `restore` takes items out of the trash that earlier work has moved there. */
  readonly action: BulkAction | 'restore'
  /** What a change of a field sets or adds; '' or absent for every other action. */
  readonly value?: string
  /** Up to which change the page showed the items: what has changed since is not published. Absent where anything is. */
  readonly seen?: number
}

/** What is to be changed: the items of the list on the page that asks, or those of earlier work in a state. */
export type BulkChoice =
  | { readonly of: 'list' }
  | { readonly of: 'work'; readonly id: number; readonly state: 'done' | '' }

/** What an entry of the kind `bulk` is about. */
export function bulkAbout({ about }: LongWorkEntry): BulkAbout {
  return storedJson<BulkAbout>(about)
}

/** Starts to change many items as long work; undefined where this user has another such work under way. */
export function beginBulk(
  request: PageRequest,
  list: BulkList,
  { choice, ...about }: BulkAbout & { readonly choice: BulkChoice },
): Promise<number | undefined> {
  const { deps, incoming } = request
  const { id, name } = incoming.caller
  deps.log.info({ change: 'bulk change started', by: name, ...about }, 'audit')
  return deps.longWork.begin({
    ...{ kind: 'bulk', lane: `bulk ${id}`, by: { id, name }, about },
    ...(choice.of === 'work' && { follows: choice.id }),
    run: (task) => work({ request, list, about, task }, choice),
  })
}

type Task = Parameters<NewLongWork['run']>[0]

/** Work under way. */
interface Working {
  readonly request: PageRequest
  readonly list: BulkList
  readonly about: BulkAbout
  readonly task: Task
}

/** Chooses the items first, and then changes one after the other. */
async function work(working: Working, choice: BulkChoice): Promise<unknown> {
  const { request, task } = working
  const { storage } = request.deps
  const { id, signal } = task
  const chosen = choice.of === 'list' ? await matches(working) : await earlier(working, choice)
  await storage.write((tx) => addItems(tx, id, chosen))
  for (let done = 0; done < chosen.length; ) {
    task.progress({ done, total: chosen.length })
    signal.throwIfAborted()
    const items = await itemsIn(storage, { id, state: '' }, TOGETHER)
    if (items.length === 0) break
    const now = await presently(request)
    const settled = await Promise.allSettled(items.map((item) => changeItem({ ...working, request: now }, item)))
    for (const one of settled) if (one.status === 'rejected') throw one.reason
    done += items.length
  }
  task.progress({ done: chosen.length, total: chosen.length })
  return countItems(storage, id)
}

/** The same request now, with the rights that its caller has now. @throws rest_forbidden when they may not sign in any more */
async function presently(request: PageRequest): Promise<PageRequest> {
  const { deps } = request
  const { upload: _upload, fragments: _fragments, tries: _tries, keyed: _keyed, ...incoming } = request.incoming
  const user = await findUserById(deps.storage, incoming.caller.id)
  if (user === undefined || user.disabledAt !== null) throw fail('rest_forbidden')
  const caller: Caller = { id: user.id, role: user.role, name: user.name }
  return { ...request, incoming: { ...incoming, caller, now: deps.now(), query: NOTHING, body: NOTHING } }
}

/** Everything that the list shows on all of its pages. @throws batch_too_much, and what a page is refused for */
async function matches({ request, list, task }: Working): Promise<readonly ChosenRow[]> {
  const sent = { ...list.matching(request), per_page: '50' }
  const found = new Map<string, ChosenRow>()
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    task.signal.throwIfAborted()
    const { deps, incoming } = await presently(request)
    const call = { path: `/${list.collection}`, query: { ...sent, page: String(page) } }
    const body = ((await deps.api(incoming, call).catch(pastEnd))?.body ?? {}) as RawInput
    pages = Number(body['total_pages'] ?? 1)
    for (const item of objectsIn(body[list.collection])) {
      const { id, status, scope } = list.choiceOf(item)
      found.set(id, { item_id: Number(id), status, scope })
    }
    if (found.size > MOST_MATCHES) throw fail('batch_too_much')
  }
  return [...found.values()]
}

/** The list has become shorter meanwhile, in `catch`. @throws every other error: what a page is refused for concerns all */
function pastEnd(error: unknown): undefined {
  if (error instanceof Failure && error.code.endsWith('-archive-page-not-found')) return undefined
  throw error
}

/** How many items the list shows on all of its pages. @throws what the list is refused for */
export async function countMatches(request: PageRequest, list: BulkList): Promise<number> {
  const query = { ...list.matching(request), per_page: '1' }
  const reply = await request.deps.api(request.incoming, { path: `/${list.collection}`, query }).catch(pastEnd)
  return Number((reply?.body as RawInput | undefined)?.['total'] ?? 0)
}

/** The items of earlier work in a state. */
async function earlier(
  { request, about }: Working,
  { id, state }: Extract<BulkChoice, { readonly of: 'work' }>,
): Promise<readonly ChosenRow[]> {
  const items = await itemsIn(request.deps.storage, { id, state }, MOST_MATCHES)
  // What was deleted with a category above it finds that again.
  return about.action === 'restore' ? items.toReversed() : items
}

function choiceIn({ item_id, status, scope }: ChosenRow): ChosenItem {
  return { id: String(item_id), status, scope }
}

/** Changes one item as the API would, and notes that in the same transaction: neither is ever there without the other. */
async function changeItem(working: Working, item: LongWorkItemTable): Promise<void> {
  const { request, list, about } = working
  const { storage } = request.deps
  const read: { title: string } = { title: '' }
  try {
    const state = await storage.write((tx) =>
      insideTransaction(tx, async () => {
        const isChanged = await (about.action === 'restore' ? restoreIn : changeIn)(working, item, read)
        await finishItem(tx, item, { state: isChanged ? 'done' : 'same' })
        return isChanged
      }),
    )
    if (state && about.action === 'publish') await list.published?.(request, item.item_id, true).catch(passOver)
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500) throw error
    const problem = JSON.stringify({ code: error.code, slots: error.slots })
    await storage.write((tx) => finishItem(tx, item, { state: 'refused', title: read.title, problem }))
  }
}

/** Restores an item that is in the trash. @throws precondition_failed where it is not */
async function restoreIn(
  { request, list }: Working,
  { item_id, scope }: LongWorkItemTable,
  read: { title: string },
): Promise<boolean> {
  const key = await keyOf(request, scope === 'this' ? 'date' : list.resource, item_id)
  const keys = key === undefined ? [] : [key]
  const [row] = await readTrash(request.deps.storage, { ...trashFor(request), keys }, { limit: 1 })
  if (row === undefined) throw fail('precondition_failed')
  read.title = row.title.slice(0, 300)
  await restoreRow({ ...request, incoming: { ...request.incoming, isBatched: true } }, row)
  return true
}

/** Changes a field of an event; false where it is like that already. */
export async function changeField(
  { deps, incoming }: PageRequest,
  { action, value }: { readonly action: FieldAction; readonly value: string },
  { id, scope }: ChosenItem,
): Promise<boolean> {
  const path = `/events/${id}`
  const body = changeOf(action, value, (await deps.api(incoming, { path })).body as RawInput)
  if (body === undefined) return false
  await deps.api(incoming, { method: 'POST', path, body: { ...body, ...(scope !== '' && { scope }) } })
  return true
}

/** Whether an item had to be changed, which was done. */
async function changeIn(
  { request, list, about }: Working,
  item: LongWorkItemTable,
  read: { title: string },
): Promise<boolean> {
  const { deps } = request
  const { action, value = '', seen } = about
  if (action === 'restore') return false
  const incoming = { ...request.incoming, isBatched: true }
  const chosen = choiceIn(item)
  const path = `/${list.collection}/${chosen.id}`
  const now = (await deps.api(incoming, { path })).body as RawInput
  read.title = String(now['title'] ?? now['venue'] ?? now['organizer'] ?? now['name'] ?? '').slice(0, 300)
  if (isFieldAction(action)) return changeField({ ...request, incoming }, { action, value }, chosen)
  const status = now['status'] === undefined ? undefined : String(now['status'])
  if (!needsChange({ action, chosen, status })) return false
  if (action === 'publish' && seen !== undefined) await refuseUnseen(deps.storage, list, { now, seen })
  if (action === 'trash') await moveToTrash({ ...request, incoming }, list, chosen)
  else await deps.api(incoming, callFor(list, action, chosen))
  return true
}
