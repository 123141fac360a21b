import type { Transaction } from '../../../storage/engine.ts'
import type { EventState } from '../../event-store/copies.ts'
import { seriesState } from '../../event-store/series/state.ts'
import { type SeriesCause, writeSeries } from '../../event-store/series/write.ts'
import { updateEvent } from '../../event-store/write.ts'
import { following } from '../series/dates.ts'

/** Gives an event to another user, with all its dates where it recurs. Its date of modification stays. */
export async function passOnEvent(
  tx: Transaction,
  { state, author_id }: { readonly state: EventState; readonly author_id: number },
  { actor, at }: Pick<SeriesCause, 'actor' | 'at'>,
): Promise<void> {
  const { row, links } = state
  if (row.recurrence === null) {
    const after = { row: { ...row, author_id, revision: row.revision + 1 }, links }
    await updateEvent(tx, { before: state, after }, { actor, action: 'update', at })
    return
  }
  const before = await seriesState(tx, row)
  const after = following({ ...before, base: { ...before.base, row: { ...before.base.row, author_id } } })
  await writeSeries(tx, { before, after, cause: { actor, action: 'update', at, modified: row.modified_at } })
}
