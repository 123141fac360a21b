import { isDeepStrictEqual } from 'node:util'
import { fold } from '../../base/text/fold.ts'
import { textOfHtml } from '../../base/text/html.ts'
import { spanClass } from '../../base/time/ranges.ts'
import type { Reader, Transaction } from '../../storage/engine.ts'
import { rowsFrom } from '../../storage/row-writes.ts'
import { COUNT_LEVEL, LINK_KIND, type OccurrenceLinkTable, type OccurrenceTable, TRAIT } from '../../storage/schema.ts'
import { type GivenAll, statementTemplate } from '../../storage/statement-template.ts'
import { type EventLinks, type EventRow, NO_LINKS } from './event-row.ts'

/** The stored state of an event. */
export interface EventState {
  readonly row: EventRow
  readonly links: EventLinks
}

/** The part of an event that decides which lists it is on. */
export interface ListedState {
  readonly row: Pick<EventRow, (keyof OccurrenceTable & keyof EventRow) | 'hide_from_listings' | 'tickets'>
  readonly links: EventLinks
}

/** The kinds of what events are linked to. */
export const KINDS = ['venue', 'organizer', 'category', 'tag'] as const

/** The rows for lists that follow from an event. */
export interface Occurrences {
  readonly occurrence: OccurrenceTable
  /** By kind of target; those of categories are also those of all categories above them. */
  readonly occurrenceLinks: readonly OccurrenceLinkTable[]
}

/**
 * The copies of an event for lists; a plain event has one occurrence, with the same ID. `categories` includes all
 * ancestors.
 */
export function occurrencesOf({ row, links }: ListedState, categories: readonly number[]): Occurrences {
  const { id, start_local, end_local, start_utc, end_utc, published_at, status, author_id, featured } = row
  const listed = row.hide_from_listings === 1 ? 0 : 1
  const span = spanClass(start_local, end_local)
  const when = { start_local, end_local, start_utc, end_utc, span }
  const order = { listed, status, start_local, published_at }
  const traits = [
    row.featured === 1 ? TRAIT.featured : undefined,
    row.tickets === null ? undefined : TRAIT.ticketed,
  ].filter((trait) => trait !== undefined)
  const targets = { ...links, category: categories, trait: traits }
  return {
    occurrence: { id, event_id: id, ...when, published_at, status, listed, author_id, featured },
    occurrenceLinks: [...KINDS, 'trait' as const].flatMap((kind) =>
      targets[kind].map((target_id) => ({
        kind: LINK_KIND[kind],
        target_id,
        ...order,
        occurrence_id: id,
        event_id: id,
      })),
    ),
  }
}

/** Whether lists read the same of two states: what is above their categories is the same where these are. */
export function areListedAlike(one: ListedState, other: ListedState): boolean {
  return isDeepStrictEqual(occurrencesOf(one, one.links.category), occurrencesOf(other, other.links.category))
}

/** Whether public lists gain, lose or reorder events through a change; undefined where the event is on none. */
export function isRelisted(before: Occurrences | undefined, after: Occurrences | undefined): boolean {
  return (isListed(before) || isListed(after)) && !isDeepStrictEqual(before, after)
}

function isListed(copies: Occurrences | undefined): boolean {
  return copies?.occurrence.status === 'publish' && copies.occurrence.listed === 1
}

/** The relations that count: a term's count is of published events. */
export function publicLinks({ row, links }: ListedState): EventLinks {
  return row.status === 'publish' ? links : NO_LINKS
}

/**
 * The text that public searches cover. For a protected event that is the title, so that no search reveals what is
 * hidden.
 */
export function searchTextOf(row: EventRow): string {
  return row.password_hash === null ? wholeTextOf(row) : fold(row.title)
}

/** The text that searches of the editors of a protected event cover; undefined for other events. */
export function hiddenTextOf(row: EventRow): string | undefined {
  return row.password_hash === null ? undefined : wholeTextOf(row)
}

function wholeTextOf({ title, description, excerpt }: EventRow): string {
  return [title, textOfHtml(description), textOfHtml(excerpt)].map(fold).join('\n')
}

/** The row for the journal: with its relations and without its secret. */
export function snapshotOfEvent(row: EventRow, links: EventLinks): object {
  // Undefined members are not stored; leaving one out would copy the others one by one.
  return { ...row, password_hash: undefined, has_password: row.password_hash !== null, links }
}

/** A change of one counter of `event_count`. */
type CountChange = {
  readonly kind: number
  readonly target_id: number
  readonly status: string
  readonly level: number
  readonly period: string
  readonly starts: number
  readonly ends: number
}

const COLUMNS = {
  kind: 'integer',
  target_id: 'integer',
  status: 'text',
  level: 'integer',
  period: 'text',
  starts: 'integer',
  ends: 'integer',
} as const

const KEY = ['kind', 'target_id', 'status', 'level', 'period'] as const

/** Occurrences as they were and as they are. */
interface OccurrencesChange {
  readonly before: readonly Occurrences[]
  readonly after: readonly Occurrences[]
}

/** Moves the counters from occurrences as they were to what they are. */
export async function moveCounts(tx: Transaction, { before, after }: OccurrencesChange): Promise<void> {
  const changes = countChanges(before, after)
  if (changes.length === 0) return
  await tx.run(moved(tx, { shape: null, values: { changes } }))
}

const moved = statementTemplate(
  (reader: Reader, _shape: null, { changes }: GivenAll<{ readonly changes: readonly CountChange[] }>) =>
    reader.db
      .insertInto('event_count')
      .columns([...KEY, 'starts', 'ends'])
      .expression(rowsFrom(reader.engine, COLUMNS, changes))
      .onConflict((conflict) =>
        conflict.columns([...KEY]).doUpdateSet((row) => ({
          starts: row('event_count.starts', '+', row.ref('excluded.starts')),
          ends: row('event_count.ends', '+', row.ref('excluded.ends')),
        })),
      ),
)

/** The changes to the counters, ordered by key, so that two concurrent writes cannot deadlock. */
function countChanges(before: readonly Occurrences[], after: readonly Occurrences[]): CountChange[] {
  const changes = new Map<string, CountChange>()
  for (const [occurrences, step] of [
    [before, -1],
    [after, 1],
  ] as const) {
    for (const edge of occurrences.flatMap(edgesOf)) {
      const key = keyOf(edge)
      const { starts = 0, ends = 0 } = changes.get(key) ?? {}
      changes.set(key, { ...edge, starts: starts + step * edge.starts, ends: ends + step * edge.ends })
    }
  }
  const changed = [...changes].filter(([, { starts, ends }]) => starts !== 0 || ends !== 0)
  return changed.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, change]) => change)
}

function keyOf({ kind, target_id, status, level, period }: CountChange): string {
  return `${kind} ${target_id} ${status} ${level} ${period}`
}

/** Start and end of an event in every counter that counts them; none when lists do not show it. */
function edgesOf({ occurrence, occurrenceLinks }: Occurrences): CountChange[] {
  const { listed, status, start_local, end_local } = occurrence
  if (listed === 0) return []
  const periods = LEVELS.flatMap(({ level, length }) => {
    const [first, last] = [start_local.slice(0, length), end_local.slice(0, length)]
    // Most events end in the period in which they start.
    if (first === last) return [{ level, period: first, starts: 1, ends: 1 }]
    return [
      { level, period: first, starts: 1, ends: 0 },
      { level, period: last, starts: 0, ends: 1 },
    ]
  })
  return [EVERYTHING, ...occurrenceLinks].flatMap(({ kind, target_id }) =>
    periods.map(({ level, period, starts, ends }) => ({ kind, target_id, status, level, period, starts, ends })),
  )
}

/** The target of the counters of all events. */
const EVERYTHING = { kind: 0, target_id: 0 }

/** The periods of counters, and how many characters of a clock reading name one. */
const LEVELS = [
  { level: COUNT_LEVEL.month, length: 7 },
  { level: COUNT_LEVEL.day, length: 10 },
] as const
