import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Caller } from '../auth/caller.ts'
import { isEditor, mayListUnpublished } from '../auth/rights.ts'
import { choices } from '../fields/choice.ts'
import { STATUSES, type Status } from '../model/status.ts'
import type { Refusal } from '../http/route.ts'

/** What the `status` parameter of lists takes. */
export const statusFilter = choices([...STATUSES, 'any'], 'bad_status')

/** What a list may show of its rows by status: to everybody, and of the caller's own. */
export interface Visibility {
  /** Statuses of rows that are shown whoever owns them. */
  readonly ofAll: readonly Status[]
  /** Further statuses of rows that the caller owns. */
  readonly ofOwn: readonly Status[]
  /** The caller. */
  readonly ownerId: number
}

const UNTRASHED: readonly Status[] = STATUSES.filter((one) => one !== 'trash')

/**
 * What a caller's list shows (decisions: Rights): editors everything but the trash, other writers what is published
 * and what is theirs, everybody else what is published; `status` narrows that down, and only it reaches the trash.
 */
export function visibilityOf(caller: Caller, sent: readonly (Status | 'any')[] | undefined): Visibility {
  const asked = sent === undefined || sent.includes('any') ? UNTRASHED : sent.filter((one) => one !== 'any')
  if (!mayListUnpublished(caller.role)) return { ofAll: ['publish'], ofOwn: [], ownerId: caller.id }
  if (isEditor(caller.role)) return { ofAll: asked, ofOwn: [], ownerId: caller.id }
  const published = asked.filter((one) => one === 'publish')
  return { ofAll: published, ofOwn: asked.filter((one) => one !== 'publish'), ownerId: caller.id }
}

/** Adds a refusal when the caller may not ask for these statuses: readers may name `publish` alone. */
export function checkStatus(caller: Caller, sent: readonly (Status | 'any')[] | undefined, refusals: Refusal[]): void {
  if (sent === undefined || mayListUnpublished(caller.role)) return
  if (sent.some((one) => one !== 'publish')) {
    refusals.push({ name: 'status', code: 'rest_invalid_param', reason: 'bad_status' })
  }
}

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
