import { operand } from '../../../../storage/statement-template.ts'
import type { ActiveEventFilter } from '../filters.ts'
import { sortingOf } from './order.ts'
import { matching, type Way } from './way.ts'

const COLUMNS = ['occurrence.start_local', 'occurrence.published_at', 'occurrence.id'] as const

/**
 * Reads all events in the order of the list until there are enough. Where a filter names the events themselves, they are
 * read by their ids and, unless the list says otherwise, listed in the order of their publication.
 */
export function inOrder(sent: readonly ActiveEventFilter[]): Way {
  const byId = sent.find(({ filter }) => filter.isById)
  return {
    covers: byId === undefined ? [] : [byId.filter.name],
    tellsTotal: false,
    page: (reader, list) => {
      const rows = matching(reader, list, sent)
        .select(['occurrence.id', 'occurrence.start_local'])
        .limit(operand(list.limit))
        .offset(operand(list.offset))
      if (byId === undefined || list.order !== undefined)
        return rows.orderBy(sortingOf(reader.engine, list, { columns: COLUMNS }).orderBy)
      return rows.orderBy('occurrence.published_at').orderBy('occurrence.id')
    },
    total: (reader, list) => matching(reader, list, sent).select((row) => row.fn.countAll<number>().as('total')),
  }
}
