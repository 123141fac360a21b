import { type SqlBool, sql } from 'kysely'
import { fail } from '../../base/errors.ts'
import { fold } from '../../base/text/fold.ts'
import { addToLocal } from '../../base/time/zones.ts'
import { type Caller, mayEdit, mayRead } from '../../http/auth/rights.ts'
import type { Reader, Transaction } from '../../storage/engine.ts'
import { type GivenAll, operand, statementTemplate } from '../../storage/statement-template.ts'
import { type EventLinks, type EventRow, linksOf, NO_LINKS, sourceOf } from './event-row.ts'

/** Duplicates that an error names. */
const NAMED = 5

/** Seconds by which the clocks of two zones differ at most. */
const CLOCKS = 26 * 3600

/** An event, or a date of one, that starts at the same moment. */
interface SameStart {
  readonly id: number
  /** The row of `event` whose title and venues it has. */
  readonly event: number
  readonly title: string
  readonly status: string
  readonly author: number
  /** 1 where a password protects it. */
  readonly locked: number
}

/**
 * Refuses an event that the transaction has just created if it has the title and start of another one which the caller may
 * read, or its venue and start. Where a password hides the venue, the title alone counts. @throws possible_duplicate
 */
export async function refuseDuplicate(
  tx: Transaction,
  caller: Caller,
  { row, links }: { readonly row: EventRow; readonly links?: EventLinks },
): Promise<void> {
  const { id, start_utc: start, start_local: local } = row
  const around = { from: addToLocal(local, { seconds: -CLOCKS }), to: addToLocal(local, { seconds: CLOCKS }) }
  const all = await tx.all(startingWith(tx, { shape: null, values: { id, start, ...around } }))
  const readable = all.filter(({ author, status }) => mayRead(caller, { authorId: author, status }))
  const venues = new Set((links ?? (await linksOf(tx, [sourceOf(row)])).get(sourceOf(row)) ?? NO_LINKS).venue)
  const open = readable.filter(
    ({ locked, author, status }) => locked === 0 || mayEdit(caller, { authorId: author, status }),
  )
  const placed = venues.size === 0 ? new Map() : await linksOf(tx, [...new Set(open.map(({ event }) => event))])
  const title = fold(row.title)
  const isAlike = (one: SameStart): boolean =>
    fold(one.title) === title || (placed.get(one.event) ?? NO_LINKS).venue.some((venue: number) => venues.has(venue))
  const ids = readable.filter(isAlike).map((one) => one.id)
  if (ids.length > 0) throw fail('possible_duplicate', {}, { params: { ids: ids.slice(0, NAMED) } })
}

interface Asked {
  /** The new event, which is left out with all its dates. */
  readonly id: number
  /** UTC text. */
  readonly start: string
  /** Wall clock readings around it: beyond the clocks of all zones. */
  readonly from: string
  readonly to: string
}

/** Events outside of the trash, by the index of starts on their own clocks. */
const startingWith = statementTemplate((reader: Reader, _shape: null, { id, start, from, to }: GivenAll<Asked>) =>
  reader.db
    .selectFrom('occurrence')
    .innerJoin('event', 'event.id', 'occurrence.event_id')
    .select((row) => [
      'occurrence.id',
      'event.id as event',
      'event.title',
      'occurrence.status',
      'occurrence.author_id as author',
      row.case().when('event.password_hash', 'is', null).then(0).else(1).end().as('locked'),
    ])
    .where('occurrence.listed', 'in', [0, 1])
    .where('occurrence.start_local', '>=', operand(from))
    .where('occurrence.start_local', '<=', operand(to))
    .where('occurrence.start_utc', '=', operand(start))
    .where('occurrence.status', '!=', 'trash')
    .where('occurrence.event_id', '!=', operand(id))
    .where(
      sql<SqlBool>`not exists (select 1 from series_date where series_date.id = occurrence.id and series_date.position = 0)`,
    )
    .orderBy('occurrence.id'),
)
