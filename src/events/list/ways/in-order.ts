import { sql } from 'kysely'
import { operand } from '../../../storage/statement-template.ts'
import type { SentFilter } from '../filters.ts'
import { type BuiltList, matching, type Way } from './way.ts'

/**
 * Reads all events in the order of the list until there are enough. Where a filter names the events themselves, they are
 * read by their ids and listed in the order of their publication.
 */
export function inOrder(list: BuiltList, sent: readonly SentFilter[]): Way {
  const byId = sent.find(({ filter }) => filter.isById)
  return {
    answers: byId === undefined ? [] : [byId.filter.name],
    tellsTotal: false,
    page: (reader) => {
      const rows = matching(reader, list, sent)
        .select('occurrence.event_id')
        .limit(operand(list.limit))
        .offset(operand(list.offset))
      const ordered = byId === undefined ? rows.orderBy(sql.ref('occurrence.start_local')) : rows
      return ordered.orderBy('occurrence.published_at').orderBy('occurrence.id')
    },
    total: (reader) => matching(reader, list, sent).select((row) => row.fn.countAll<number>().as('total')),
  }
}
