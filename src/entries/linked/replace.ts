import { isDeepStrictEqual } from 'node:util'
import type { AnyField } from '../../fields/field.ts'
import { record } from '../../journal/append.ts'
import type { Transaction } from '../../storage/engine.ts'
import { setLineage, setSearchText } from '../../storage/entry-texts.ts'
import { updateLinked } from '../../storage/linked-rows.ts'
import { fold } from '../../text/fold.ts'
import { trashMove } from '../trash.ts'
import type { LinkedRoom } from './room.ts'
import type { LinkedContent, LinkedRow } from './row.ts'
import { searchTextOf, statusOf } from './rules.ts'

/** A row with the global ids of other sites under which it is known. */
export interface WithLineage<Row> {
  readonly row: Row
  /** In order; `[]` when there are none. */
  readonly lineage: readonly string[]
}

/** A row as it is and as an import wants it; revision and folded name of `after` do not matter. */
export interface Replacement<Content extends LinkedContent> {
  readonly before: WithLineage<LinkedRow<Content>>
  readonly after: WithLineage<LinkedRow<Content>>
  /** User who causes it; null for the program itself. */
  readonly actor: number | null
  /** Moment of the change, UTC text; the date of modification is that of `after`. */
  readonly at: string
}

/** Stores a row as an import wants it, with search text, lineage and journal entry; false, and no trace, when nothing differs. */
export async function replaceLinked<Content extends LinkedContent>(
  tx: Transaction,
  room: Pick<LinkedRoom<readonly AnyField[], Content>, 'key' | 'columns' | 'searched'>,
  { before, after, actor, at }: Replacement<Content>,
): Promise<boolean> {
  const { revision, id } = before.row
  const row = { ...after.row, id, revision, name_folded: fold(after.row.name) }
  const isKnown = isDeepStrictEqual(after.lineage, before.lineage)
  if (isKnown && isDeepStrictEqual({ ...row }, { ...before.row })) return false
  const next = { ...row, revision: revision + 1 }
  await updateLinked(tx, room.key, next)
  await setSearchText(tx, { id, body: searchTextOf(room, next) })
  if (!isKnown) await setLineage(tx, { id, globalIds: after.lineage })
  const move = trashMove(statusOf(before.row), statusOf(next))
  const action = move === 'in' ? 'trash' : move === 'out' ? 'restore' : 'update'
  record(tx, { actor, at, resource: room.key, id, revision: next.revision, action, snapshot: next })
  return true
}
