import { isEditor } from '../auth/rights.ts'
import type { PageResponse } from '../http/page.ts'
import type { RawInput } from '../http/request/body.ts'
import { decodeEntities } from '../text/entities.ts'
import { html, type Markup, NOTHING } from '../web/html.ts'
import { type AdminPage, type Asking, redirect } from './asking.ts'
import { submitBulk } from './bulk.ts'
import { confirmPage } from './confirm.ts'
import { type Offer, selectControl } from './controls.ts'
import { pictureAddress, uploaded } from './event-parts.ts'
import { fieldControls } from './form-fields.ts'
import { bodyOf, type FormValues, objectsIn, sentValues, shownValues } from './form-values.ts'
import { type ItemKind, isTerm, KINDS } from './item-kinds.ts'
import { bulkOf, itemsPage } from './items-list.ts'
import { adminPage, csrfField } from './layout.ts'
import { type Refusals, refusalsOf } from './refusals.ts'
import { RICH_TEXT_SCRIPT } from './rich-text.ts'
import { venueOverlaps } from './venue-overlaps.ts'

/** The pages of venues, organizers, categories and tags: a list and a form each. */
export function itemPages(bodyLimit: number): AdminPage[] {
  return KINDS.flatMap((kind): AdminPage[] => {
    const path = `/admin/${kind.collection}`
    const submit = (asking: Asking): Promise<PageResponse> => save(asking, kind)
    return [
      {
        path,
        role: kind.role,
        show: (asking) => itemsPage(asking, kind),
        submit: (asking) => submitBulk(asking, bulkOf(kind)),
      },
      { path: `${path}/new`, role: kind.role, bodyLimit, show: (asking) => form(asking, kind, { values: {} }), submit },
      { path: `${path}/:id`, role: kind.role, bodyLimit, show: (asking) => edit(asking, kind), submit },
    ]
  })
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
    if (item !== undefined && sent('action') === 'delete') return await remove(asking, kind, item)
    values = { ...values, ...(await uploaded(asking, values)) }
    const body = bodyOf(kind.fields, values, { base: item === undefined ? {} : valuesOf(kind, item), known: {} })
    const parent = kind.isTree === true ? { parent: Number(sent('parent')) || 0 } : {}
    const isPublished = (item === undefined && !isTerm(kind)) || sent('action') === 'publish'
    const publish = isPublished ? { status: 'publish' } : {}
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

/** Moves an item to the trash; what has none, or is there already, is deleted for good once that was confirmed. */
async function remove(asking: Asking, kind: ItemKind, item: RawInput): Promise<PageResponse> {
  const { parts, incoming, sent, t } = asking
  const path = `/admin/${kind.collection}`
  const id = String(item['id'])
  const isForGood = isTerm(kind) || item['status'] === 'trash'
  if (isForGood && sent('confirmed') !== 'true') {
    const title = decodeEntities(String(item[kind.member] ?? ''))
    return confirmPage(asking, { question: t('Delete {title} for good?', { title }), under: path, fields: [] })
  }
  const query = isForGood && !isTerm(kind) ? { force: 'true' } : {}
  await parts.api(incoming, { method: 'DELETE', path: `/${kind.collection}/${id}`, query })
  return redirect(`${path}?done=${isForGood ? 'deleted' : `trash&undo=${id}:${String(item['status'])}`}`)
}

interface Showing {
  readonly item?: RawInput
  readonly values: FormValues
  readonly refused?: Refusals
}

async function form(asking: Asking, kind: ItemKind, { item, values, refused }: Showing): Promise<PageResponse> {
  const { t } = asking
  const path = `/admin/${kind.collection}`
  const state = { values, wrong: refused?.fields ?? {}, known: {}, picture: await pictureAddress(asking, values) }
  const name = item === undefined ? t(kind.create) : decodeEntities(String(item[kind.member] ?? '')) || '–'
  const parent = kind.isTree === true ? await parentControl(asking, values, item) : NOTHING
  const overlaps = kind.resource === 'venue' && item !== undefined ? await venueOverlaps(asking, item) : NOTHING
  const body = html`<form method="post" action="${path}/${item === undefined ? 'new' : String(item['id'])}" enctype="multipart/form-data">${csrfField(asking)}<input type="hidden" name="_mark" value="${String(item?.['_mark'] ?? '')}">
<div class="box">${fieldControls(asking, kind.fields, state)}${parent}</div><div class="buttons publish"><button>${t('Save')}</button>${removeButtons(asking, kind, item)}</div></form>${overlaps}`
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

/** What takes an item away, or brings it back from the trash; nothing for those who may not. */
function removeButtons({ t, incoming }: Asking, kind: ItemKind, item: RawInput | undefined): Markup {
  const { role } = incoming.caller
  if (item === undefined) return NOTHING
  const button = (action: string, look: string, text: string): Markup =>
    html`<button class="${look}" name="action" value="${action}">${text}</button>`
  if (isTerm(kind)) return button('delete', 'bad', t('Delete for good'))
  if (item['status'] !== 'trash') return button('delete', 'bad', t('Move to trash'))
  const forGood = isEditor(role) ? button('delete', 'bad', t('Delete for good')) : NOTHING
  return html`${button('publish', 'second', t('Publish'))}${forGood}`
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
