import { listUsers } from '../../accounts/users/index.ts'
import { decodeEntities } from '../../base/text/entities.ts'
import type { PageResponse } from '../../http/html-page.ts'
import { html, type Markup, NOTHING } from '../../pages/html.ts'
import { countTrash, readTrash, type TrashRow } from '../../storage/trash.ts'
import { confirmPage } from '../confirm.ts'
import { adminPage, csrfField } from '../layout.ts'
import { momentText } from '../moments.ts'
import { type AdminPage, type PageRequest, redirect } from '../page-request.ts'
import { pageAsked, pager } from '../pager.ts'
import { refusalsOf } from '../refusals.ts'
import { destroyRow, kindText, mayDestroy, restoreRow, trashFor } from './kinds.ts'
import { keysIn, MOST, TRASH_PATH, writtenKey } from './moved.ts'

/** Items on a page. */
const SHOWN = 50

/** Everything that was deleted and can be restored. */
export const TRASH_PAGE: AdminPage = {
  path: TRASH_PATH,
  role: 'contributor',
  show: (request) => page(request),
  submit,
}

async function submit(request: PageRequest): Promise<PageResponse> {
  const { deps, incoming, sent } = request
  const isRestored = sent('restore') !== '' || sent('action') === 'restore'
  const isDestroyed = sent('delete') !== '' || sent('action') === 'delete'
  const keys = keysIn(sent('restore') || sent('delete') || incoming.body['items'])
  if (keys.length === 0 || !(isRestored || isDestroyed)) return redirect(TRASH_PATH)
  const rows = await readTrash(deps.storage, { ...trashFor(request), keys }, { limit: MOST })
  if (rows.length === 0) return redirect(`${TRASH_PATH}?done=gone`)
  return isRestored ? restore(request, rows) : destroy(request, rows)
}

async function restore(request: PageRequest, rows: readonly TrashRow[]): Promise<PageResponse> {
  const refused = await each(request, rows, restoreRow)
  if (refused !== '') return page(request, refused)
  const back = /^\/admin\/[a-z]+(\?|$)/.test(request.sent('back')) ? request.sent('back') : TRASH_PATH
  return redirect(`${back}${back.includes('?') ? '&' : '?'}done=back`)
}

async function destroy(request: PageRequest, rows: readonly TrashRow[]): Promise<PageResponse> {
  const { t, sent } = request
  const allowed = rows.filter((row) => mayDestroy(request, row))
  const [first] = allowed
  if (first === undefined) return redirect(TRASH_PATH)
  if (sent('confirmed') !== 'true') {
    const single = t('admin.confirm.deleteTitle', { title: titleOf(first) })
    return confirmPage(request, {
      question: allowed.length === 1 ? single : t('admin.bulk.deleteSelected'),
      under: TRASH_PATH,
      fields: allowed.map((row) => ['items[]', writtenKey(row)]),
    })
  }
  const refused = await each(request, allowed, destroyRow)
  return refused === '' ? redirect(`${TRASH_PATH}?done=deleted`) : page(request, refused)
}

/** Does something to each of the items; the refusals with their reasons, '' for none. */
async function each(
  request: PageRequest,
  rows: readonly TrashRow[],
  step: (request: PageRequest, row: TrashRow) => Promise<void>,
): Promise<string> {
  const refused: string[] = []
  for (const row of rows) {
    try {
      await step(request, row)
    } catch (error) {
      refused.push(`${titleOf(row)}: ${whyRefused(request, row, error)}`)
    }
  }
  return refused.join(' ')
}

function whyRefused(request: PageRequest, { kind }: TrashRow, error: unknown): string {
  const { fields, summary } = refusalsOf(request, error)
  const isChanged = kind === 'dates' && Object.keys(fields).length === 0
  if (isChanged) return request.t('admin.trash.seriesChanged')
  return Object.values(fields)[0] ?? summary
}

function titleOf({ title }: TrashRow): string {
  return decodeEntities(title) || '–'
}

async function page(request: PageRequest, refused?: string): Promise<PageResponse> {
  const { t, deps, query } = request
  const trash = trashFor(request)
  const pages = Math.ceil((await countTrash(deps.storage, trash)) / SHOWN)
  const found = await pageAsked(request, async (number) => {
    if (number > 1 && number > pages) return undefined
    const rows = await readTrash(deps.storage, trash, { limit: SHOWN, offset: (number - 1) * SHOWN })
    return { rows, total_pages: pages }
  })
  const rows = found['rows'] as readonly TrashRow[]
  const said = { back: t('admin.restored'), deleted: t('admin.deleted'), gone: t('admin.bulk.alreadyRemoved') }
  const done = refused === undefined ? Object.entries(said).find(([name]) => name === query('done'))?.[1] : undefined
  const none = html`<div class="box empty"><h2>${t('admin.trashEmpty')}</h2></div>`
  return adminPage(request, {
    title: t('admin.trash.title'),
    under: TRASH_PATH,
    body: html`<p class="quiet-text">${t('admin.trash.about')}</p>${rows.length === 0 ? none : await table(request, rows)}${pager(request, pages)}`,
    done,
    refused,
  })
}

async function table(request: PageRequest, rows: readonly TrashRow[]): Promise<Markup> {
  const { t, deps } = request
  const people = new Map((await listUsers(deps)).map((user) => [user.id, user.displayName]))
  const lines = rows.map((row) => rowOf(request, row, row.actor === null ? '–' : (people.get(row.actor) ?? '–')))
  const head = [t('fields.name'), t('admin.what'), t('admin.trash.deletedBy'), t('admin.when')].map(
    (text) => html`<th scope="col">${text}</th>`,
  )
  const all = rows.some((row) => mayDestroy(request, row))
    ? html`<button class="bad" name="action" value="delete">${t('admin.deletePermanently')}</button>`
    : NOTHING
  // The key Enter does nothing: the first button of a form is the one that it presses.
  const none = html`<button disabled hidden></button>`
  return html`<form method="post" action="${TRASH_PATH}">${csrfField(request)}${none}<div class="box wide"><table class="rows"><thead><tr><td></td>${head}<td></td></tr></thead><tbody>${lines}</tbody></table></div>
<div class="filters"><span>${t('admin.bulk.withSelected')}</span><button class="second" name="action" value="restore">${t('admin.trash.restore')}</button>${all}</div></form>`
}

function rowOf(request: PageRequest, row: TrashRow, who: string): Markup {
  const { t } = request
  const [key, title] = [writtenKey(row), titleOf(row)]
  const box = html`<td><input type="checkbox" name="items[]" value="${key}" aria-label="${t('admin.bulk.select', { title })}"></td>`
  const button = (name: string, text: string, look: string): Markup =>
    html`<button class="${look} small" name="${name}" value="${key}" aria-label="${text}: ${title}">${text}</button>`
  const destroy = mayDestroy(request, row) ? button('delete', t('admin.deletePermanently'), 'bad') : NOTHING
  return html`<tr>${box}<th scope="row" class="wrap"><bdi class="title">${title}</bdi></th><td>${kindText(request, row.kind)}</td><td><span class="narrow-only">${t('admin.trash.deletedBy')}: </span><bdi>${who}</bdi></td><td>${momentText(request, row.at)}</td><td><div class="buttons">${button('restore', t('admin.trash.restore'), 'second')}${destroy}</div></td></tr>\n`
}
