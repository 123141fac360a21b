import type { NewMail } from '../accounts/mail/index.ts'
import type { PageResponse } from '../http/html-page.ts'
import { html, type Markup, NOTHING, when } from '../pages/html.ts'
import type { TrashKey } from '../storage/trash.ts'
import { sameAddress } from './address.ts'
import { type BulkAction, type BulkList, type ChosenItem, callFor, choiceIn, writtenChoice } from './bulk-call.ts'
import { isFieldAction, valueSent } from './bulk-change.ts'
import { publishSeen } from './bulk-seen.ts'
import { beginBulk, changeField, countMatches, MOST_MATCHES } from './bulk-work.ts'
import { confirmPage, type Irrevocable } from './confirm.ts'
import { flag, type Offer, selectControl } from './controls.ts'
import { csrfField } from './layout.ts'
import { type PageRequest, redirect } from './page-request.ts'
import { isOutdated, passOver } from './refusals.ts'
import { noticePage } from './submissions/notice.ts'
import { moveToTrash } from './trash/move.ts'
import { restoreButton, trashedParameter } from './trash/moved.ts'

/** Most items that one form changes. */
const MOST = 100

/** A table whose rows have boxes, with what can be done to those that are ticked. */
export function bulkForm(request: PageRequest, { values = NOTHING, ...sheet }: BulkTable): Markup {
  const { table, actions, shown, total, seen } = sheet
  const { t } = request
  return html`<form method="post" action="${sameAddress(request)}">${csrfField(request)}${when(seen !== undefined, () => html`<input type="hidden" name="seen" value="${String(seen)}">`)}<div class="box wide">${table}</div>
<div class="bulk">${allBox(request, shown, total)}<div class="filters">${selectControl({ name: 'action', label: t('admin.bulk.withSelected') }, actions)}${values}<button class="second">${t('admin.apply')}</button></div></div></form>`
}

/** What a form for several items shows. */
interface BulkTable {
  readonly table: Markup
  readonly actions: readonly Offer[]
  /** The inputs of the actions that need a value; none if absent. */
  readonly values?: Markup
  /** How many items it shows, and how many there are on all pages. */
  readonly shown: number
  readonly total: number
  /** See `BulkAbout`. */
  readonly seen?: number | undefined
}

/** A box that chooses everything on all pages; where there is one page, scripts tick its rows instead. */
function allBox({ t }: PageRequest, shown: number, total: number): Markup {
  if (total > MOST_MATCHES) return html`<p class="hint">${t('admin.bulk.tooMany', { count: MOST_MATCHES })}</p>\n`
  const isOnePage = total <= shown
  const label = isOnePage ? t('admin.bulk.selectAllHere') : t('admin.bulk.selectAll', { count: total })
  return html`<div class="check"><input type="checkbox" id="all" name="all" value="true"${flag('data-one-page', isOnePage)}><label for="all">${label}</label></div>\n`
}

/** The cell with the box of an item. */
export function choiceCell({ t }: PageRequest, item: ChosenItem, title: string): Markup {
  return html`<td><input type="checkbox" name="ids[]" value="${writtenChoice(item)}" aria-label="${t('admin.bulk.select', { title })}"></td>`
}

function chosenIn(value: unknown): readonly ChosenItem[] {
  const texts = Array.isArray(value) ? value.map(String) : String(value ?? '').split(',')
  return texts.flatMap((text) => choiceIn(text) ?? []).slice(0, MOST)
}

/** Applies the action of the form to the selected items and shows the same list again; permanent deletion has to be confirmed first. */
export async function submitBulk(request: PageRequest, list: BulkList): Promise<PageResponse> {
  const { incoming, sent } = request
  const action = list.actions.find((one) => one === sent('action'))
  if (action === undefined) return redirect(sameAddress(request))
  const value = isFieldAction(action) ? await valueSent(request, action) : ''
  if (value === undefined) return redirect(sameAddress(request, { done: 'no-value' }))
  if (sent('all') === 'true') return changeAllOf(request, list, { action, value })
  const chosen = chosenIn(incoming.body['ids'])
  if (chosen.length === 0) return redirect(sameAddress(request))
  if (action === 'delete' && sent('confirmed') !== 'true') {
    const fields = chosen.map((one) => ['ids[]', writtenChoice(one)] as const)
    return confirmPage(request, { ...deletion(request, list), fields })
  }
  const [changed, trashed]: [ChosenItem[], (TrashKey | undefined)[]] = [[], []]
  let outdated = 0
  for (const one of chosen) {
    const reply = await changeOne(request, list, { action, value, one, trashed }).catch((error: unknown) => {
      if (isOutdated(error)) outdated += 1
      return passOver(error)
    })
    if (reply !== undefined) changed.push(one)
  }
  const untold: NewMail[] = []
  for (const { id } of action === 'publish' ? changed : [])
    untold.push(...[await list.published?.(request, Number(id))].filter((mail) => mail !== undefined))
  if (untold.length > 0) return noticePage(request, untold, outdated > 0 ? outdatedText(request, outdated) : undefined)
  const done = action === 'trash' ? 'trash' : action === 'delete' ? 'deleted' : 'saved'
  const counts = {
    count: String(changed.length),
    of: String(chosen.length),
    outdated: outdated > 0 ? String(outdated) : '',
  }
  return redirect(sameAddress(request, { done, ...counts, trashed: trashedParameter(trashed) }))
}

async function changeOne(request: PageRequest, list: BulkList, changing: Changing): Promise<true> {
  const { action, value, one, trashed } = changing
  const seen = seenIn(request)
  if (isFieldAction(action)) await changeField(request, { action, value }, one)
  else if (action === 'trash') trashed.push(await moveToTrash(request, list, one))
  else if (action === 'publish' && seen !== undefined) await publishSeen(request, list, { chosen: one, seen })
  else await request.deps.api(request.incoming, callFor(list, action, one))
  return true
}

interface Changing {
  readonly action: BulkAction
  /** What a change of a field sets or adds. */
  readonly value: string
  readonly one: ChosenItem
  /** What was moved to the trash so far. */
  readonly trashed: (TrashKey | undefined)[]
}

/** See `BulkAbout`; undefined where the page does not say. */
function seenIn({ sent }: PageRequest): number | undefined {
  return /^\d{1,15}$/.test(sent('seen')) ? Number(sent('seen')) : undefined
}

/** Changes everything on all pages of the list as long work, whose page follows. */
async function changeAllOf(
  request: PageRequest,
  list: BulkList,
  { action, value }: Pick<Changing, 'action' | 'value'>,
): Promise<PageResponse> {
  if (action === 'delete' && request.sent('confirmed') !== 'true') {
    const count = new Intl.NumberFormat(request.incoming.language).format(await countMatches(request, list))
    const question = request.t('admin.bulk.deleteAll', { count })
    return confirmPage(request, { ...deletion(request, list), question, fields: [['all', 'true']] })
  }
  const { collection } = list
  const seen = seenIn(request)
  const about = { collection, action, value, ...(seen !== undefined && { seen }) }
  const id = await beginBulk(request, list, { ...about, choice: { of: 'list' } })
  return redirect(id === undefined ? sameAddress(request, { done: 'busy' }) : `/admin/work/${id}`)
}

/** The question before several items are deleted. */
function deletion(request: PageRequest, { path }: BulkList): Omit<Irrevocable, 'fields'> {
  return { question: request.t('admin.bulk.deleteSelected'), under: path, back: sameAddress(request) }
}

function outdatedText({ t }: PageRequest, count: number): string {
  return t('admin.bulk.changedMeanwhile', { count })
}

/** The last action, with a button that restores deleted items. */
export async function bulkNote(request: PageRequest): Promise<Markup> {
  const { t, query } = request
  const gone = t('admin.bulk.alreadyRemoved')
  if (query('done') === 'busy') return html`<p class="refused" role="alert">${t('admin.bulk.busy')}</p>\n`
  if (query('done') === 'no-value') return html`<p class="refused" role="alert">${t('admin.bulk.noValue')}</p>\n`
  const said = {
    trash: t('admin.movedToTrash'),
    saved: t('admin.saved'),
    asked: t('admin.ask.sent'),
    deleted: t('admin.deleted'),
    back: t('admin.restored'),
    gone,
  }
  const done = Object.entries(said).find(([name]) => name === query('done'))?.[1]
  if (done === undefined) return NOTHING
  const [count, of, outdated] = [Number(query('count') || 1), Number(query('of') || 1), Number(query('outdated'))]
  const missed = of - count - outdated > 0 ? t('admin.bulk.notChanged', { count: of - count - outdated }) : ''
  const changed = outdated > 0 ? outdatedText(request, outdated) : ''
  // Where nothing was done, the page does not claim so.
  const told = [count === 0 ? '' : done, changed, missed].filter((text) => text !== '').join(' ')
  return html`<div class="done" role="status">${told}${await restoreButton(request)}</div>\n`
}
