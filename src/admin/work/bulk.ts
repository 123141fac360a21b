import { decodeEntities } from '../../base/text/entities.ts'
import { storedJson } from '../../base/text/stored-json.ts'
import type { PageResponse } from '../../http/html-page.ts'
import { html, type Markup, NOTHING } from '../../pages/html.ts'
import { countItems, type ItemCounts, itemsIn, type LongWorkEntry, type WorkProblem } from '../../storage/jobs/index.ts'
import type { BulkList } from '../bulk-call.ts'
import { type BulkAbout, type BulkChoice, beginBulk, bulkAbout } from '../bulk-work.ts'
import { EVENT_BULK } from '../events-list.ts'
import { LINES_TOLD } from '../imports/types.ts'
import { KINDS } from '../item-kinds.ts'
import { bulkOf } from '../items-list.ts'
import { csrfField } from '../layout.ts'
import { type PageRequest, redirect } from '../page-request.ts'
import { progressNote } from '../progress.ts'
import { rowsTable } from '../table.ts'
import { progressText, whyFailed } from './words.ts'

/** The list that a bulk change is about. */
export function listOf({ collection }: Pick<BulkAbout, 'collection'>): BulkList {
  const kind = KINDS.find((one) => one.collection === collection)
  return kind === undefined ? EVENT_BULK : bulkOf(kind)
}

/** How a bulk change stands: counts, refusals with their reasons, and what can be done about them. */
export async function bulkReport(request: PageRequest, entry: LongWorkEntry): Promise<Markup> {
  const { t, deps } = request
  const counts = await countItems(deps.storage, entry.id)
  if (entry.state === 'running') {
    const text = `${t('admin.work.leavePage')} ${progressText(request, entry)}`
    return html`${progressNote(request, { text, report: `/admin/work/${entry.id}` })}${buttons(request, entry, { actions: [['stop', t('admin.stop')]] })}`
  }
  const problem = entry.state === 'failed' ? html`<p class="refused">${whyFailed(request, entry.problem)}</p>` : NOTHING
  return html`${problem}${countList(request, counts)}${await refusedTable(request, entry)}${await next(request, entry, counts)}`
}

function countList({ t, incoming }: PageRequest, { done, same, refused, waiting }: ItemCounts): Markup {
  const number = new Intl.NumberFormat(incoming.language)
  const facts = [
    [t('admin.changed'), done],
    [t('admin.unchanged'), same],
    [t('admin.work.couldntBeChanged'), refused],
    [t('admin.work.notProcessed'), waiting],
  ] as const
  return html`<dl>${facts.map(([label, count]) => html`<dt>${label}</dt><dd>${number.format(count)}</dd>\n`)}</dl>`
}

async function refusedTable(request: PageRequest, { id, ...entry }: LongWorkEntry): Promise<Markup> {
  const { t, deps } = request
  const items = await itemsIn(deps.storage, { id, state: 'refused' }, LINES_TOLD + 1)
  if (items.length === 0) return NOTHING
  const { path } = listOf(bulkAbout({ id, ...entry }))
  const rows = items.slice(0, LINES_TOLD).map(({ item_id, title, problem }) => {
    const name = decodeEntities(title) || `${item_id}`
    const why = problem === null ? '' : whyFailed(request, storedJson<WorkProblem>(problem))
    return html`<tr><th scope="row" class="wrap"><a class="title" href="${path}/${item_id}"><bdi>${name}</bdi></a></th><td>${why}</td></tr>\n`
  })
  const more =
    items.length > LINES_TOLD ? html`<p class="hint">${t('admin.onlyFirstListed', { count: LINES_TOLD })}</p>` : NOTHING
  return html`<h3>${t('admin.work.couldntBeChanged')}</h3>${rowsTable([t('fields.name'), t('admin.reason')], rows)}${more}`
}

/** What continues the work or restores what it has deleted, unless that was started already, and the way back to the list. */
async function next(request: PageRequest, entry: LongWorkEntry, { done, waiting }: ItemCounts): Promise<Markup> {
  const { t } = request
  const about = bulkAbout(entry)
  const followers = await effective(request, entry)
  const links = followers.map((one) => {
    const text = isRestoring(one) ? t('admin.restored') : t('admin.work.continued')
    return html`<p><a class="button second" href="/admin/work/${one.id}">${text}</a></p>\n`
  })
  const canRestore = done > 0 && about.action === 'trash' && !followers.some(isRestoring)
  const canContinue = waiting > 0 && followers.length === 0
  const back = html`<a class="button second" href="${listOf(about).path}">${t('admin.work.backToList')}</a>`
  const actions = [
    ...(canRestore ? [['restore', t('admin.trash.restore')] as const] : []),
    ...(canContinue ? [['continue', t('admin.work.continueRest')] as const] : []),
  ]
  return html`${links}${buttons(request, entry, { actions, behind: back })}`
}

/** What follows some work, but for what ended before it had chosen anything: that is no reason not to start again. */
async function effective({ deps }: PageRequest, { id }: LongWorkEntry): Promise<readonly LongWorkEntry[]> {
  const followers: LongWorkEntry[] = []
  for (const one of await deps.longWork.followers(id)) {
    const hasBegun = ['running', 'done'].includes(one.state) || (await countItems(deps.storage, one.id)).all > 0
    if (hasBegun) followers.push(one)
  }
  return followers
}

function isRestoring(entry: LongWorkEntry): boolean {
  return bulkAbout(entry).action === 'restore'
}

/** Buttons of a form of the page, and what stands behind them. */
function buttons(request: PageRequest, { id }: LongWorkEntry, { actions, behind = NOTHING }: Buttons): Markup {
  const all = actions.map(([name, text]) => html`<button class="second" name="action" value="${name}">${text}</button>`)
  return html`<form method="post" action="/admin/work/${id}">${csrfField(request)}<div class="buttons">${all}${behind}</div></form>`
}

interface Buttons {
  readonly actions: readonly (readonly [name: string, text: string])[]
  readonly behind?: Markup
}

/** Stops a bulk change, continues it or restores what it has deleted, and shows what follows. */
export async function submitBulkWork(request: PageRequest, entry: LongWorkEntry): Promise<PageResponse> {
  const { deps, sent } = request
  const here = `/admin/work/${entry.id}`
  if (sent('action') === 'stop') {
    await deps.longWork.stop(entry.id)
    return redirect(here)
  }
  const following = entry.state === 'running' ? undefined : await followingOf(request, entry)
  if (following === undefined) return redirect(here)
  const id = await beginBulk(request, listOf(following), following)
  return redirect(id === undefined ? `${here}?done=busy` : `/admin/work/${id}`)
}

/** The work that a form asks for; undefined where there is nothing to do, or it was started already. */
async function followingOf(
  request: PageRequest,
  entry: LongWorkEntry,
): Promise<(BulkAbout & { readonly choice: BulkChoice }) | undefined> {
  const { sent } = request
  const about = bulkAbout(entry)
  const followers = await effective(request, entry)
  const chosen = { of: 'work', id: entry.id } as const
  if (sent('action') === 'continue' && followers.length === 0) return { ...about, choice: { ...chosen, state: '' } }
  const isRestored = followers.some(isRestoring)
  if (sent('action') !== 'restore' || about.action !== 'trash' || isRestored) return undefined
  return { collection: about.collection, action: 'restore', choice: { ...chosen, state: 'done' } }
}
