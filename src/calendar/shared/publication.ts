import type { ErrorCode } from '../../base/errors.ts'
import { toUtc } from '../../base/time/zones.ts'
import { type Caller, mayPublish } from '../../http/auth/rights.ts'
import type { DateValue } from '../../model/kinds/date.ts'
import type { Status } from '../../model/status.ts'

/** The publication date that was sent, as UTC text; undefined when none was. `date_utc` is the exacter of the two. */
export function publishedAtOf(
  sent: { readonly date?: DateValue; readonly date_utc?: DateValue },
  siteZone: string,
): string | undefined {
  if (sent.date_utc !== undefined) return sent.date_utc.kind === 'instant' ? sent.date_utc.utc : sent.date_utc.local
  if (sent.date === undefined) return undefined
  return sent.date.kind === 'instant' ? sent.date.utc : toUtc(sent.date.local, siteZone)
}

/** What decides the status of a write. */
export interface StatusQuestion {
  readonly caller: Caller
  /** Status that was sent; undefined when none was. */
  readonly sent: Status | undefined
  /** Status of the stored entry; undefined on create. */
  readonly stored: Status | undefined
  /** Publication date after the write, UTC text. */
  readonly publishedAt: string
  /** The present moment, UTC text. */
  readonly nowUtc: string
}

/**
 * The status that a write gives an entry (decisions: Rights, Partial update): without one sent the stored one stays.
 * Contributors propose (pending) instead of publishing. A future publication date makes `future` of `publish`, and
 * `future` without one is `publish`.
 */
export function resolveStatus(question: StatusQuestion): Status {
  const { caller, sent, stored, publishedAt, nowUtc } = question
  const wanted = sent ?? stored ?? (mayPublish(caller.role) ? 'publish' : 'draft')
  if (wanted !== 'publish' && wanted !== 'future') return wanted
  if (!mayPublish(caller.role) && (sent !== undefined || stored === undefined)) return 'pending'
  return publishedAt > nowUtc ? 'future' : 'publish'
}

/** Whether the caller may set the status: contributors may neither hide nor discard by status. */
export function mayAskStatus(caller: Caller, sent: Status | undefined): true | ErrorCode {
  const refused = (sent === 'private' || sent === 'trash') && !mayPublish(caller.role)
  return refused ? 'rest_forbidden' : true
}
