import { decodeEntities } from '../base/text/entities.ts'
import type { PageResponse } from '../http/html-page.ts'
import type { RawInput } from '../http/request/body.ts'
import { submitBulk } from './bulk.ts'
import { confirmPage } from './confirm.ts'
import { conflictPage, fieldParts, mergedValues } from './conflict.ts'
import { draftParameter } from './draft.ts'
import { describeHeld, uploaded } from './event-parts.ts'
import { markFor, type StoredItem, startSent, statusBegun } from './form-start.ts'
import { bodyOf, type FormValues, sentValues, shownValues } from './form-values.ts'
import { itemOf } from './history/restore.ts'
import { itemForm, itemName, knownItems } from './item-form.ts'
import { type ItemKind, isTerm, KINDS } from './item-kinds.ts'
import { bulkOf, itemsPage } from './items-list.ts'
import { type AdminPage, type PageRequest, redirect } from './page-request.ts'
import { isGone, isOutdated, refusalsOf } from './refusals.ts'
import { moveToTrash } from './trash/move.ts'
import { trashedParameter } from './trash/moved.ts'

/** The pages of venues, organizers, categories and tags: a list and a form each. */
export function itemPages(bodyLimit: number): AdminPage[] {
  return KINDS.flatMap((kind): AdminPage[] => {
    const path = `/admin/${kind.collection}`
    const submit = (request: PageRequest): Promise<PageResponse> => save(request, kind)
    return [
      {
        path,
        role: kind.role,
        show: (request) => itemsPage(request, kind),
        submit: (request) => submitBulk(request, bulkOf(kind)),
      },
      {
        path: `${path}/new`,
        role: kind.role,
        bodyLimit,
        show: (request) => itemForm(request, kind, { values: {} }),
        submit,
      },
      { path: `${path}/:id`, role: kind.role, bodyLimit, show: (request) => edit(request, kind), submit },
    ]
  })
}

async function edit(request: PageRequest, kind: ItemKind): Promise<PageResponse> {
  const stored = await itemOf(request, kind, Number(request.incoming.path['id']))
  return itemForm(request, kind, { stored, values: shownValues(kind.fields, stored.item) })
}

async function storedItem({ deps, incoming }: PageRequest, { collection }: ItemKind): Promise<StoredItem | undefined> {
  const id = incoming.path['id']
  if (id === undefined) return undefined
  const reply = await deps.api(incoming, { path: `/${collection}/${id}` })
  return { item: reply.body as RawInput, mark: reply.version?.mark ?? '' }
}

async function save(request: PageRequest, kind: ItemKind): Promise<PageResponse> {
  const { incoming, sent } = request
  if (sent('action') === 'delete' && incoming.path['id'] !== undefined) return remove(request, kind)
  const stored = await storedItem(request, kind)
  let values = mergedValues(kind.fields, incoming.body, sentValues(kind.fields, incoming.body))
  try {
    values = { ...values, ...(await uploaded(request)) }
    return await write(request, kind, { stored, values })
  } catch (error) {
    if (stored === undefined || !isOutdated(error))
      return itemForm(request, kind, { stored, values, refused: refusalsOf(request, error) })
    const known = await knownItems(request, kind, stored)
    const parts = fieldParts(request, kind.fields, known)
    const theirs = shownValues(kind.fields, stored.item)
    const title = itemName(request, kind, stored)
    const under = `/admin/${kind.collection}`
    return conflictPage(request, { parts, mine: values, theirs, stored, title, under })
  }
}

interface Writing {
  readonly stored: StoredItem | undefined
  readonly values: FormValues
}

async function write(request: PageRequest, kind: ItemKind, { stored, values }: Writing): Promise<PageResponse> {
  const { deps, incoming, sent } = request
  const path = `/admin/${kind.collection}`
  const id = incoming.path['id']
  const start = startSent(request)
  const body = bodyOf(kind.fields, values, { base: stored === undefined ? {} : start.base, known: {} })
  const isPublished = (stored === undefined && !isTerm(kind)) || sent('action') === 'publish'
  const publish = isPublished ? { status: 'publish' } : {}
  await deps.api(incoming, {
    method: 'POST',
    path: stored === undefined ? `/${kind.collection}` : `/${kind.collection}/${id}`,
    body: { ...body, ...publish },
    ...(stored !== undefined && { mark: markFor(kind.fields, stored, start) }),
  })
  await describeHeld(request)
  const done = `done=saved${draftParameter(request)}`
  // Whoever makes a venue take one event at a time sees what overlaps there already.
  return redirect(body['exclusive'] === true && id !== undefined ? `${path}/${id}?${done}` : `${path}?${done}`)
}

/** Removes an item; where it cannot be, its form says why, and where someone else has done so already, the list does. */
async function remove(request: PageRequest, kind: ItemKind): Promise<PageResponse> {
  let stored: StoredItem | undefined
  try {
    stored = await storedItem(request, kind)
    // A button that says "Move to trash" deletes nothing permanently.
    const isTrashed = stored?.item['status'] === 'trash' && !['', 'trash'].includes(statusBegun(request))
    if (isTrashed) return redirect(`/admin/${kind.collection}?done=gone`)
    return await removeStored(request, kind, stored?.item ?? {})
  } catch (error) {
    if (isGone(error)) return redirect(`/admin/${kind.collection}?done=gone`)
    const values = sentValues(kind.fields, request.incoming.body)
    return itemForm(request, kind, { stored, values, refused: refusalsOf(request, error) })
  }
}

/** Moves an item to the trash; one that was there when its form was shown is deleted permanently once that was confirmed. */
async function removeStored(request: PageRequest, kind: ItemKind, item: RawInput): Promise<PageResponse> {
  const { deps, incoming, sent, t } = request
  const path = `/admin/${kind.collection}`
  const id = String(item['id'])
  if (item['status'] !== 'trash') {
    const key = await moveToTrash(request, kind, { id, scope: '' })
    return redirect(`${path}?done=trash&trashed=${trashedParameter([key])}`)
  }
  if (sent('confirmed') !== 'true') {
    const title = decodeEntities(String(item[kind.member] ?? ''))
    return confirmPage(request, { question: t('admin.confirm.deleteTitle', { title }), under: path, fields: [] })
  }
  await deps.api(incoming, { method: 'DELETE', path: `/${kind.collection}/${id}`, query: { force: 'true' } })
  return redirect(`${path}?done=deleted`)
}
