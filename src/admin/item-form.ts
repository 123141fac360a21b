import { decodeEntities } from '../base/text/entities.ts'
import { isEditor } from '../http/auth/rights.ts'
import type { PageResponse } from '../http/html-page.ts'
import type { RawInput } from '../http/request/body.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import { askedFields } from './address-fields.ts'
import { DRAFT_SCRIPT, draftKeeper } from './draft.ts'
import { heldImage, knownNames } from './event-parts.ts'
import { fieldControls } from './form-fields.ts'
import { begunWith, type StoredItem, startInputs, startSent } from './form-start.ts'
import type { FormValues, KnownNames } from './form-values.ts'
import { FILE_SCRIPT } from './image-input.ts'
import type { ItemKind } from './item-kinds.ts'
import { adminPage, csrfField } from './layout.ts'
import type { PageRequest } from './page-request.ts'
import type { Refusals } from './refusals.ts'
import { RICH_TEXT_SCRIPT } from './rich-text.ts'
import { venueOverlaps } from './venue-overlaps.ts'

/** What the form of an item shows. */
export interface ItemForm {
  /** Undefined for a new one. */
  readonly stored?: StoredItem | undefined
  readonly values: FormValues
  /** Why the values were not saved; absent where the form shows stored values. */
  readonly refused?: Refusals
}

/** The name of an item for headings; what a new one is called before it has one. */
export function itemName({ t }: PageRequest, { member, create }: ItemKind, stored: StoredItem | undefined): string {
  return stored === undefined ? t(create) : decodeEntities(String(stored.item[member] ?? '')) || '–'
}

/** The page with the form of a venue, an organizer, a category or a tag. */
export async function itemForm(request: PageRequest, kind: ItemKind, form: ItemForm): Promise<PageResponse> {
  const { t, query } = request
  const { stored, values, refused } = form
  const path = `/admin/${kind.collection}`
  const known = await knownItems(request, kind, stored)
  const state = { values, wrong: refused?.fields ?? {}, known, picture: await heldImage(request, values) }
  const isUnsaved = refused !== undefined
  const isSaved = !isUnsaved && query('done') === 'saved'
  const start = isUnsaved ? startSent(request) : { mark: stored?.mark ?? '', base: begunWith(values, stored) }
  const overlaps =
    kind.resource === 'venue' && stored !== undefined ? await venueOverlaps(request, stored.item) : NOTHING
  const body = html`<form class="item-form" method="post" action="${path}/${stored === undefined ? 'new' : String(stored.item['id'])}" enctype="multipart/form-data">${csrfField(request)}${draftKeeper(request, { isSaved, isUnsaved })}${startInputs(start)}
<div class="box">${fieldControls(request, askedFields(kind.fields, values), state)}</div><div class="buttons publish"><button>${t('admin.save')}</button>${removeButtons(request, stored?.item)}</div></form>${overlaps}`
  return adminPage(request, {
    title: itemName(request, kind, stored),
    under: path,
    body,
    scripts: [DRAFT_SCRIPT, RICH_TEXT_SCRIPT, FILE_SCRIPT, 'admin/image.ts'],
    ...(stored !== undefined && {
      actions: html`<a class="button second" href="${path}/${String(stored.item['id'])}/history">${t('admin.history')}</a>`,
    }),
    refused: refused?.summary,
    ...(isSaved && { done: t('admin.saved') }),
  })
}

/** What takes an item away, or restores it from the trash; nothing for those who may not. */
function removeButtons({ t, incoming }: PageRequest, item: RawInput | undefined): Markup {
  const { role } = incoming.caller
  if (item === undefined) return NOTHING
  const button = (action: string, look: string, text: string): Markup =>
    html`<button class="${look}" name="action" value="${action}">${text}</button>`
  if (item['status'] !== 'trash') return button('delete', 'bad', t('admin.moveToTrash'))
  const forGood = isEditor(role) ? button('delete', 'bad', t('admin.deletePermanently')) : NOTHING
  return html`${button('publish', 'second', t('admin.publish'))}${forGood}`
}

/** The items that fields of a kind may refer to: the other categories, by `parent`. */
export async function knownItems(
  request: PageRequest,
  { isTree, collection }: ItemKind,
  stored: StoredItem | undefined,
): Promise<KnownNames> {
  if (isTree !== true) return {}
  const { deps, incoming } = request
  const { id, parent = 0 } = stored?.item ?? {}
  const above =
    parent === 0
      ? undefined
      : await deps.api(incoming, { path: `/${collection}/${String(parent)}` }).catch(() => undefined)
  const { categories = [] } = await knownNames(request, { categories: above?.body }, ['categories'])
  return { parent: categories.filter(([one]) => one !== String(id)) }
}
