import { decodeEntities } from '../base/text/entities.ts'
import { isAtLeast, isEditor, mayEdit, mayPublish } from '../http/auth/rights.ts'
import type { PageResponse } from '../http/html-page.ts'
import type { RawInput } from '../http/request/body.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import { bulkForm, bulkNote, choiceCell } from './bulk.ts'
import { type BulkList, type ChosenItem, STATUS_ACTIONS } from './bulk-call.ts'
import { lineControl, type Offer, selectControl } from './controls.ts'
import { DRAFT_SCRIPT, savedDraft } from './draft.ts'
import { objectsIn } from './form-values.ts'
import { type ItemKind, isTerm } from './item-kinds.ts'
import { keyboardHelp } from './keyboard.ts'
import { adminPage } from './layout.ts'
import type { PageRequest } from './page-request.ts'
import { pageAsked, pager } from './pager.ts'
import { passOver } from './refusals.ts'
import { type Sorting, sortHeading, sortingOf } from './sort.ts'
import { statusBadge } from './status.ts'

/** The list of a kind of items as forms for several of them name it. */
export function bulkOf(kind: ItemKind): BulkList {
  return {
    collection: kind.collection,
    path: `/admin/${kind.collection}`,
    resource: kind.resource,
    actions: isTerm(kind) ? ['trash'] : STATUS_ACTIONS,
    matching: (request) => asked(request, kind),
    choiceOf,
  }
}

/** The page with the items of a kind: all of them, or those in the trash. */
export async function itemsPage(request: PageRequest, kind: ItemKind): Promise<PageResponse> {
  const { t, query } = request
  const { collection, title, create } = kind
  const path = `/admin/${collection}`
  const sorting = sortingOf(request, isTerm(kind) ? ['name', 'count'] : ['title', 'modified'])
  const body = await found(request, kind, sorting)
  const items = objectsIn(body[collection])
  const isTrash = query('status') === 'trash'
  const none = isTrash
    ? html`<div class="box empty"><h2>${t('admin.trashEmpty')}</h2></div>`
    : html`<div class="box empty"><h2>${t('admin.nothingHereYet')}</h2><p><a class="button" href="${path}/new">${t(create)}</a></p></div>`
  const listed =
    items.length === 0 ? none : table(request, kind, { items, sorting, isTrash, total: Number(body['total'] ?? 0) })
  return adminPage(request, {
    title: t(title),
    under: path,
    actions: html`<a class="button" href="${path}/new">${t(create)}</a>`,
    body: html`${savedDraft(request)}${await bulkNote(request)}${filterForm(request, kind)}${listed}${pager(request, Number(body['total_pages'] ?? 1))}${keyboardHelp(request)}`,
    scripts: ['admin/keys.ts', 'admin/bulk.ts', DRAFT_SCRIPT],
  })
}

/** What the list asks for, without order and page. */
function asked({ query }: PageRequest, kind: ItemKind): RawInput {
  const search = query('search').trim()
  return {
    hide_empty: 'false',
    ...(search !== '' && { search }),
    ...(query('status') === 'trash' && !isTerm(kind) && { status: 'trash' }),
  }
}

function choiceOf(item: RawInput): ChosenItem {
  return { id: String(item['id']), status: String(item['status'] ?? 'publish'), scope: '' }
}

function found(request: PageRequest, kind: ItemKind, sorting: Sorting): Promise<RawInput> {
  const { deps, incoming } = request
  const sent = { per_page: '30', ...asked(request, kind), ...sorting }
  return pageAsked(request, async (page) => {
    const call = { path: `/${kind.collection}`, query: { ...sent, page: String(page) } }
    return (await deps.api(incoming, call).catch(passOver))?.body as RawInput | undefined
  })
}

function filterForm({ t, query }: PageRequest, kind: ItemKind): Markup {
  const states: readonly Offer[] = [
    ['', t('admin.allButTrash')],
    ['trash', t('admin.inTrash')],
  ]
  const status = isTerm(kind)
    ? ''
    : selectControl({ name: 'status', label: t('fields.status'), value: query('status') }, states)
  return html`<form class="filters" method="get" action="/admin/${kind.collection}" role="search">${lineControl({ name: 'search', label: t('common.search'), value: query('search').trim() }, { type: 'search' })}${status}<button class="second">${t('common.filter')}</button></form>`
}

interface ListedItems {
  readonly items: readonly RawInput[]
  readonly sorting: Sorting
  readonly isTrash: boolean
  /** On all pages. */
  readonly total: number
}

function table(request: PageRequest, kind: ItemKind, { items, sorting, isTrash, total }: ListedItems): Markup {
  const { t, say } = request
  const heads = kind.columns.map((column) =>
    column === 'count'
      ? sortHeading(request, sorting, { column, text: t('common.events') })
      : html`<th scope="col">${say(labelOf(kind, column))}</th>`,
  )
  const name = sortHeading(request, sorting, { column: isTerm(kind) ? 'name' : 'title', text: t('fields.name') })
  const rows = items.map((item) => row(request, kind, item))
  const status = isTerm(kind) ? '' : html`<th scope="col">${t('fields.status')}</th>`
  const actions = actionsOf(request, kind, isTrash)
  const marked = actions.length === 0 ? '' : html`<td></td>`
  const whole = html`<table class="rows"><thead><tr>${marked}${name}${heads}${status}</tr></thead><tbody>${rows}</tbody></table>`
  return actions.length === 0
    ? html`<div class="box wide">${whole}</div>`
    : bulkForm(request, { table: whole, actions, shown: items.length, total })
}

function row(request: PageRequest, kind: ItemKind, item: RawInput): Markup {
  const name = decodeEntities(String(item[kind.member] ?? '')) || '–'
  const choice = choiceOf(item)
  const { status } = choice
  const cells = kind.columns.map((column) => {
    const said = column === 'count' ? html`<span class="narrow-only">${request.t('common.events')}: </span>` : NOTHING
    return html`<td>${said}<bdi>${decodeEntities(String(item[column] ?? ''))}</bdi></td>`
  })
  const box = actionsOf(request, kind, false).length === 0 ? '' : choiceCell(request, choice, name)
  const state = isTerm(kind) ? '' : html`<td>${statusBadge(request, status)}</td>`
  return html`<tr>${box}<th scope="row">${nameOf(request, kind, item)}</th>${cells}${state}</tr>\n`
}

/** The name of an item as the link to its form, for those who may change it. */
function nameOf({ incoming }: PageRequest, kind: ItemKind, item: RawInput): Markup {
  const name = decodeEntities(String(item[kind.member] ?? '')) || '–'
  const owned = { authorId: Number(item['author']), status: String(item['status'] ?? 'publish') }
  if (!isTerm(kind) && !mayEdit(incoming.caller, owned)) return html`<span class="title">${name}</span>`
  return html`<a class="title" href="/admin/${kind.collection}/${String(item['id'])}">${name}</a>`
}

/** What someone may do to several items at once; `[]` for nothing. */
function actionsOf({ t, incoming }: PageRequest, kind: ItemKind, isTrash: boolean): readonly Offer[] {
  const { role } = incoming.caller
  const trash: Offer = ['trash', t('admin.moveToTrash')]
  if (isTerm(kind)) return [trash]
  const publish: readonly Offer[] = mayPublish(role) ? [['publish', t('admin.publish')]] : []
  const draft: Offer = ['draft', t('admin.changeToDraft')]
  // Only items already in the trash can be deleted permanently.
  if (isTrash)
    return [...publish, draft, ...(isEditor(role) ? [['delete', t('admin.deletePermanently')] as const] : [])]
  return isAtLeast(role, 'contributor') ? [trash, ...publish, draft] : []
}

function labelOf({ fields }: ItemKind, name: string): string {
  const field = fields.find((one) => one.name === name)
  return field?.label ?? field?.description ?? name
}
