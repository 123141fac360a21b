import type { Reader, Transaction } from './engine.ts'
import { insertRow, rowsFrom } from './row-writes.ts'
import { type GivenAll, operand, statementTemplate } from './statement-template.ts'

/** The kinds of entries that share one counter of IDs; `occurrence` is a further date of a recurring event. */
export type EntryKind = 'event' | 'venue' | 'organizer' | 'media' | 'occurrence' | 'ticket'

/** The kinds of terms that share one counter of IDs. */
export type Taxonomy = 'category' | 'tag'

// Rows of `entry` and `term` are never removed, even if the item is permanently deleted: that keeps an ID from being
// reused, and distinguishes an ID of another kind from one that never existed.

/** Takes the next ID of events, venues, organizers and media. */
export async function nextEntryId(tx: Transaction, kind: EntryKind): Promise<number> {
  const id = await advance(tx, 'entry')
  await insertRow(tx, 'entry', { id, kind })
  return id
}

/** Takes so many next IDs at once, ascending. */
export async function nextEntryIds(tx: Transaction, kind: EntryKind, count: number): Promise<number[]> {
  if (count === 0) return []
  const last = await tx.first(
    tx.db
      .updateTable('counter')
      .set((eb) => ({ value: eb('value', '+', count) }))
      .where('name', '=', 'entry')
      .returning('value'),
  )
  if (!last) throw new Error('the database has no counter "entry"')
  const ids = Array.from({ length: count }, (_none, index) => last.value - count + 1 + index)
  const rows = ids.map((id) => ({ id, kind }))
  const source = rowsFrom(tx.engine, { id: 'integer', kind: 'text' }, rows)
  await tx.run(tx.db.insertInto('entry').columns(['id', 'kind']).expression(source))
  return ids
}

/** Takes the next ID of categories and tags. */
export async function nextTermId(tx: Transaction, taxonomy: Taxonomy): Promise<number> {
  const id = await advance(tx, 'term')
  await tx.run(tx.db.insertInto('term').values({ id, taxonomy }))
  return id
}

/** Takes the next ID of users. */
export function nextUserId(tx: Transaction): Promise<number> {
  return advance(tx, 'user')
}

/** Takes the next ID of application passwords. */
export function nextApplicationPasswordId(tx: Transaction): Promise<number> {
  return advance(tx, 'application_password')
}

/**
 * Takes a certain ID, for an import; the counter moves on when it was behind. False, and nothing is changed, when the
 * ID was ever used by an entry of any kind or is no whole number from 1 to 2,000,000,000.
 */
export async function claimEntryId(tx: Transaction, kind: EntryKind, id: number): Promise<boolean> {
  if (!isIdentifier(id)) return false
  await moveOn(tx, 'entry', id)
  const { changes } = await tx.run(
    tx.db
      .insertInto('entry')
      .values({ id, kind })
      .onConflict((conflict) => conflict.doNothing()),
  )
  return changes === 1
}

/** Takes a certain ID for a category or tag, as `claimEntryId` does for entries. */
export async function claimTermId(tx: Transaction, taxonomy: Taxonomy, id: number): Promise<boolean> {
  if (!isIdentifier(id)) return false
  await moveOn(tx, 'term', id)
  const { changes } = await tx.run(
    tx.db
      .insertInto('term')
      .values({ id, taxonomy })
      .onConflict((conflict) => conflict.doNothing()),
  )
  return changes === 1
}

/** Moves the counter on behind IDs that an import is going to claim, so that no next ID is one of them. */
export function leaveRoom(tx: Transaction, counter: 'entry' | 'term', ids: readonly number[]): Promise<void> {
  return moveOn(
    tx,
    counter,
    ids.filter(isIdentifier).reduce((highest, id) => Math.max(highest, id), 0),
  )
}

type CounterName = 'entry' | 'term' | 'user' | 'application_password'

const advanced = statementTemplate((reader: Reader, _shape: null, { name }: GivenAll<{ readonly name: CounterName }>) =>
  reader.db
    .updateTable('counter')
    .set((eb) => ({ value: eb('value', '+', 1) }))
    .where('name', '=', operand(name))
    .returning('value'),
)

async function advance(tx: Transaction, name: CounterName): Promise<number> {
  const row = await tx.first(advanced(tx, { shape: null, values: { name } }))
  if (!row) throw new Error(`the database has no counter "${name}"`)
  return row.value
}

/** A used ID is never above the counter, so this changes nothing when the claim is going to be refused. */
async function moveOn(tx: Transaction, name: CounterName, id: number): Promise<void> {
  await tx.run(tx.db.updateTable('counter').set({ value: id }).where('name', '=', name).where('value', '<', id))
}

/** Leaves room for further IDs below 2^31, the limit of the columns on PostgreSQL. */
const HIGHEST_CLAIM = 2_000_000_000

function isIdentifier(id: number): boolean {
  return Number.isInteger(id) && id > 0 && id <= HIGHEST_CLAIM
}
