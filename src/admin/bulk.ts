import type { PageResponse } from '../http/page.ts'
import type { RawInput } from '../http/request/body.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import { sameAddress } from './address.ts'
import type { ApiCall } from './api.ts'
import { type Asking, redirect } from './asking.ts'
import { AFTER, BULK_ACTIONS, type BulkAction, type BulkList, callFor, undoOf } from './bulk-call.ts'
import { beginBulk, countMatches, MOST_MATCHES } from './bulk-work.ts'
import { confirmPage, type Irrevocable } from './confirm.ts'
import { type Offer, selectControl } from './controls.ts'
import { takeBackEnding } from './history/ended-series.ts'
import { csrfField } from './layout.ts'
import { passOver } from './refusals.ts'
import { undoButton } from './removal.ts'
import { takeBackTerms } from './term-undo.ts'
import { type ChosenItem, choiceIn, undoIn, undoParameter, writtenChoice } from './undo.ts'

/** Most items that one form changes. */
const MOST = 100

/** A table whose rows have boxes, with what can be done to those that are ticked. */
export function bulkForm(asking: Asking, { table, actions, shown, total }: BulkTable): Markup {
  const { t } = asking
  return html`<form method="post" action="${sameAddress(asking)}">${csrfField(asking)}<div class="box wide">${table}</div>
${allBox(asking, shown, total)}<div class="filters">${selectControl({ name: 'action', label: t('With the chosen ones') }, actions)}<button class="second">${t('Apply')}</button></div></form>`
}

/** What a form for several items shows. */
interface BulkTable {
  readonly table: Markup
  readonly actions: readonly Offer[]
  /** How many items it shows, and how many there are on all pages. */
  readonly shown: number
  readonly total: number
}

/** A box that chooses everything on all pages; nothing where there is one page. */
function allBox({ t, incoming }: Asking, shown: number, total: number): Markup {
  if (total <= shown) return NOTHING
  const number = new Intl.NumberFormat(incoming.language)
  if (total > MOST_MATCHES)
    return html`<p class="hint">${t('Up to {count} can be changed at once: choose fewer with the filters.', { count: number.format(MOST_MATCHES) })}</p>\n`
  const label = t('Choose all {count}, on all pages', { count: number.format(total) })
  return html`<div class="check"><input type="checkbox" id="all" name="all" value="true"><label for="all">${label}</label></div>\n`
}

/** The cell with the box of an item. */
export function choiceCell({ t }: Asking, item: ChosenItem, title: string): Markup {
  return html`<td><input type="checkbox" name="ids[]" value="${writtenChoice(item)}" aria-label="${t('Choose {title}', { title })}"></td>`
}

function chosenIn(value: unknown): readonly ChosenItem[] {
  const texts = Array.isArray(value) ? value.map(String) : String(value ?? '').split(',')
  return texts.flatMap((text) => choiceIn(text) ?? []).slice(0, MOST)
}

/** Does to the chosen items what the form says, and shows the same list again; what is deleted for good is asked about first. */
export async function submitBulk(asking: Asking, list: BulkList): Promise<PageResponse> {
  const { incoming, sent } = asking
  const action = BULK_ACTIONS.find((one) => one === sent('action'))
  if (action === undefined || (list.terms !== undefined && action !== 'delete' && action !== 'restore'))
    return redirect(sameAddress(asking))
  if (action === 'restore') return takeBack(asking, list)
  if (sent('all') === 'true') return changeAllOf(asking, list, action)
  const chosen = chosenIn(incoming.body['ids'])
  if (chosen.length === 0) return redirect(sameAddress(asking))
  if (action === 'delete' && sent('confirmed') !== 'true') {
    const fields = chosen.map((one) => ['ids[]', writtenChoice(one)] as const)
    return confirmPage(asking, { ...deletion(asking, list), fields })
  }
  const changed = await changeAll(
    asking,
    chosen.map((one) => [one, callFor(list, action, one)] as const),
  )
  if (action === 'publish') for (const { id } of changed) await list.published?.(asking, Number(id))
  const isForGood = action === 'delete' && list.terms === undefined
  const undo = isForGood ? '' : undoParameter(asking, list.collection, undoOf(action, changed))
  const done = action === 'trash' ? 'trash' : action === 'delete' ? 'deleted' : 'saved'
  return redirect(sameAddress(asking, { done, ...counted(changed, chosen), undo }))
}

/** Changes everything on all pages of the list as long work, whose page follows. */
async function changeAllOf(asking: Asking, list: BulkList, action: BulkAction): Promise<PageResponse> {
  if (action === 'delete' && asking.sent('confirmed') !== 'true') {
    const count = new Intl.NumberFormat(asking.incoming.language).format(await countMatches(asking, list))
    const question = asking.t('Delete all {count} for good?', { count })
    return confirmPage(asking, { ...deletion(asking, list), question, fields: [['all', 'true']] })
  }
  const { collection } = list
  const id = await beginBulk(asking, list, { collection, action, choice: { of: 'list' } })
  return redirect(id === undefined ? sameAddress(asking, { done: 'busy' }) : `/admin/work/${id}`)
}

/** The question before several items are deleted. */
function deletion(asking: Asking, { path, terms }: BulkList): Omit<Irrevocable, 'fields'> {
  const question = asking.t('Delete the chosen ones for good?')
  return {
    question,
    under: path,
    back: sameAddress(asking),
    ...(terms !== undefined && { note: asking.t('It can be undone for an hour.') }),
  }
}

function counted(changed: readonly ChosenItem[], chosen: readonly ChosenItem[]) {
  return { count: String(changed.length), of: String(chosen.length) }
}

/** Takes back what was done last, but no change that somebody has made since. */
async function takeBack(asking: Asking, list: BulkList): Promise<PageResponse> {
  const { parts, incoming } = asking
  const undo = undoIn(asking, list.collection, asking.sent('undo'))
  if (undo === undefined) return redirect(sameAddress(asking))
  const { terms: key, collection } = list
  if (key !== undefined) return takeBackTerms(asking, { key, collection }, undo)
  const [ended] = undo.items
  if (ended?.scope === 'following') {
    const isBack = await takeBackEnding(asking, { id: Number(ended.id), at: undo.at })
    return redirect(sameAddress(asking, { done: 'saved', count: isBack ? '1' : '0', of: '1' }))
  }
  const same: ChosenItem[] = []
  for (const item of undo.items) {
    const reply = await parts.api(incoming, { path: `/${list.collection}/${item.id}` }).catch(passOver)
    const status = String((reply?.body as RawInput | undefined)?.['status'])
    // A single date that was taken out has no status of its own.
    if (item.scope === 'this' || AFTER[undo.action].includes(status)) same.push(item)
  }
  const changed = await changeAll(
    asking,
    same.map((one) => [one, callFor(list, 'restore', one)] as const),
  )
  return redirect(sameAddress(asking, { done: 'saved', ...counted(changed, undo.items) }))
}

/** The items that could be changed. */
async function changeAll(
  { parts, incoming }: Asking,
  calls: readonly (readonly [ChosenItem, ApiCall])[],
): Promise<readonly ChosenItem[]> {
  const changed: ChosenItem[] = []
  for (const [one, call] of calls) {
    const reply = await parts.api(incoming, call).catch(passOver)
    if (reply !== undefined) changed.push(one)
  }
  return changed
}

/** What was done last, with a button that takes it back where that is possible. */
export function bulkNote(asking: Asking, { collection }: BulkList): Markup {
  const { t, query } = asking
  const gone = t('Somebody else has removed it already.')
  if (query('done') === 'busy')
    return html`<p class="refused" role="alert">${t('Another change of many items is going on. Try again when that is done.')}</p>\n`
  const said = { trash: t('Moved to trash'), saved: t('Saved'), deleted: t('Deleted'), back: t('Brought back'), gone }
  const done = Object.entries(said).find(([name]) => name === query('done'))?.[1]
  if (done === undefined) return NOTHING
  const [count, of] = [Number(query('count') || 1), Number(query('of') || 1)]
  const missed = of > count ? t('{count} could not be changed.', { count: of - count }) : ''
  const why =
    query('why') === 'taken' ? t('A name or slug is taken by now. Change the other one, then undo again.') : ''
  // Nothing is said to be done where nothing was.
  const told = [count === 0 ? '' : done, missed, why].filter((text) => text !== '').join(' ')
  return html`<div class="done" role="status">${told}${undoButton(asking, collection, query('undo'))}</div>\n`
}
