import { fail } from '../base/errors.ts'
import type { RawInput } from '../http/request/body.ts'
import type { TermKey } from '../model/resource.ts'
import type { ApiCall } from './api.ts'
import type { Asking } from './asking.ts'
import type { ChosenItem, Undoable } from './undo.ts'

/** A list of which several items are changed at once. */
export interface BulkList {
  /** Name of the collection in the API. */
  readonly collection: string
  /** Path of its page. */
  readonly path: string
  /** Which terms its items are: these have no trash, but their deletion can be taken back; absent for others. */
  readonly terms?: TermKey | undefined
  /** What the page asks the API for, without a page. */
  matching(asking: Asking): RawInput
  /** An item of the list as it is chosen. */
  choiceOf(item: RawInput): ChosenItem
  /** What follows when an item was published. */
  published?(asking: Asking, id: number): Promise<void>
}

/** What is done to several items: `restore` gives them the status that they had. */
export type BulkAction = Undoable['action'] | 'restore'

/** All of them. */
export const BULK_ACTIONS: readonly BulkAction[] = ['publish', 'draft', 'trash', 'delete', 'restore']

/** The call of the API that does something to an item of the list. */
export function callFor(
  { collection, terms }: BulkList,
  action: BulkAction,
  { id, status, scope }: ChosenItem,
): ApiCall {
  const path = `/${collection}/${id}`
  const which = scope === '' ? {} : { scope }
  if (action === 'trash' || action === 'delete') {
    const force = action === 'delete' && terms === undefined ? { force: 'true' } : {}
    return { method: 'DELETE', path, query: { ...which, ...force } }
  }
  if (action === 'restore') return { method: 'POST', path, body: { status, ...which } }
  // Publication is common to all dates of a series.
  const body = { status: action === 'publish' ? 'publish' : 'draft', ...(scope !== '' && { scope: 'all' }) }
  return { method: 'POST', path, body }
}

/** What takes a change back: the status that the items had, of all dates where those were changed. */
export function undoOf(action: BulkAction, changed: readonly ChosenItem[]): Undoable {
  if (action === 'trash' || action === 'delete') return { action, items: changed }
  const items = changed.map((one) => (one.scope === '' ? one : { ...one, scope: 'all' }))
  return { action: action === 'publish' ? action : 'draft', items }
}

/** Statuses that items have after a change, while nobody has changed them again. */
export const AFTER: Readonly<Record<Undoable['action'], readonly string[]>> = {
  trash: ['trash'],
  delete: [],
  publish: ['publish', 'future', 'pending'],
  draft: ['draft'],
}

/** What is to become of an item, see `needsChange`. */
export interface BulkDecision {
  readonly action: BulkAction
  /** What `restore` takes back. */
  readonly undone?: Undoable['action'] | undefined
  readonly chosen: ChosenItem
  /** Status that it has now; undefined where it has none. */
  readonly status: string | undefined
}

/** Whether an item has to be changed, as it is now. @throws precondition_failed where somebody else has changed it since it was chosen */
export function needsChange({ action, undone, chosen, status = 'publish' }: BulkDecision): boolean {
  // A single date that was taken out has no status of its own.
  if (action === 'restore' && chosen.scope === 'this') return true
  const wanted = action === 'restore' ? chosen.status : action
  if (status === wanted) return false
  const isAsChosen = undone === undefined ? status === chosen.status : AFTER[undone].includes(status)
  if (!isAsChosen) throw fail('precondition_failed')
  return true
}
