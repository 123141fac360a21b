import { fail } from '../../base/errors.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import type { RawInput } from '../../http/request/body.ts'
import { historyOf } from '../../storage/journal/read.ts'
import { keepRemoved, removedItem } from '../../storage/removed-items.ts'
import type { TrashRow } from '../../storage/trash.ts'
import { KEPT_EVENTS, saveState } from '../history/restore.ts'
import { startText } from '../moments.ts'
import type { PageRequest } from '../page-request.ts'
import { seriesOf } from '../series.ts'

/** What restores one date of a series. */
interface KeptDate {
  readonly status: string
}

/** What restores the dates of a series from one on: its revision without them. */
interface KeptDates {
  readonly revision: number
}

/** Notes that dates of a series, as it was before, were taken out: one of them, or all from that one on. */
export async function keepDates(request: PageRequest, item: RawInput, kind: 'date' | 'dates'): Promise<void> {
  const { deps, incoming } = request
  const series = seriesOf(item)?.id ?? Number(item['id'])
  const item_id = kind === 'date' ? Number(item['id']) : series
  const [last] = await historyOf(deps.storage, { resource: 'event', id: series, limit: 1 })
  const kept: KeptDate | KeptDates =
    kind === 'date' ? { status: String(item['status']) } : { revision: last?.revision ?? 0 }
  const title = `${String(item['title'] ?? '')} (${startText(request, item) ?? ''})`
  const by = { actor: incoming.caller.id, author_id: Number(item['author'] ?? 0), at: utcFromMillis(incoming.now) }
  await deps.storage.write((tx) => keepRemoved(tx, { kind, item_id, title, ...by, kept }))
}

/** Puts a date of a series back. @throws what the API refuses */
export async function restoreDate(request: PageRequest, { id, item_id }: TrashRow): Promise<void> {
  const { deps, incoming } = request
  const kept = await removedItem<KeptDate>(deps.storage, { id, kind: 'date', now: incoming.now })
  const body = { status: kept?.status ?? 'draft', scope: 'this' }
  await deps.api(incoming, { method: 'POST', path: `/events/${item_id}`, body })
}

/**
 * Puts the dates of a series from one on back, with what they had for themselves.
 * @throws precondition_failed where the series was changed since: its history still has the earlier version
 */
export async function restoreDates(request: PageRequest, { id, item_id }: TrashRow): Promise<void> {
  const { deps, incoming } = request
  const kept = await removedItem<KeptDates>(deps.storage, { id, kind: 'dates', now: incoming.now })
  const [present, wanted] = await historyOf(deps.storage, { resource: 'event', id: item_id, limit: 2 })
  const isSame = kept !== undefined && present?.revision === kept.revision
  if (!isSame || wanted === undefined || wanted.snapshot === null) throw fail('precondition_failed')
  await saveState(request, KEPT_EVENTS, { wanted, present })
}
