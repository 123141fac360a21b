import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Status } from '../model/status.ts'
import type { Visibility } from './listing.ts'

/** The visibility as a condition on rows with a status and an author. One status is asked by `=`, so that an index can order. */
export function isVisible<DB, TB extends keyof DB>(
  row: ExpressionBuilder<DB, TB>,
  visibility: Visibility,
  columns: { readonly status: Expression<string>; readonly author: Expression<number> },
): Expression<SqlBool> {
  const ofAll = isOneOf(row, columns.status, visibility.ofAll)
  if (visibility.ofOwn.length === 0) return ofAll
  const ofOwn = row.and([row(columns.author, '=', visibility.ownerId), isOneOf(row, columns.status, visibility.ofOwn)])
  return row.or([ofAll, ofOwn])
}

function isOneOf<DB, TB extends keyof DB>(
  row: ExpressionBuilder<DB, TB>,
  status: Expression<string>,
  wanted: readonly Status[],
): Expression<SqlBool> {
  const [first] = wanted
  if (first === undefined) return sql<SqlBool>`1 = 0`
  return wanted.length === 1 ? row(status, '=', first) : row(status, 'in', [...wanted])
}
