import { rarely } from '../../../../storage/expressions.ts'
import { operand } from '../../../../storage/statement-template.ts'
import { SPANS, spanConditions } from '../bounds.ts'
import type { ActiveEventFilter } from '../filters.ts'
import { orderByStart } from './order.ts'
import { matching, totalOf, type Way } from './way.ts'

/** Reads what ends after a moment: each length class in order from its own bound, and the classes are merged. */
export function byLength(sent: readonly ActiveEventFilter[]): Way {
  return {
    covers: [],
    tellsTotal: false,
    page: (reader, list) => {
      const { ends_after: endsAfter, ...bounds } = list.query.bounds
      if (endsAfter === undefined) throw new Error('the list has no bound that length classes follow from')
      const others = { ...list, query: { ...list.query, bounds } }
      const [first, ...rest] = SPANS.map((span) =>
        matching(reader, others, sent)
          .where((row) => rarely(reader.engine, row('occurrence.span', '=', span)))
          .where((row) =>
            row.and([row('occurrence.end_local', '>', operand(endsAfter)), ...spanConditions(row, span, endsAfter)]),
          )
          .select(['occurrence.start_local', 'occurrence.published_at', 'occurrence.id']),
      )
      if (first === undefined) throw new Error('there are no length classes')
      const merged = first.unionAll(rest).orderBy(orderByStart(list, ['start_local', 'published_at', 'id']))
      return merged.limit(operand(list.limit)).offset(operand(list.offset))
    },
    total: (reader, list) => totalOf(reader, list, sent),
  }
}
