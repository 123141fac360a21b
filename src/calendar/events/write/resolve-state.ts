import { slugify } from '../../../base/text/slug.ts'
import { storedOf } from '../../../model/column.ts'
import { BLANK_EVENT, EVENT_COLUMNS, type EventValues } from '../../../model/event.ts'
import type { TermRef } from '../../../model/kinds/term-list.ts'
import { ticketsIn } from '../../../model/kinds/tickets.ts'
import type { Status } from '../../../model/status.ts'
import type { Transaction } from '../../../storage/engine.ts'
import type { EntryColumns } from '../../../storage/schema.ts'
import type { EventLinks, EventRow } from '../../event-store/event-row.ts'
import { imageColumns } from '../../shared/image.ts'
import type { LinkedLookup } from '../../shared/linked/lookup.ts'
import { publishedAtOf, resolveStatus } from '../../shared/publication.ts'
import { freeSlug } from '../../shared/slugs.ts'
import { restoredSlug, statusBeforeTrash, trashedSlug, trashMove } from '../../shared/trash.ts'
import type { TermLookup } from '../../terms/index.ts'
import { isShown, type KnownRelations } from '../show/load.ts'
import { refuseUndeclared } from './declared.ts'
import { parentProblem } from './parent.ts'
import { areSameTimes, attendanceAfter, type EventTimes, keepHidden, resolveTimes } from './rules.ts'
import { type EventChange, type LinkTarget, staleParameter, type Writing } from './writing.ts'

/** What the row of an event is made of by a write. */
interface RowQuestion {
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

/** The slug after a write: sent, else kept, else made from the title; the ID where nothing remains of that. */
async function resolveSlug(tx: Transaction, { id, title, sent, stored, status }: SlugQuestion): Promise<string> {
  const move = trashMove(stored?.status, status)
  const base = sent ?? stored?.slug ?? (slugify(title) || String(id))
  const hides = move === 'in' || (status === 'trash' && sent !== undefined)
  const wanted = hides ? trashedSlug(base) : move === 'out' ? restoredSlug(base) : base
  if (wanted === stored?.slug) return wanted
  return freeSlug(tx, { table: 'event', slug: wanted, id })
}

interface LinksQuestion {
  readonly change: EventChange
  readonly stored: EventLinks
  readonly writing: Writing
}

/** What an event links to after a write, with what the write has found out about it. */
interface ResolvedLinks extends Required<KnownRelations> {
  readonly links: EventLinks
}

/** What an event links to after a write; new linked items and terms are created in the same transaction. */
export async function resolveLinks(tx: Transaction, question: LinksQuestion): Promise<ResolvedLinks> {
  const { change, stored, writing } = question
  const { lookups } = writing
  const made = new Set<number>()
  const linking = { made, writing }
  const venue = await resolveLinked(tx, {
    ...linking,
    ...{ name: 'venue', lookup: lookups.venue, sent: change.venue, stored: stored.venue },
  })
  const organizer = await resolveLinked(tx, {
    ...linking,
    ...{ name: 'organizer', lookup: lookups.organizer, sent: change.organizer, stored: stored.organizer },
  })
  const category = await storeTerms(tx, {
    ...{ name: 'categories', lookup: lookups.category, sent: change.category, stored: stored.category, writing },
  })
  const tag = await storeTerms(tx, {
    ...{ name: 'tags', lookup: lookups.tag, sent: change.tag, stored: stored.tag, writing },
  })
  const links = { venue: venue.ids, organizer: organizer.ids, category, tag }
  return { links, made, venues: venue.rows, organizers: organizer.rows }
}

interface LinkedQuestion<Row extends EntryColumns, Draft> {
  readonly name: 'venue' | 'organizer'
  readonly lookup: LinkedLookup<Row, Draft>
  readonly sent: readonly LinkTarget<Draft>[] | undefined
  readonly stored: readonly number[]
  readonly writing: Writing
  /** The IDs of items that are made on the way are added here. */
  readonly made: Set<number>
}

/** The IDs that are linked, and the rows that were read or made of them; none where none were sent. */
async function resolveLinked<Row extends EntryColumns, Draft>(
  tx: Transaction,
  { name, lookup, sent, stored, writing, made }: LinkedQuestion<Row, Draft>,
): Promise<{ readonly ids: readonly number[]; readonly rows?: ReadonlyMap<number, Row> }> {
  if (sent === undefined) return { ids: stored }
  const saved = new Map<number, Row>()
  const ids: number[] = []
  for (const target of sent) {
    if (target.by === 'data') {
      const { row, isNew } = await lookup.saveInline(tx, target.draft, writing)
      saved.set(row.id, row)
      if (isNew) made.add(row.id)
      ids.push(row.id)
    } else ids.push(target.id)
  }
  const others = [...ids, ...stored].filter((id) => !saved.has(id))
  const rows = others.length === 0 ? saved : new Map([...(await lookup.byIds(tx, others)), ...saved])
  if (ids.some((id) => !rows.has(id))) throw staleParameter(name, 'unknown_id')
  const hidden = stored.filter((id) => {
    const row = rows.get(id)
    return row !== undefined && !isShown(row, writing)
  })
  return { ids: keepHidden(ids, stored, new Set(hidden)), rows }
}

interface TermsQuestion {
  readonly name: 'categories' | 'tags'
  readonly lookup: TermLookup
  readonly sent: readonly TermRef[] | undefined
  readonly stored: readonly number[]
  readonly writing: Writing
}

/** The IDs of the named terms; names that no term has yet become terms (decisions: Link shapes). */
async function storeTerms(
  tx: Transaction,
  { name, lookup, sent, stored, writing }: TermsQuestion,
): Promise<readonly number[]> {
  if (sent === undefined) return stored
  const wanted = sent.flatMap((ref) => (ref.by === 'id' ? [ref.id] : []))
  const known = new Set((await lookup.byIds(tx, wanted)).map((term) => term.id))
  if (wanted.some((id) => !known.has(id))) throw staleParameter(name, 'unknown_id')
  const writer = { actor: writing.caller.id, at: writing.at }
  const named = new Set<number>()
  for (const ref of sent) {
    if (ref.by === 'id') named.add(ref.id)
    else {
      const found = (await lookup.find(tx, [ref.text])).get(ref.text)
      named.add(found ?? (await lookup.create(tx, { name: ref.text, ...writer })).id)
    }
  }
  // Events show their terms by name: the same ones in another order are no change (decisions: Round trip).
  const isSame = named.size === stored.length && stored.every((id) => named.has(id))
  return isSame ? stored : [...named]
}
