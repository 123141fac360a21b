import { isDeepStrictEqual } from 'node:util'
import { imageColumns } from '../../entries/image.ts'
import { publishedAtOf, resolveStatus } from '../../entries/publication.ts'
import { freeSlug } from '../../entries/slugs.ts'
import { restoredSlug, trashedSlug, trashMove } from '../../entries/trash.ts'
import type { EventState } from '../../event-store/copies.ts'
import { type EventRow, NO_LINKS } from '../../event-store/event-row.ts'
import { insertEvent, takeEventId, updateEvent } from '../../event-store/write.ts'
import { ticketsIn } from '../../fields/tickets.ts'
import { blankOf, storedOf } from '../../model/column.ts'
import { EVENT_COLUMNS, type EventValues } from '../../model/event.ts'
import type { Status } from '../../model/status.ts'
import type { Transaction } from '../../storage/engine.ts'
import { slugify } from '../../text/slug.ts'
import { utcFromMillis } from '../../time/zones.ts'
import { resolveLinks } from './links.ts'
import { parentProblem } from './parent.ts'
import { areSameTimes, type EventTimes, resolveTimes } from './rules.ts'
import { type EventChange, overtaken, type Writing } from './writing.ts'

/** Creates an event. */
export async function createEvent(tx: Transaction, change: EventChange, writing: Writing): Promise<EventRow> {
  const id = await takeEventId(tx)
  const links = await resolveLinks(tx, { change, stored: NO_LINKS, writing })
  const row = await resolveRow(tx, { id, stored: undefined, change, writing })
  await insertEvent(tx, { row, links }, { actor: writing.caller.id, action: 'create' })
  return row
}

/** Changes an event; a write that changes nothing leaves no trace (decisions: Round trip). */
export async function changeEvent(
  tx: Transaction,
  before: EventState,
  { change, writing }: { readonly change: EventChange; readonly writing: Writing },
): Promise<EventRow> {
  const links = await resolveLinks(tx, { change, stored: before.links, writing })
  const resolved = await resolveRow(tx, { id: before.row.id, stored: before.row, change, writing })
  const row = { ...resolved, revision: before.row.revision, modified_at: before.row.modified_at }
  if (isDeepStrictEqual({ ...row }, { ...before.row }) && isDeepStrictEqual(links, before.links)) return before.row
  const after = { row: { ...row, revision: row.revision + 1, modified_at: utcFromMillis(writing.now) }, links }
  const move = trashMove(before.row.status, row.status)
  const action = move === 'in' ? 'trash' : move === 'out' ? 'restore' : 'update'
  await updateEvent(tx, { before, after }, { actor: writing.caller.id, action })
  return after.row
}

/** Moves an event to the trash: its slug becomes free, its relations stay (wire: events 6; decisions: Trash). */
export async function removeToTrash(
  tx: Transaction,
  before: EventState,
  cause: { actor: number | null; at: string },
): Promise<EventRow> {
  const { row, links } = before
  const slug = await freeSlug(tx, { table: 'event', slug: trashedSlug(row.slug), id: row.id })
  const trashed: EventRow = {
    ...row,
    status: 'trash',
    trashed_from: row.status,
    slug,
    modified_at: cause.at,
    revision: row.revision + 1,
  }
  await updateEvent(tx, { before, after: { row: trashed, links } }, { actor: cause.actor, action: 'trash' })
  return trashed
}

interface RowQuestion {
  readonly id: number
  readonly stored: EventRow | undefined
  readonly change: EventChange
  readonly writing: Writing
}

async function resolveRow(tx: Transaction, { id, stored, change, writing }: RowQuestion): Promise<EventRow> {
  const { values } = change
  const nowUtc = utcFromMillis(writing.now)
  const orphaned = await parentProblem(tx, { caller: writing.caller, parent: values.post_parent, self: stored?.id })
  if (orphaned !== undefined) throw overtaken('post_parent', orphaned)
  const times = timesAfter(stored, change, writing)
  const published_at = publishedAtOf(values, writing.site.zone) ?? stored?.published_at ?? nowUtc
  const was = stored?.status
  const status = resolveStatus({
    caller: writing.caller,
    sent: values.status,
    stored: was,
    publishedAt: published_at,
    nowUtc,
  })
  const title = values.title ?? stored?.title ?? ''
  const slug = await resolveSlug(tx, { id, title, sent: values.slug, stored, status })
  return {
    ...(stored ?? BLANK),
    id,
    author_id: values.author ?? stored?.author_id ?? writing.caller.id,
    status,
    trashed_from: status === 'trash' ? (stored?.trashed_from ?? was ?? null) : null,
    slug,
    published_at,
    modified_at: nowUtc,
    title,
    ...times,
    ...contentOf(values),
    ...ticketsOf(values, times.timezone),
    ...(await imageColumns(tx, values.image, writing)),
    ...(writing.password !== undefined && { password_hash: writing.password }),
  }
}

/** When the event takes place: as it was resolved, unless another write has moved the event meanwhile. */
function timesAfter(stored: EventRow | undefined, { times, values }: EventChange, { site }: Writing): EventTimes {
  if (times !== undefined && areSameTimes(stored, times.over)) return times.times
  const resolved = resolveTimes(stored, values, site.zone)
  if (!resolved.ok) throw overtaken(resolved.name, resolved.reason)
  return resolved.times
}

/** An event of which nothing was sent. */
const BLANK = {
  trashed_from: null,
  description: '',
  excerpt: '',
  image_id: null,
  image_recorded: null,
  extra: null,
  revision: 1,
  ...blankOf(EVENT_COLUMNS),
} as const

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
  if (made === undefined) throw overtaken('tickets', 'bad_sale')
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
  const made = slugify(title)
  const base = sent ?? (stored === undefined ? (made === '' ? String(id) : made) : stored.slug)
  const hides = move === 'in' || (status === 'trash' && sent !== undefined)
  const wanted = hides ? trashedSlug(base) : move === 'out' ? restoredSlug(base) : base
  if (wanted === stored?.slug) return wanted
  return freeSlug(tx, { table: 'event', slug: wanted, id })
}
