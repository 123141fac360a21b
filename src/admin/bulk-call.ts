import type { NewMail } from '../accounts/mail/index.ts'
import { fail } from '../base/errors.ts'
import type { RawInput } from '../http/request/body.ts'
import type { TrashKindName } from '../storage/trash.ts'
import type { ApiCall } from './api.ts'
import type { FieldAction } from './bulk-change.ts'
import type { PageRequest } from './page-request.ts'

/** An item of a list as it is chosen. */
export interface ChosenItem {
  readonly id: string
  /** `publish` where items have none. */
  readonly status: string
  /** Which dates of a series are meant; '' for what does not recur. */
  readonly scope: string
  /** The mark of the version that was seen, see `ItemVersion`: another one is not published. Absent where any is. */
  readonly mark?: string
}

/** How an item is written in forms. */
export function writtenChoice({ id, status, scope, mark }: ChosenItem): string {
  const item = [id, status, scope].filter((part) => part !== '').join('-')
  return mark === undefined ? item : `${item}~${mark}`
}

/** The item that a text names; undefined for every other text. */
export function choiceIn(text: string): ChosenItem | undefined {
  const [, id, status, scope = '', mark] =
    /^(\d{1,15})-([a-z]+)(?:-(this|following|all))?(?:~([\w-]{16}))?$/.exec(text) ?? []
  return id === undefined || status === undefined ? undefined : { id, status, scope, ...(mark && { mark }) }
}

/** A list of which several items are changed at once. */
export interface BulkList {
  /** Name of the collection in the API. */
  readonly collection: string
  /** Path of its page. */
  readonly path: string
  /** Name of its items in the journal. */
  readonly resource: TrashKindName
  /** What can be done to several of them. */
  readonly actions: readonly BulkAction[]
  /** What the page asks the API for, without a page. */
  matching(request: PageRequest): RawInput
  /** An item of the list as it is chosen. */
  choiceOf(item: RawInput): ChosenItem
  /** What follows when an item was published: a mail that a person has to send, if any; never where `needsMail`. */
  published?(request: PageRequest, id: number, needsMail?: boolean): Promise<NewMail | undefined>
}

/** What is done to several items: `delete` removes them permanently. */
export type BulkAction = StatusAction | FieldAction

/** What changes whether an item can be seen. */
export type StatusAction = 'publish' | 'draft' | 'trash' | 'delete'

/** All of those. */
export const STATUS_ACTIONS: readonly StatusAction[] = ['publish', 'draft', 'trash', 'delete']

/** The call of the API that does something to an item of the list; `moveToTrash` moves it to the trash. */
export function callFor(
  { collection }: Pick<BulkList, 'collection'>,
  action: Exclude<StatusAction, 'trash'>,
  { id, scope, mark }: ChosenItem,
): ApiCall {
  const path = `/${collection}/${id}`
  if (action === 'delete') return { method: 'DELETE', path, query: { force: 'true', ...(scope !== '' && { scope }) } }
  // Publication is common to all dates of a series.
  const body = { status: action, ...(scope !== '' && { scope: 'all' }) }
  return { method: 'POST', path, body, ...(action === 'publish' && mark !== undefined && { mark }) }
}

/** What is to become of an item, see `needsChange`. */
export interface BulkDecision {
  readonly action: StatusAction
  readonly chosen: ChosenItem
  /** Status that it has now; undefined where it has none. */
  readonly status: string | undefined
}

/** Whether an item has to be changed, as it is now. @throws precondition_failed where someone else has changed it since it was chosen */
export function needsChange({ action, chosen, status = 'publish' }: BulkDecision): boolean {
  if (status === action && action !== 'delete') return false
  if (status !== chosen.status) throw fail('precondition_failed')
  return true
}
