import { Failure } from '../errors.ts'
import type { PageResponse } from '../http/page.ts'
import { html, type Markup, NOTHING } from '../web/html.ts'
import type { ApiCall } from './api.ts'
import { type Asking, redirect } from './asking.ts'
import { confirmPage } from './confirm.ts'
import { type Offer, selectControl } from './controls.ts'
import { csrfField } from './layout.ts'

/** A list of which several items are changed at once. */
export interface BulkList {
  /** Name of the collection in the API. */
  readonly collection: string
  /** Path of its page. */
  readonly path: string
  /** Whether items have no trash: they are deleted for good only. */
  readonly isTerms?: boolean
  /** What follows when an item was published. */
  published?(asking: Asking, id: number): Promise<void>
}

/** An item of a list: what it was, to take a change back. */
export interface ChosenItem {
  readonly id: string
  /** `publish` where items have none. */
  readonly status: string
  /** Which dates of a series are meant; '' for what does not recur. */
  readonly scope: string
}

/** Most items that one form changes. */
const MOST = 100

/** A table whose rows have boxes, with what can be done to those that are ticked. */
export function bulkForm(asking: Asking, { path }: BulkList, { table, actions }: BulkTable): Markup {
  const { t } = asking
  return html`<form method="post" action="${path}">${csrfField(asking)}<div class="box wide">${table}</div>
<div class="filters">${selectControl({ name: 'action', label: t('With the chosen ones') }, actions)}<button class="second">${t('Apply')}</button></div></form>`
}

/** What a form for several items shows. */
interface BulkTable {
  readonly table: Markup
  readonly actions: readonly Offer[]
}

/** The cell with the box of an item. */
export function choiceCell({ t }: Asking, item: ChosenItem, title: string): Markup {
  return html`<td><input type="checkbox" name="ids[]" value="${writtenChoice(item)}" aria-label="${t('Choose {title}', { title })}"></td>`
}

/** How an item is written in addresses and forms. */
function writtenChoice({ id, status, scope }: ChosenItem): string {
  return [id, status, scope].filter((part) => part !== '').join(':')
}

function namedIn(value: unknown): ChosenItem[] {
  const texts = Array.isArray(value) ? value.map(String) : String(value ?? '').split(',')
  return texts.flatMap((text) => {
    const [, id, status, scope = ''] = /^(\d{1,15}):([a-z]+)(?::(this|all))?$/.exec(text) ?? []
    return id === undefined || status === undefined ? [] : [{ id, status, scope }]
  })
}

/** The call of the API that does something to an item of the list. */
function callFor({ collection, isTerms }: BulkList, action: string, { id, status, scope }: ChosenItem): ApiCall {
  const path = `/${collection}/${id}`
  const which = scope === '' ? {} : { scope }
  if (action === 'trash' || action === 'delete') {
    const force = action === 'delete' && isTerms !== true ? { force: 'true' } : {}
    return { method: 'DELETE', path, query: { ...which, ...force } }
  }
  if (action === 'restore') return { method: 'POST', path, body: { status, ...which } }
  // Publication is common to all dates of a series.
  const body = { status: action === 'publish' ? 'publish' : 'draft', ...(scope !== '' && { scope: 'all' }) }
  return { method: 'POST', path, body }
}

const ACTIONS = ['publish', 'draft', 'trash', 'delete', 'restore']

/** Does to the chosen items what the form says; what is deleted for good is asked about first. */
export async function submitBulk(asking: Asking, list: BulkList): Promise<PageResponse> {
  const { incoming, sent } = asking
  const action = ACTIONS.find((one) => one === sent('action'))
  if (action === undefined || (list.isTerms === true && action !== 'delete')) return redirect(list.path)
  const chosen = namedIn(action === 'restore' ? sent('undo') : incoming.body['ids']).slice(0, MOST)
  if (chosen.length === 0) return redirect(list.path)
  if (action === 'delete' && sent('confirmed') !== 'true') {
    const fields = chosen.map((one) => ['ids[]', writtenChoice(one)] as const)
    return confirmPage(asking, { question: asking.t('Delete the chosen ones for good?'), under: list.path, fields })
  }
  const changed = await changeAll(
    asking,
    chosen.map((one) => [one, callFor(list, action, one)] as const),
  )
  if (action === 'publish') for (const { id } of changed) await list.published?.(asking, Number(id))
  const undo = action === 'delete' || action === 'restore' ? [] : changed.map((one) => backOf(action, one))
  const back = undo.length === 0 ? '' : `&undo=${undo.join(',')}`
  const done = action === 'trash' ? 'trash' : action === 'delete' ? 'deleted' : 'saved'
  return redirect(`${list.path}?done=${done}&count=${changed.length}&of=${chosen.length}${back}`)
}

/** What takes a change back: the status that the item had, of all dates where those were changed. */
function backOf(action: string, one: ChosenItem): string {
  return writtenChoice(action === 'trash' || one.scope === '' ? one : { ...one, scope: 'all' })
}

/** The items that could be changed. */
async function changeAll(
  { parts, incoming }: Asking,
  calls: readonly (readonly [ChosenItem, ApiCall])[],
): Promise<readonly ChosenItem[]> {
  const changed: ChosenItem[] = []
  for (const [one, call] of calls) {
    const failed = await parts.api(incoming, call).then(
      () => false,
      (error: unknown) => {
        if (error instanceof Failure && error.status < 500) return true
        throw error
      },
    )
    if (!failed) changed.push(one)
  }
  return changed
}

/** What was done last, with a button that takes it back where that is possible. */
export function bulkNote(asking: Asking, { path }: BulkList): Markup {
  const { t, query } = asking
  const said = { trash: t('Moved to trash'), saved: t('Saved'), deleted: t('Deleted') }
  const done = Object.entries(said).find(([name]) => name === query('done'))?.[1]
  if (done === undefined) return NOTHING
  const [count, of] = [Number(query('count') || 1), Number(query('of') || 1)]
  const missed = of > count ? t('{count} could not be changed.', { count: of - count }) : ''
  // Nothing is said to be done where nothing was.
  const told = [count === 0 ? '' : done, missed].filter((text) => text !== '').join(' ')
  const back = query('undo')
  const button =
    back === ''
      ? NOTHING
      : html`<form method="post" action="${path}">${csrfField(asking)}<input type="hidden" name="undo" value="${back}"><button class="quiet" name="action" value="restore">${t('Undo')}</button></form>`
  return html`<div class="done" role="status">${told}${button}</div>\n`
}
