import { decodeEntities } from '../base/text/entities.ts'
import type { PageResponse } from '../http/page.ts'
import type { RawInput } from '../http/request/body.ts'
import { type AdminPage, type Asking, redirect } from './asking.ts'
import { submitBulk } from './bulk.ts'
import { confirmPage } from './confirm.ts'
import { conflictPage, fieldParts, mergedValues } from './conflict.ts'
import { draftParameter } from './draft.ts'
import { describeHeld, uploaded } from './event-parts.ts'
import { markFor, type StoredItem, startSent, statusBegun } from './form-start.ts'
import { bodyOf, type FormValues, sentValues, shownValues } from './form-values.ts'
import { itemForm, itemName, knownItems } from './item-form.ts'
import { type ItemKind, isTerm, KINDS } from './item-kinds.ts'
import { bulkOf, itemsPage } from './items-list.ts'
import { isGone, isOutdated, refusalsOf } from './refusals.ts'
import { moveToTrash } from './trash/move.ts'
import { trashedParameter } from './trash/moved.ts'

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
      {
        path: `${path}/new`,
        role: kind.role,
        bodyLimit,
        show: (asking) => itemForm(asking, kind, { values: kind.begun ?? {} }),
        submit,
      },
      { path: `${path}/:id`, role: kind.role, bodyLimit, show: (asking) => edit(asking, kind), submit },
    ]
  })
}

async function edit(asking: Asking, kind: ItemKind): Promise<PageResponse> {
  const stored = await storedItem(asking, kind)
  return itemForm(asking, kind, { stored, values: shownValues(kind.fields, stored?.item ?? {}) })
}

async function storedItem({ parts, incoming }: Asking, { collection }: ItemKind): Promise<StoredItem | undefined> {
  const id = incoming.path['id']
  if (id === undefined) return undefined
  const reply = await parts.api(incoming, { path: `/${collection}/${id}` })
  return { item: reply.body as RawInput, mark: reply.version?.mark ?? '' }
}

async function save(asking: Asking, kind: ItemKind): Promise<PageResponse> {
  const { incoming, sent } = asking
  if (sent('action') === 'delete' && incoming.path['id'] !== undefined) return remove(asking, kind)
  const stored = await storedItem(asking, kind)
  let values = mergedValues(kind.fields, incoming.body, sentValues(kind.fields, incoming.body))
  try {
    values = { ...values, ...(await uploaded(asking, values)) }
    return await write(asking, kind, { stored, values })
  } catch (error) {
    if (stored === undefined || !isOutdated(error))
      return itemForm(asking, kind, { stored, values, refused: refusalsOf(asking, error) })
    const known = await knownItems(asking, kind, stored)
    const parts = fieldParts(asking, kind.fields, known)
    const theirs = shownValues(kind.fields, stored.item)
    const title = itemName(asking, kind, stored)
    const under = `/admin/${kind.collection}`
    return conflictPage(asking, { parts, mine: values, theirs, stored, title, under })
  }
}

interface Writing {
  readonly stored: StoredItem | undefined
  readonly values: FormValues
}

async function write(asking: Asking, kind: ItemKind, { stored, values }: Writing): Promise<PageResponse> {
  const { parts, incoming, sent } = asking
  const path = `/admin/${kind.collection}`
  const id = incoming.path['id']
  const start = startSent(asking)
  const body = bodyOf(kind.fields, values, { base: stored === undefined ? (kind.begun ?? {}) : start.base, known: {} })
  const isPublished = (stored === undefined && !isTerm(kind)) || sent('action') === 'publish'
  const publish = isPublished ? { status: 'publish' } : {}
  await parts.api(incoming, {
    method: 'POST',
    path: stored === undefined ? `/${kind.collection}` : `/${kind.collection}/${id}`,
    body: { ...body, ...publish },
    ...(stored !== undefined && { mark: markFor(kind.fields, stored, start) }),
  })
  await describeHeld(asking)
  const done = `done=saved${draftParameter(asking)}`
  // Whoever makes a venue take one event at a time sees what overlaps there already.
  return redirect(body['exclusive'] === true && id !== undefined ? `${path}/${id}?${done}` : `${path}?${done}`)
}

/** Removes an item; where it cannot be, its form says why, and where somebody else has done so already, the list does. */
async function remove(asking: Asking, kind: ItemKind): Promise<PageResponse> {
  let stored: StoredItem | undefined
  try {
    stored = await storedItem(asking, kind)
    // A button that says "Move to trash" deletes nothing for good.
    const isTrashed = stored?.item['status'] === 'trash' && !['', 'trash'].includes(statusBegun(asking))
    if (isTrashed) return redirect(`/admin/${kind.collection}?done=gone`)
    return await removeStored(asking, kind, stored?.item ?? {})
  } catch (error) {
    if (isGone(error)) return redirect(`/admin/${kind.collection}?done=gone`)
    const values = sentValues(kind.fields, asking.incoming.body)
    return itemForm(asking, kind, { stored, values, refused: refusalsOf(asking, error) })
  }
}

/** Moves an item to the trash; what was there when its form was shown is deleted permanently once that was confirmed. */
async function removeStored(asking: Asking, kind: ItemKind, item: RawInput): Promise<PageResponse> {
  const { parts, incoming, sent, t } = asking
  const path = `/admin/${kind.collection}`
  const id = String(item['id'])
  if (item['status'] !== 'trash') {
    const key = await moveToTrash(asking, kind, { id, scope: '' })
    return redirect(`${path}?done=trash&trashed=${trashedParameter([key])}`)
  }
  if (sent('confirmed') !== 'true') {
    const title = decodeEntities(String(item[kind.member] ?? ''))
    return confirmPage(asking, { question: t('admin.confirm.deleteTitle', { title }), under: path, fields: [] })
  }
  await parts.api(incoming, { method: 'DELETE', path: `/${kind.collection}/${id}`, query: { force: 'true' } })
  return redirect(`${path}?done=deleted`)
}
