import { slugify } from '../../../base/text/slug.ts'
import { storedOf } from '../../../model/column.ts'
import { BLANK_EVENT, EVENT_COLUMNS, type EventValues } from '../../../model/event.ts'
import { ticketsIn } from '../../../model/kinds/tickets.ts'
import type { Status } from '../../../model/status.ts'
import type { Transaction } from '../../../storage/engine.ts'
import type { EventRow } from '../../event-store/event-row.ts'
import { imageColumns } from '../../shared/image.ts'
import { publishedAtOf, resolveStatus } from '../../shared/publication.ts'
import { freeSlug } from '../../shared/slugs.ts'
import { restoredSlug, statusBeforeTrash, trashedSlug, trashMove } from '../../shared/trash.ts'
import { attendanceAfter } from './attendance.ts'
import { refuseUndeclared } from './declared.ts'
import { parentProblem } from './parent.ts'
import { areSameTimes, type EventTimes, resolveTimes } from './rules.ts'
import { type EventChange, staleParameter, type Writing } from './writing.ts'

/** What the row of an event is made of by a write. */
export interface RowQuestion {
  readonly id: number
  readonly stored: EventRow | undefined
  readonly change: EventChange
  readonly writing: Writing
}

/** The row of an event after a write; `stored` is undefined where it is new. */
export async function resolveRow(tx: Transaction, { id, stored, change, writing }: RowQuestion): Promise<EventRow> {
  const { values } = change
  const { at: nowUtc } = writing
  await checkReferences(tx, { stored, change, writing })
  const times = timesAfter(stored, change, writing)
  const published_at = publishedAtOf(values, writing.site.zone) ?? stored?.published_at ?? nowUtc
  const status = resolveStatus({
    caller: writing.caller,
    sent: values.status,
    stored: stored?.status,
    publishedAt: published_at,
    nowUtc,
  })
  const title = values.title ?? stored?.title ?? ''
  const slug = await resolveSlug(tx, { id, title, sent: values.slug, stored, status })
  return {
    ...(stored ?? BLANK_EVENT),
    id,
    author_id: values.author ?? stored?.author_id ?? writing.caller.id,
    status,
    trashed_from: statusBeforeTrash(stored, status),
    slug,
    published_at,
    modified_at: nowUtc,
    title,
    ...times,
    ...contentOf(values),
    ...ticketsOf(values, times.timezone),
    ...attendanceAfter(stored, values, times),
    ...(values.image && (await imageColumns(tx, values.image, writing))),
    ...(writing.password !== undefined && { password_hash: writing.password }),
  }
}

/** What the row names must be there, or be declared. @throws rest_invalid_param */
async function checkReferences(
  tx: Transaction,
  { stored, change, writing: { caller } }: Omit<RowQuestion, 'id'>,
): Promise<void> {
  const { post_parent: parent = 0, custom_fields } = change.values
  const orphaned = parent === 0 ? undefined : await parentProblem(tx, { caller, parent, self: stored?.id })
  if (orphaned !== undefined) throw staleParameter('post_parent', orphaned)
  if (custom_fields !== undefined) await refuseUndeclared(tx, custom_fields, stored)
}

/** When the event takes place: as it was resolved, unless another write has moved the event meanwhile. */
function timesAfter(stored: EventRow | undefined, { times, values }: EventChange, { site }: Writing): EventTimes {
  if (times !== undefined && areSameTimes(stored, times.over)) return times.times
  const resolved = resolveTimes(stored, values, site.zone)
  if (!resolved.ok) throw staleParameter(resolved.name, resolved.reason)
  return resolved.times
}

/** The content columns that were sent. */
function contentOf(values: EventValues): Partial<EventRow> {
  return {
    ...storedOf(EVENT_COLUMNS, values),
    ...(values.description !== undefined && { description: values.description }),
    ...(values.excerpt !== undefined && { excerpt: values.excerpt }),
    ...(values.cost !== undefined && {
      cost: values.cost.text,
      cost_symbol: values.cost.symbol,
      cost_position: values.cost.position,
    }),
    ...(values.website !== undefined && { website: values.website }),
    ...(values.post_parent !== undefined && { post_parent: values.post_parent }),
  }
}

/** The column of the tickets, where any were sent. @throws rest_invalid_param when another write has moved the zone */
function ticketsOf({ tickets: sent }: EventValues, timezone: string): Partial<EventRow> {
  if (sent === undefined) return {}
  const made = ticketsIn(timezone, sent)
  if (made === undefined) throw staleParameter('tickets', 'bad_sale')
  return { tickets: made.length === 0 ? null : JSON.stringify(made) }
}

interface SlugQuestion {
  readonly id: number
  readonly title: string
  readonly sent: string | undefined
  readonly stored: EventRow | undefined
  readonly status: Status
}

/** The slug after a write: sent, else kept, else made from the title; the id where nothing remains of that. */
async function resolveSlug(tx: Transaction, { id, title, sent, stored, status }: SlugQuestion): Promise<string> {
  const move = trashMove(stored?.status, status)
  const base = sent ?? stored?.slug ?? (slugify(title) || String(id))
  const hides = move === 'in' || (status === 'trash' && sent !== undefined)
  const wanted = hides ? trashedSlug(base) : move === 'out' ? restoredSlug(base) : base
  if (wanted === stored?.slug) return wanted
  return freeSlug(tx, { table: 'event', slug: wanted, id })
}
