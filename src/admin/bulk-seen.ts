import { fail } from '../base/errors.ts'
import type { RawInput } from '../http/request/body.ts'
import type { Reader } from '../storage/engine.ts'
import { hasChangedSince } from '../storage/journal/read.ts'
import { insideTransaction } from '../storage/reads.ts'
import { type BulkList, type ChosenItem, callFor } from './bulk-call.ts'
import type { PageRequest } from './page-request.ts'
import { seriesOf } from './series.ts'

/**
 * Refuses an item, as it is `now`, that has changed since its page was shown, up to the change `seen`: lists show each
 * date of a series, and the journal names them all by their event. @throws precondition_failed
 */
export async function refuseUnseen(
  reader: Reader,
  { resource }: BulkList,
  { now, seen }: { readonly now: RawInput; readonly seen: number },
): Promise<void> {
  const since = { resource, id: seriesOf(now)?.id ?? Number(now['id']), seq: seen }
  if (await hasChangedSince(reader, since)) throw fail('precondition_failed')
}

/** Publishes an item of a list unless it is a date of a series that is public. @throws precondition_failed where it has changed since it was shown */
export async function publishSeen(
  { deps, incoming }: PageRequest,
  list: BulkList,
  { chosen, seen }: { readonly chosen: ChosenItem; readonly seen: number },
): Promise<void> {
  const path = `/${list.collection}/${chosen.id}`
  await deps.storage.write((tx) =>
    insideTransaction(tx, async () => {
      const now = (await deps.api(incoming, { path })).body as RawInput
      // The first date of a series has published all of them.
      if (now['status'] === 'publish' && seriesOf(now) !== undefined) return
      await refuseUnseen(deps.storage, list, { now, seen })
      await deps.api(incoming, callFor(list, 'publish', chosen))
    }),
  )
}
