import { type ItemVersion, itemVersion } from '../../http/route/preconditions.ts'
import type { TermKey } from '../../model/resource.ts'
import type { Reader } from '../../storage/engine.ts'
import { changedAt } from '../../storage/journal/read.ts'
import type { Term } from './tables.ts'

/** For terms whose date of change is unknown. */
const LONG_AGO = '1970-01-01 00:00:00'

/**
 * The version of a term, without its number of events. `now` is the moment, UTC text, of the write that has just made
 * this revision: the journal gets it at the end of the transaction.
 */
export async function termVersion(
  reader: Reader,
  { key, term, now = LONG_AGO }: { readonly key: TermKey; readonly term: Term; readonly now?: string },
): Promise<ItemVersion> {
  const { id, revision } = term
  const modified = (await changedAt(reader, { resource: key, id, revision })) ?? now
  return itemVersion(`${key} ${id}:${revision}`, modified)
}
