import type { RawInput } from '../../http/request/body.ts'
import type { TrashKey } from '../../storage/trash.ts'
import type { BulkList, ChosenItem } from '../bulk-call.ts'
import { KINDS } from '../item-kinds.ts'
import type { PageRequest } from '../page-request.ts'
import { seriesOf } from '../series.ts'
import { keyOf } from './moved.ts'
import { keepDates } from './series.ts'

/** Moves an item of a list to the trash, of a series those dates that are chosen. @throws what the API refuses */
export async function moveToTrash(
  request: PageRequest,
  { collection }: Pick<BulkList, 'collection'>,
  { id, scope }: Pick<ChosenItem, 'id' | 'scope'>,
): Promise<TrashKey | undefined> {
  const { deps, incoming } = request
  const path = `/${collection}/${id}`
  if (collection !== 'events') {
    await deps.api(incoming, { method: 'DELETE', path })
    const kind = KINDS.find((one) => one.collection === collection)?.resource
    return kind === undefined ? undefined : keyOf(request, kind, Number(id))
  }
  const item = scope === '' ? {} : ((await deps.api(incoming, { path })).body as RawInput)
  await deps.api(incoming, { method: 'DELETE', path, query: scope === '' ? {} : { scope } })
  const series = seriesOf(item)
  if (scope !== 'this' && (scope !== 'following' || series?.isFirst !== false))
    return { kind: 'event', id: series?.id ?? Number(id) }
  const kind = scope === 'this' ? 'date' : 'dates'
  await keepDates(request, item, kind)
  return keyOf(request, kind, kind === 'date' ? Number(id) : (series?.id ?? 0))
}
