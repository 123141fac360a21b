import type { PageResponse } from '../http/page.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import type { TrashKey } from '../storage/trash.ts'
import { sameAddress } from './address.ts'
import { type Asking, redirect } from './asking.ts'
import { type BulkAction, type BulkList, type ChosenItem, callFor, choiceIn, writtenChoice } from './bulk-call.ts'
import { beginBulk, countMatches, MOST_MATCHES } from './bulk-work.ts'
import { confirmPage, type Irrevocable } from './confirm.ts'
import { type Offer, selectControl } from './controls.ts'
import { csrfField } from './layout.ts'
import { passOver } from './refusals.ts'
import { moveToTrash } from './trash/move.ts'
import { restoreButton, trashedParameter } from './trash/moved.ts'

/** Most items that one form changes. */
const MOST = 100

/** A table whose rows have boxes, with what can be done to those that are ticked. */
export function bulkForm(asking: Asking, { table, actions, shown, total }: BulkTable): Markup {
  const { t } = asking
  return html`<form method="post" action="${sameAddress(asking)}">${csrfField(asking)}<div class="box wide">${table}</div>
${allBox(asking, shown, total)}<div class="filters">${selectControl({ name: 'action', label: t('admin.bulk.withSelected') }, actions)}<button class="second">${t('admin.apply')}</button></div></form>`
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
function allBox({ t }: Asking, shown: number, total: number): Markup {
  if (total <= shown) return NOTHING
  if (total > MOST_MATCHES) return html`<p class="hint">${t('admin.bulk.tooMany', { count: MOST_MATCHES })}</p>\n`
  const label = t('admin.bulk.selectAll', { count: total })
  return html`<div class="check"><input type="checkbox" id="all" name="all" value="true"><label for="all">${label}</label></div>\n`
}

/** The cell with the box of an item. */
export function choiceCell({ t }: Asking, item: ChosenItem, title: string): Markup {
  return html`<td><input type="checkbox" name="ids[]" value="${writtenChoice(item)}" aria-label="${t('admin.bulk.select', { title })}"></td>`
}

function chosenIn(value: unknown): readonly ChosenItem[] {
  const texts = Array.isArray(value) ? value.map(String) : String(value ?? '').split(',')
  return texts.flatMap((text) => choiceIn(text) ?? []).slice(0, MOST)
}

/** Does to the chosen items what the form says, and shows the same list again; what is deleted for good is asked about first. */
export async function submitBulk(asking: Asking, list: BulkList): Promise<PageResponse> {
  const { incoming, sent } = asking
  const action = list.actions.find((one) => one === sent('action'))
  if (action === undefined) return redirect(sameAddress(asking))
  if (sent('all') === 'true') return changeAllOf(asking, list, action)
  const chosen = chosenIn(incoming.body['ids'])
  if (chosen.length === 0) return redirect(sameAddress(asking))
  if (action === 'delete' && sent('confirmed') !== 'true') {
    const fields = chosen.map((one) => ['ids[]', writtenChoice(one)] as const)
    return confirmPage(asking, { ...deletion(asking, list), fields })
  }
  const [changed, trashed]: [ChosenItem[], (TrashKey | undefined)[]] = [[], []]
  for (const one of chosen) {
    const reply = await changeOne(asking, list, { action, one, trashed }).catch(passOver)
    if (reply !== undefined) changed.push(one)
  }
  if (action === 'publish') for (const { id } of changed) await list.published?.(asking, Number(id))
  const done = action === 'trash' ? 'trash' : action === 'delete' ? 'deleted' : 'saved'
  const counts = { count: String(changed.length), of: String(chosen.length) }
  return redirect(sameAddress(asking, { done, ...counts, trashed: trashedParameter(trashed) }))
}

async function changeOne(asking: Asking, list: BulkList, { action, one, trashed }: Changing): Promise<true> {
  if (action === 'trash') trashed.push(await moveToTrash(asking, list, one))
  else await asking.parts.api(asking.incoming, callFor(list, action, one))
  return true
}

interface Changing {
  readonly action: BulkAction
  readonly one: ChosenItem
  /** What was moved to the trash so far. */
  readonly trashed: (TrashKey | undefined)[]
}

/** Changes everything on all pages of the list as long work, whose page follows. */
async function changeAllOf(asking: Asking, list: BulkList, action: BulkAction): Promise<PageResponse> {
  if (action === 'delete' && asking.sent('confirmed') !== 'true') {
    const count = new Intl.NumberFormat(asking.incoming.language).format(await countMatches(asking, list))
    const question = asking.t('admin.bulk.deleteAll', { count })
    return confirmPage(asking, { ...deletion(asking, list), question, fields: [['all', 'true']] })
  }
  const { collection } = list
  const id = await beginBulk(asking, list, { collection, action, choice: { of: 'list' } })
  return redirect(id === undefined ? sameAddress(asking, { done: 'busy' }) : `/admin/work/${id}`)
}

/** The question before several items are deleted. */
function deletion(asking: Asking, { path }: BulkList): Omit<Irrevocable, 'fields'> {
  return { question: asking.t('admin.bulk.deleteSelected'), under: path, back: sameAddress(asking) }
}

/** What was done last, with a button that restores what was deleted. */
export async function bulkNote(asking: Asking): Promise<Markup> {
  const { t, query } = asking
  const gone = t('admin.bulk.alreadyRemoved')
  if (query('done') === 'busy') return html`<p class="refused" role="alert">${t('admin.bulk.busy')}</p>\n`
  const said = {
    trash: t('admin.movedToTrash'),
    saved: t('admin.saved'),
    deleted: t('admin.deleted'),
    back: t('admin.restored'),
    gone,
  }
  const done = Object.entries(said).find(([name]) => name === query('done'))?.[1]
  if (done === undefined) return NOTHING
  const [count, of] = [Number(query('count') || 1), Number(query('of') || 1)]
  const missed = of > count ? t('admin.bulk.notChanged', { count: of - count }) : ''
  // Nothing is said to be done where nothing was.
  const told = [count === 0 ? '' : done, missed].filter((text) => text !== '').join(' ')
  return html`<div class="done" role="status">${told}${await restoreButton(asking)}</div>\n`
}
