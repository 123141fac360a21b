import { forbidden, mayEdit } from '../../http/auth/rights.ts'
import type { RawInput } from '../../http/request/body.ts'
import { EVENT_FIELDS } from '../../model/event.ts'
import type { AnyField } from '../../model/kinds/field.ts'
import type { Status } from '../../model/status.ts'
import type { JournalEntry } from '../../storage/journal/entry.ts'
import { eventFields, withCustomFields, withUndeclared } from '../declared.ts'
import type { ItemKind } from '../item-kinds.ts'
import type { PageRequest } from '../page-request.ts'
import { seriesOf } from '../series.ts'
import { changedFields, pastValue } from './fields.ts'

/** A kind of items whose earlier states can be restored. */
export interface KeptKind extends Pick<ItemKind, 'collection' | 'member' | 'fields' | 'role'> {
  readonly resource: ItemKind['resource'] | 'event'
}

/** Events as such a kind. */
export const KEPT_EVENTS: KeptKind = {
  collection: 'events',
  resource: 'event',
  member: 'title',
  fields: EVENT_FIELDS,
  role: 'contributor',
}

/** An item as the API answers it, with the mark of its version. @throws rest_forbidden for those who may not change it */
export async function itemOf(
  { deps, incoming }: PageRequest,
  { collection }: KeptKind,
  id: number,
): Promise<{ item: RawInput; mark: string }> {
  const reply = await deps.api(incoming, { path: `/${collection}/${id}` })
  const item = reply.body as RawInput
  const owned = { authorId: Number(item['author']), status: item['status'] as Status }
  if (item['author'] !== undefined && !mayEdit(incoming.caller, owned)) throw forbidden(incoming.caller)
  return { item, mark: reply.version?.mark ?? '' }
}

/** The fields of a kind; of events also what sites declare, and what these states have beside that. */
export async function fieldsOf(
  request: PageRequest,
  kind: KeptKind,
  entries: readonly JournalEntry[],
): Promise<readonly AnyField[]> {
  if (kind.resource !== 'event') return kind.fields
  const states = entries.flatMap(({ snapshot }) => (snapshot === null ? [] : [snapshot as RawInput]))
  return withUndeclared(await eventFields(request), states)
}

/** Those that can be restored: a site that declares fields takes no others. */
async function restorable(
  request: PageRequest,
  kind: KeptKind,
  entries: readonly JournalEntry[],
): Promise<readonly AnyField[]> {
  const { all, declared } = await eventFields(request)
  return kind.resource === 'event' && declared.length > 0 ? all : fieldsOf(request, kind, entries)
}

/** Two states of an item: the one to restore, and the present one; undefined where the journal does not have it. */
interface TwoStates {
  readonly wanted: JournalEntry
  readonly present: JournalEntry | undefined
}

/**
 * Saves an earlier state as a new change; what the present one has anyway is not sent. @throws rest_forbidden, and what
 * the API refuses
 */
export async function saveState(request: PageRequest, kind: KeptKind, { wanted, present }: TwoStates): Promise<void> {
  const { id } = wanted
  const { item, mark } = await itemOf(request, kind, id)
  const [past, now] = [wanted.snapshot ?? {}, present?.snapshot ?? {}].map((one) => one as RawInput)
  const fields = await restorable(request, kind, [wanted, ...(present === undefined ? [] : [present])])
  const body = withCustomFields(bodyOf(fields, past ?? {}, now ?? {}), item)
  const scope = seriesOf(item) === undefined ? {} : { scope: seriesOf(item)?.isFirst === true ? 'all' : 'this' }
  const call = { method: 'POST', path: `/${kind.collection}/${id}`, body: { ...body, ...scope }, mark } as const
  await request.deps.api(request.incoming, call)
}

function bodyOf(fields: readonly AnyField[], past: RawInput, now: RawInput): RawInput {
  const changed = changedFields(fields, now, past)
  // Both ends of an event go together with its kind of day.
  const isDated = changed.some(
    ({ kind, name }) => kind.control === 'moment' || name === 'all_day' || name === 'timezone',
  )
  const sent = isDated ? fields.filter((one) => changed.includes(one) || one.kind.control === 'moment') : changed
  return Object.fromEntries(sent.map((field) => [field.name, pastValue(past, field)]))
}
