import { fail } from '../../base/errors.ts'
import type { Reader, Storage, Transaction } from '../engine.ts'

/** Key of the row in `meta` that a database has from the first row of a move until all were found equal. */
export const MARKER_KEY = 'move'

/** What a database records about an unfinished move into it. */
export interface Marker {
  /** Where the rows come from. */
  readonly source: string
  /**
   * The state of the source when the move began, see `stateOf`; '' when its rows and those here were found to differ.
   */
  readonly state: string
}

/** The mark of a move that has not ended; undefined in a calendar. */
export async function readMarker(reader: Reader): Promise<Marker | undefined> {
  const row = await reader.first(reader.db.selectFrom('meta').select('value').where('key', '=', MARKER_KEY))
  return row && (JSON.parse(row.value) as Marker)
}

/** Marks a database, also one that has a mark. */
export async function writeMarker(tx: Transaction, marker: Marker): Promise<void> {
  await removeMarker(tx)
  await tx.run(tx.db.insertInto('meta').values({ key: MARKER_KEY, value: JSON.stringify(marker) }))
}

/** Takes the mark away: the database is a calendar. */
export async function removeMarker(tx: Transaction): Promise<void> {
  await tx.run(tx.db.deleteFrom('meta').where('key', '=', MARKER_KEY))
}

/**
 * Refuses a database that is only a part of a calendar.
 * @throws move_unfinished
 */
export async function assertWhole(storage: Storage): Promise<void> {
  const marker = await readMarker(storage)
  if (marker !== undefined) throw fail('move_unfinished', { database: storage.location, source: marker.source })
}
