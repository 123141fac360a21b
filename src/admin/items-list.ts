import { isAtLeast, isEditor, mayPublish } from '../auth/rights.ts'
import type { PageResponse } from '../http/page.ts'
import type { RawInput } from '../http/request/body.ts'
import { decodeEntities } from '../text/entities.ts'
import { html, type Markup } from '../web/html.ts'
import type { Asking } from './asking.ts'
import { type BulkList, bulkForm, bulkNote, choiceCell } from './bulk.ts'
import { lineControl, type Offer, selectControl } from './controls.ts'
import { DRAFT_SCRIPT, savedDraft } from './draft.ts'
import { objectsIn } from './form-values.ts'
import { type ItemKind, isTerm } from './item-kinds.ts'
import { keyboardHelp } from './keyboard.ts'
import { adminPage } from './layout.ts'
import { pageAsked, pager } from './pager.ts'
import { passOver } from './refusals.ts'
import { type Sorting, sortHeading, sortingOf } from './sort.ts'
import { statusBadge } from './status.ts'

/** The list of a kind of items as forms for several of them name it. */
export function bulkOf(kind: ItemKind): BulkList {
  return { collection: kind.collection, path: `/admin/${kind.collection}`, isTerms: isTerm(kind) }
}

/** The page with the items of a kind: all of them, or those in the trash. */
export async function itemsPage(asking: Asking, kind: ItemKind): Promise<PageResponse> {
  const { t, query } = asking
  const { collection, title, create } = kind
  const path = `/admin/${collection}`
  const sorting = sortingOf(asking, isTerm(kind) ? ['name', 'count'] : ['title', 'modified'])
  const body = await found(asking, kind, sorting)
  const items = objectsIn(body[collection])
  const isTrash = query('status') === 'trash'
  const none = isTrash
    ? html`<div class="box empty"><h2>${t('The trash is empty')}</h2></div>`
    : html`<div class="box empty"><h2>${t('Nothing here yet')}</h2><p><a class="button" href="${path}/new">${t(create)}</a></p></div>`
  const listed = items.length === 0 ? none : table(asking, kind, { items, sorting, isTrash })
  return adminPage(asking, {
    title: t(title),
    under: path,
    actions: html`<a class="button" href="${path}/new">${t(create)}</a>`,
    body: html`${savedDraft(asking)}${bulkNote(asking, bulkOf(kind))}${filterForm(asking, kind)}${listed}${pager(asking, Number(body['total_pages'] ?? 1))}${keyboardHelp(asking)}`,
    scripts: ['admin/keys.ts', DRAFT_SCRIPT],
  })
}

function found(asking: Asking, kind: ItemKind, sorting: Sorting): Promise<RawInput> {
  const { parts, incoming, query } = asking
  const search = query('search').trim()
  const sent = {
    per_page: '30',
    hide_empty: 'false',
    ...sorting,
    ...(search !== '' && { search }),
    ...(query('status') === 'trash' && !isTerm(kind) && { status: 'trash' }),
  }
  return pageAsked(asking, async (page) => {
    const call = { path: `/${kind.collection}`, query: { ...sent, page: String(page) } }
    return (await parts.api(incoming, call).catch(passOver))?.body as RawInput | undefined
  })
}

function filterForm({ t, query }: Asking, kind: ItemKind): Markup {
  const states: readonly Offer[] = [
    ['', t('All but the trash')],
    ['trash', t('In the trash')],
  ]
  const status = isTerm(kind)
    ? ''
    : selectControl({ name: 'status', label: t('Status'), value: query('status') }, states)
  return html`<form class="filters" method="get" action="/admin/${kind.collection}" role="search">${lineControl({ name: 'search', label: t('Search'), value: query('search').trim() }, { type: 'search' })}${status}<button class="second">${t('Filter')}</button></form>`
}

interface Listed {
  readonly items: readonly RawInput[]
  readonly sorting: Sorting
  readonly isTrash: boolean
}

function table(asking: Asking, kind: ItemKind, { items, sorting, isTrash }: Listed): Markup {
  const { t, say } = asking
  const heads = kind.columns.map((column) =>
    column === 'count'
      ? sortHeading(asking, sorting, { column, text: t('Events') })
      : html`<th scope="col">${say(labelOf(kind, column))}</th>`,
  )
  const name = sortHeading(asking, sorting, { column: isTerm(kind) ? 'name' : 'title', text: t('Name') })
  const rows = items.map((item) => row(asking, kind, item))
  const status = isTerm(kind) ? '' : html`<th scope="col">${t('Status')}</th>`
  const actions = actionsOf(asking, kind, isTrash)
  const marked = actions.length === 0 ? '' : html`<td></td>`
  const whole = html`<table class="rows"><thead><tr>${marked}${name}${heads}${status}</tr></thead><tbody>${rows}</tbody></table>`
  return actions.length === 0 ? html`<div class="box wide">${whole}</div>` : bulkForm(asking, { table: whole, actions })
}

function row(asking: Asking, kind: ItemKind, item: RawInput): Markup {
  const name = decodeEntities(String(item[kind.member] ?? '')) || '–'
  const [id, status] = [String(item['id']), String(item['status'] ?? 'publish')]
  const cells = kind.columns.map((column) => html`<td><bdi>${decodeEntities(String(item[column] ?? ''))}</bdi></td>`)
  const box = actionsOf(asking, kind, false).length === 0 ? '' : choiceCell(asking, { id, status, scope: '' }, name)
  const state = isTerm(kind) ? '' : html`<td>${statusBadge(asking, status)}</td>`
  return html`<tr>${box}<th scope="row"><a class="title" href="/admin/${kind.collection}/${id}">${name}</a></th>${cells}${state}</tr>\n`
}

/** What somebody may do to several items at once; `[]` for nothing. */
function actionsOf({ t, incoming }: Asking, kind: ItemKind, isTrash: boolean): readonly Offer[] {
  const { role } = incoming.caller
  const remove: readonly Offer[] = isTerm(kind) || isEditor(role) ? [['delete', t('Delete for good')]] : []
  if (isTerm(kind)) return remove
  const publish: readonly Offer[] = mayPublish(role) ? [['publish', t('Publish')]] : []
  const draft: Offer = ['draft', t('Make a draft')]
  if (isTrash) return [...publish, draft, ...remove]
  return isAtLeast(role, 'contributor') ? [['trash', t('Move to trash')], ...publish, draft, ...remove] : []
}

function labelOf({ fields }: ItemKind, name: string): string {
  const field = fields.find((one) => one.name === name)
  return field?.label ?? field?.description ?? name
}
