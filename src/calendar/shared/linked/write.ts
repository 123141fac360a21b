import { isDeepStrictEqual } from 'node:util'
import { fail } from '../../../base/errors.ts'
import { fold } from '../../../base/text/fold.ts'
import { slugify } from '../../../base/text/slug.ts'
import { forbidden, mayDelete, mayDeleteForGood, mayEdit, maySetAuthor } from '../../../http/auth/rights.ts'
import { refusedFailure } from '../../../http/params.ts'
import type { InvalidParam } from '../../../http/route.ts'
import type { AnyField } from '../../../model/kinds/field.ts'
import type { Transaction } from '../../../storage/engine.ts'
import { setLineage, setSearchText } from '../../../storage/entry-texts.ts'
import { claimEntryId, nextEntryId } from '../../../storage/identifiers.ts'
import { record } from '../../../storage/journal/append.ts'
import { insertLinked, updateLinked } from '../../../storage/linked-rows.ts'
import { recordEventChanges } from '../../event-store/record-changes.ts'
import { type FetchedImages, type ImageColumns, imageColumns } from '../image.ts'
import { mayAskStatus } from '../publication.ts'
import { freeSlug } from '../slugs.ts'
import { changeAction, restoredSlug, trashedSlug, trashMove } from '../trash.ts'
import type { SavedLinked } from './lookup.ts'
import type { LinkedRoom } from './room.ts'
import type { LinkedContent, LinkedDraft, LinkedRow, NewLinked } from './row.ts'
import { changedRow, duplicateQuery, newRow, searchTextOf, type WriteContext } from './rules.ts'
import { duplicateOf, hasUser, idsDue, removeRow } from './store.ts'

/** A module as writes see it: its write fields do not matter here. */
type Room<Content extends LinkedContent> = LinkedRoom<readonly AnyField[], Content>

/** Who changes a row, and when. */
interface Agent {
  /** User who causes it; null for the program itself. */
  readonly actor: number | null
  /** Moment of the change, UTC text. */
  readonly at: string
}

function agentOf({ caller, at }: WriteContext): Agent {
  return { actor: caller.id, at }
}

/** How a row is added. */
export interface CreateOptions extends Agent {
  /** ID to use if it was never used; otherwise the next one. */
  readonly wishedId?: number
  /** Global IDs of other sites, in order. */
  readonly lineage?: readonly string[]
}

/** Adds a row with its ID, a free slug, search text, lineage and journal entry. */
export async function createLinked<Content extends LinkedContent>(
  tx: Transaction,
  room: Room<Content>,
  { columns, options }: { readonly columns: NewLinked<Content>; readonly options: CreateOptions },
): Promise<LinkedRow<Content>> {
  const { actor, at, wishedId, lineage = [] } = options
  const { key } = room
  const id = wishedId !== undefined && (await claimEntryId(tx, key, wishedId)) ? wishedId : await nextEntryId(tx, key)
  const wish = columns.slug || slugify(columns.name) || String(id)
  const slug = await freeSlug(tx, { table: key, slug: columns.status === 'trash' ? trashedSlug(wish) : wish, id })
  const row = { ...columns, id, slug, name_folded: fold(columns.name), revision: 1 }
  await insertLinked(tx, key, row)
  await setSearchText(tx, { id, body: searchTextOf(room, row) })
  if (lineage.length > 0) await setLineage(tx, { id, globalIds: lineage })
  record(tx, { actor, resource: key, id, revision: 1, action: 'create', at, snapshot: row })
  return row
}

/** A change to an item that a request asks for. */
export interface LinkedWrite<Content extends LinkedContent> {
  readonly draft: LinkedDraft<Content>
  readonly cause: WriteContext
  /** Zone of the site. */
  readonly zone: string
  /** The images that were fetched for it. */
  readonly fetched?: FetchedImages | undefined
}

/** Creates an item, or reuses an existing one that differs in nothing that was sent. */
export async function saveLinked<Content extends LinkedContent>(
  tx: Transaction,
  room: Room<Content>,
  { draft, cause, zone, fetched }: LinkedWrite<Content>,
): Promise<SavedLinked<LinkedRow<Content>>> {
  const image = await imageOf(tx, { draft, cause, fetched })
  const duplicate = await duplicateOf(tx, room.key, duplicateQuery(draft, { cause, image }))
  const [row] = duplicate === undefined ? [] : await room.rows(tx, [duplicate])
  if (row !== undefined) return { row, isNew: false }
  const created = { columns: newRow(room, draft, { cause, zone, image }), options: agentOf(cause) }
  return { row: await createLinked(tx, room, created), isNew: true }
}

async function imageOf<Content extends LinkedContent>(
  tx: Transaction,
  { draft, cause, fetched }: Pick<LinkedWrite<Content>, 'draft' | 'cause' | 'fetched'>,
): Promise<Partial<ImageColumns>> {
  const { image } = draft.entry
  return image === undefined ? {} : imageColumns(tx, image, { ...cause, ...(fetched && { fetched }) })
}

/**
 * Refuses inline data that a separate create would refuse.
 * @throws rest_invalid_param for an unknown author, rest_forbidden for another author or a status that the caller may
 * not use
 */
export async function checkInline<Content extends LinkedContent>(
  tx: Transaction,
  room: Room<Content>,
  { draft, cause: { caller } }: LinkedWrite<Content>,
): Promise<void> {
  const { author, status } = draft.entry
  if (author !== undefined) {
    if (!(await hasUser(tx, author)))
      throw refusedAlone({ name: room.key, code: 'rest_invalid_param', reason: 'unknown_user' })
    if (!maySetAuthor(caller, author)) throw forbidden(caller)
  }
  if (mayAskStatus(caller, status) !== true) throw forbidden(caller)
}

/** A check of the row inside the transaction, before it is changed. */
interface Checked {
  /** @throws precondition_failed */
  readonly check?: ((row: LinkedRow) => void) | undefined
}

/** Changes what was sent; writes nothing when nothing differs. @throws rest_forbidden, rest_invalid_param */
export async function changeLinked<Content extends LinkedContent>(
  tx: Transaction,
  room: Room<Content>,
  { id, draft, cause, zone, fetched, check }: LinkedWrite<Content> & Checked & { readonly id: number },
): Promise<LinkedRow<Content>> {
  const stored = await rowToWrite(tx, room, id)
  if (!mayEdit(cause.caller, owned(stored))) throw forbidden(cause.caller)
  check?.(stored)
  const image = await imageOf(tx, { draft, cause, fetched })
  const row = changedRow(room, { stored, draft }, { cause, zone, image })
  return store(tx, room, { stored, row, ...agentOf(cause) })
}

/** Moves an item to the trash. @throws rest_forbidden, rest_invalid_param, 410 when it is there already */
export async function trashLinked<Content extends LinkedContent>(
  tx: Transaction,
  room: Room<Content>,
  { id, cause, check }: Checked & { readonly id: number; readonly cause: WriteContext },
): Promise<LinkedRow<Content>> {
  const stored = await rowToWrite(tx, room, id)
  if (!mayDelete(cause.caller, owned(stored))) throw forbidden(cause.caller)
  if (stored.status === 'trash') throw fail(room.errors.inTrash)
  check?.(stored)
  return store(tx, room, { stored, row: { ...stored, status: 'trash' }, ...agentOf(cause) })
}

/** Deletes an item permanently and returns what it was. @throws rest_forbidden, rest_invalid_param */
export async function deleteLinked<Content extends LinkedContent>(
  tx: Transaction,
  room: Room<Content>,
  { id, cause, check }: Checked & { readonly id: number; readonly cause: WriteContext },
): Promise<LinkedRow<Content>> {
  if (!mayDeleteForGood(cause.caller.role)) throw forbidden(cause.caller)
  const stored = await rowToWrite(tx, room, id)
  check?.(stored)
  const events = await removeRow(tx, room.key, id)
  const revision = stored.revision + 1
  record(tx, { ...agentOf(cause), resource: room.key, id, revision, action: 'delete', snapshot: null })
  await recordEventChanges(tx, events, agentOf(cause))
  return stored
}

/** Publishes a batch of due work at this moment, UTC text; returns how many. */
export async function publishDue<Content extends LinkedContent>(
  tx: Transaction,
  room: Room<Content>,
  at: string,
): Promise<number> {
  const due = await room.rows(tx, await idsDue(tx, room.key, at))
  for (const stored of due) await store(tx, room, { stored, row: { ...stored, status: 'publish' }, actor: null, at })
  return due.length
}

/** When what waited for review is accepted, and from when on it is public; both UTC text. */
export interface Accepted {
  readonly at: string
  /** Absent: at once. One that is to come is the publication date. */
  readonly from?: string
}

/** Publishes those of these items that wait for review; IDs that name none mean nothing. */
export async function publishPending<Content extends LinkedContent>(
  tx: Transaction,
  room: Room<Content>,
  { ids, at, from = at }: Accepted & { readonly ids: readonly number[] },
): Promise<void> {
  const rows = ids.length === 0 ? [] : await room.rows(tx, ids)
  const change = from > at ? ({ status: 'future', published_at: from } as const) : ({ status: 'publish' } as const)
  for (const stored of rows.filter(({ status }) => status === 'pending'))
    await store(tx, room, { stored, row: { ...stored, ...change }, actor: null, at })
}

/** The current row: it may have changed or been deleted since the request was read. */
async function rowToWrite<Content extends LinkedContent>(
  tx: Transaction,
  room: Room<Content>,
  id: number,
): Promise<LinkedRow<Content>> {
  const [row] = await room.rows(tx, [id])
  if (row !== undefined) return row
  throw refusedAlone({ name: 'id', code: 'rest_invalid_param', reason: 'unknown_id' })
}

function refusedAlone(refusal: InvalidParam): Error {
  return refusedFailure([refusal], [refusal.name], 'en')
}

function owned(row: LinkedRow): { authorId: number; status: string } {
  return { authorId: row.author_id, status: row.status }
}

/** Stores a changed row with everything that follows from it. */
async function store<Content extends LinkedContent>(
  tx: Transaction,
  room: Room<Content>,
  { stored, row, actor, at }: Agent & { readonly stored: LinkedRow<Content>; readonly row: LinkedRow<Content> },
): Promise<LinkedRow<Content>> {
  const moved = { ...row, ...(await placeOf(tx, room, { stored, row })) }
  if (isDeepStrictEqual({ ...moved }, { ...stored })) return stored
  return storeLinked(tx, room, { stored, row: { ...moved, modified_at: at }, actor, at })
}

/** Stores a row that differs from the stored one under the next revision, with search text and journal entry. */
export async function storeLinked<Content extends LinkedContent>(
  tx: Transaction,
  room: Pick<Room<Content>, 'key' | 'columns' | 'searched'>,
  { stored, row, actor, at }: Agent & { readonly stored: LinkedRow<Content>; readonly row: LinkedRow<Content> },
): Promise<LinkedRow<Content>> {
  const { key } = room
  const next = { ...row, name_folded: fold(row.name), revision: stored.revision + 1 }
  await updateLinked(tx, key, next)
  const body = searchTextOf(room, next)
  if (body !== searchTextOf(room, stored)) await setSearchText(tx, { id: next.id, body })
  const action = changeAction(stored.status, next.status)
  record(tx, { actor, at, resource: key, id: next.id, revision: next.revision, action, snapshot: next })
  return next
}

/** Slug and former status after another slug was sent, or after a move in or out of the trash; the name never changes the slug. */
async function placeOf<Content extends LinkedContent>(
  tx: Transaction,
  room: Room<Content>,
  { stored, row }: { readonly stored: LinkedRow<Content>; readonly row: LinkedRow<Content> },
): Promise<{ slug?: string; trashed_from?: string | null }> {
  const move = trashMove(stored.status, row.status)
  if (move === undefined && row.slug === stored.slug) return {}
  const wish = row.slug === stored.slug ? restoredSlug(row.slug) : row.slug
  return {
    slug: await freeSlug(tx, {
      table: room.key,
      slug: row.status === 'trash' ? trashedSlug(wish) : wish,
      id: stored.id,
    }),
    ...(move !== undefined && { trashed_from: move === 'in' ? stored.status : null }),
  }
}
