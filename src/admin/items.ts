import { isEditor } from '../auth/rights.ts'
import { Failure } from '../errors.ts'
import type { PageResponse } from '../http/page.ts'
import type { RawInput } from '../http/request/body.ts'
import { decodeEntities } from '../text/entities.ts'
import { html, type Markup, NOTHING } from '../web/html.ts'
import { type AdminPage, type Asking, redirect } from './asking.ts'
import { confirmPage } from './confirm.ts'
import { lineControl, type Offer, selectControl } from './controls.ts'
import { pictureAddress, uploaded } from './event-parts.ts'
import { fieldControls } from './form-fields.ts'
import { bodyOf, type FormValues, objectsIn, sentValues, shownValues } from './form-values.ts'
import { type ItemKind, KINDS } from './item-kinds.ts'
import { keyboardHelp } from './keyboard.ts'
import { adminPage, csrfField } from './layout.ts'
import { pager } from './pager.ts'
import { type Refusals, refusalsOf } from './refusals.ts'
import { RICH_TEXT_SCRIPT } from './rich-text.ts'
import { sortHeading, sortingOf } from './sort.ts'
import { venueOverlaps } from './venue-overlaps.ts'

/** The pages of venues, organizers, categories and tags: a list and a form each. */
export function itemPages(bodyLimit: number): AdminPage[] {
  return KINDS.flatMap((kind): AdminPage[] => {
    const path = `/admin/${kind.collection}`
    const submit = (asking: Asking): Promise<PageResponse> => save(asking, kind)
    return [
      { path, role: kind.role, show: (asking) => list(asking, kind), submit: (asking) => undoTrash(asking, kind) },
      { path: `${path}/new`, role: kind.role, bodyLimit, show: (asking) => form(asking, kind, { values: {} }), submit },
      { path: `${path}/:id`, role: kind.role, bodyLimit, show: (asking) => edit(asking, kind), submit },
    ]
  })
}

async function list(asking: Asking, kind: ItemKind): Promise<PageResponse> {
  const { t, say, parts, incoming, query } = asking
  const { collection, title, create, member, columns } = kind
  const search = query('search').trim()
  const sorting = sortingOf(asking, isTerm(kind) ? ['name', 'count'] : ['title', 'modified'])
  const sent = {
    page: query('page') || '1',
    per_page: '30',
    hide_empty: 'false',
    ...sorting,
    ...(search !== '' && { search }),
  }
  const reply = await parts.api(incoming, { path: `/${collection}`, query: sent }).catch((error: unknown) => {
    if (error instanceof Failure && error.status < 500) return undefined
    throw error
  })
  const body = (reply?.body ?? {}) as RawInput
  const items = objectsIn(body[collection])
  const path = `/admin/${collection}`
  const rows = items.map((item) => {
    const name = decodeEntities(String(item[member] ?? '')) || '–'
    const cells = columns.map((column) => html`<td>${decodeEntities(String(item[column] ?? ''))}</td>`)
    return html`<tr><th scope="row"><a class="title" href="${path}/${String(item['id'])}">${name}</a></th>${cells}</tr>\n`
  })
  const head = columns.map((column) =>
    column === 'count'
      ? sortHeading(asking, sorting, { column, text: t('Events') })
      : html`<th scope="col">${say(labelOf(kind, column))}</th>`,
  )
  const listed = html`<div class="box wide"><table class="rows"><thead><tr>${sortHeading(asking, sorting, { column: isTerm(kind) ? 'name' : 'title', text: t('Name') })}${head}</tr></thead><tbody>${rows}</tbody></table></div>`
  const none = html`<div class="box empty"><h2>${t('Nothing here yet')}</h2><p><a class="button" href="${path}/new">${t(create)}</a></p></div>`
  const filters = html`<form class="filters" method="get" action="${path}" role="search">${lineControl({ name: 'search', label: t('Search'), value: search }, { type: 'search' })}<button class="second">${t('Filter')}</button></form>`
  const done = { saved: t('Saved'), trash: t('Moved to trash'), deleted: t('Deleted') }
  const told = Object.entries(done).find(([one]) => one === query('done'))?.[1]
  return adminPage(asking, {
    title: t(title),
    under: path,
    actions: html`<a class="button" href="${path}/new">${t(create)}</a>`,
    body: html`${filters}${items.length === 0 ? none : listed}${pager(asking, Number(body['total_pages'] ?? 1))}${keyboardHelp(asking)}`,
    scripts: ['admin/keys.ts'],
    ...(told !== undefined && { done: told }),
    ...(query('undo') !== '' && {
      undo: html`<form method="post" action="${path}">${csrfField(asking)}<button class="quiet" name="undo" value="${query('undo')}">${t('Undo')}</button></form>`,
    }),
  })
}

function isTerm({ member }: ItemKind): boolean {
  return member === 'name'
}

/** Brings back what was moved to the trash last. */
async function undoTrash({ parts, incoming, sent }: Asking, { collection }: ItemKind): Promise<PageResponse> {
  const [, id, status] = /^(\d{1,15}):([a-z]+)$/.exec(sent('undo')) ?? []
  if (id !== undefined) await parts.api(incoming, { method: 'POST', path: `/${collection}/${id}`, body: { status } })
  return redirect(`/admin/${collection}?done=saved`)
}

function labelOf({ fields }: ItemKind, name: string): string {
  const field = fields.find((one) => one.name === name)
  return field?.label ?? field?.description ?? name
}

async function edit(asking: Asking, kind: ItemKind): Promise<PageResponse> {
  const item = await itemOf(asking, kind)
  return form(asking, kind, { item, values: valuesOf(kind, item) })
}

async function itemOf({ parts, incoming }: Asking, { collection }: ItemKind): Promise<RawInput> {
  const reply = await parts.api(incoming, { path: `/${collection}/${incoming.path['id']}` })
  return { ...(reply.body as RawInput), _mark: reply.version?.mark ?? '' }
}

function valuesOf({ fields, isTree }: ItemKind, item: RawInput): FormValues {
  const values = shownValues(fields, item)
  return isTree === true ? { ...values, parent: String(item['parent'] ?? '') } : values
}

async function save(asking: Asking, kind: ItemKind): Promise<PageResponse> {
  const { parts, incoming, sent } = asking
  const path = `/admin/${kind.collection}`
  const id = incoming.path['id']
  const item = id === undefined ? undefined : await itemOf(asking, kind)
  let values = sentValues(kind.fields, incoming.body)
  if (kind.isTree === true) values = { ...values, parent: sent('parent') }
  try {
    if (item !== undefined && sent('action') === 'delete') {
      const isTerm = kind.member === 'name'
      const title = decodeEntities(String(item[kind.member] ?? ''))
      const question = asking.t('Delete {title} for good?', { title })
      if (isTerm && sent('confirmed') !== 'true') return confirmPage(asking, { question, under: path, fields: [] })
      await parts.api(incoming, { method: 'DELETE', path: `/${kind.collection}/${id}` })
      return redirect(`${path}?done=${isTerm ? 'deleted' : `trash&undo=${id}:${String(item['status'])}`}`)
    }
    values = { ...values, ...(await uploaded(asking, values)) }
    const body = bodyOf(kind.fields, values, { base: item === undefined ? {} : valuesOf(kind, item), known: {} })
    const parent = kind.isTree === true ? { parent: Number(sent('parent')) || 0 } : {}
    const publish = item === undefined && kind.member !== 'name' ? { status: 'publish' } : {}
    await parts.api(incoming, {
      method: 'POST',
      path: id === undefined ? `/${kind.collection}` : `/${kind.collection}/${id}`,
      body: { ...body, ...parent, ...publish },
      ...(item !== undefined && { mark: sent('_mark') }),
    })
    // Whoever makes a venue take one event at a time sees what overlaps there already.
    return redirect(body['exclusive'] === true && id !== undefined ? `${path}/${id}?done=saved` : `${path}?done=saved`)
  } catch (error) {
    return form(asking, kind, { ...(item && { item }), values, refused: refusalsOf(asking, error) })
  }
}

interface Showing {
  readonly item?: RawInput
  readonly values: FormValues
  readonly refused?: Refusals
}

async function form(asking: Asking, kind: ItemKind, { item, values, refused }: Showing): Promise<PageResponse> {
  const { t, incoming } = asking
  const path = `/admin/${kind.collection}`
  const state = { values, wrong: refused?.fields ?? {}, known: {}, picture: await pictureAddress(asking, values) }
  const name = item === undefined ? t(kind.create) : decodeEntities(String(item[kind.member] ?? '')) || '–'
  const isTerm = kind.member === 'name'
  const mayRemove = item !== undefined && (!isTerm || isEditor(incoming.caller.role) || kind.role === 'author')
  const remove = mayRemove
    ? html`<button class="bad" name="action" value="delete">${isTerm ? t('Delete for good') : t('Move to trash')}</button>`
    : NOTHING
  const parent = kind.isTree === true ? await parentControl(asking, values, item) : NOTHING
  const overlaps = kind.resource === 'venue' && item !== undefined ? await venueOverlaps(asking, item) : NOTHING
  const body = html`<form method="post" action="${path}/${item === undefined ? 'new' : String(item['id'])}" enctype="multipart/form-data">${csrfField(asking)}<input type="hidden" name="_mark" value="${String(item?.['_mark'] ?? '')}">
<div class="box">${fieldControls(asking, kind.fields, state)}${parent}</div><div class="buttons publish"><button>${t('Save')}</button>${remove}</div></form>${overlaps}`
  return adminPage(asking, {
    status: refused === undefined ? 200 : 400,
    title: name,
    under: path,
    body,
    scripts: [RICH_TEXT_SCRIPT, 'admin/picture.ts'],
    ...(item !== undefined && {
      actions: html`<a class="button second" href="${path}/${String(item['id'])}/history">${t('History')}</a>`,
    }),
    ...(refused !== undefined && { refused: refused.summary }),
    ...(refused === undefined && asking.query('done') === 'saved' && { done: t('Saved') }),
  })
}

async function parentControl(asking: Asking, values: FormValues, item: RawInput | undefined): Promise<Markup> {
  const { t, parts, incoming } = asking
  const reply = await parts
    .api(incoming, { path: '/categories', query: { per_page: String(parts.site.perPageMax), hide_empty: 'false' } })
    .catch(() => undefined)
  const others = objectsIn((reply?.body as RawInput | undefined)?.['categories']).filter(
    ({ id }) => id !== item?.['id'],
  )
  const offers = others.map((one): Offer => [String(one['id']), decodeEntities(String(one['name']))])
  return selectControl({ name: 'parent', label: t('Part of'), value: String(values['parent'] ?? '') }, [
    ['', t('Nothing')],
    ...offers,
  ])
}
