import { rarely } from '../../../storage/expressions.ts'
import { type Given, operand } from '../../../storage/statement-template.ts'
import { SPANS, spanConditions } from '../bounds.ts'
import type { SentFilter } from '../filters.ts'
import { inOrder } from './in-order.ts'
import { type BuiltList, matching, type Way } from './way.ts'

/** Reads what ends after a moment: each length class in order from its own bound, and the classes are merged. */
export function byLength(list: BuiltList, sent: readonly SentFilter[], endsAfter: Given<string>): Way {
  return {
    answers: [],
    tellsTotal: false,
    page: (reader) => {
      const { ends_after: _merged, ...bounds } = list.query.bounds
      const others = { ...list, query: { ...list.query, bounds } }
      const [first, ...rest] = SPANS.map((span) =>
        matching(reader, others, sent)
          .where((row) => rarely(reader.engine, row('occurrence.span', '=', span)))
          .where((row) =>
            row.and([row('occurrence.end_local', '>', operand(endsAfter)), ...spanConditions(row, span, endsAfter)]),
          )
          .select(['occurrence.event_id', 'occurrence.start_local', 'occurrence.published_at', 'occurrence.id']),
      )
      if (first === undefined) throw new Error('there are no length classes')
      const merged = first.unionAll(rest).orderBy('start_local').orderBy('published_at').orderBy('id')
      return merged.limit(operand(list.limit)).offset(operand(list.offset))
    },
    total: inOrder(list, sent).total,
  }
}
