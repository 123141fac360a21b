import { type ErrorCode, fail } from '../../../base/errors.ts'
import { mayRead } from '../../../http/auth/rights.ts'
import type { Selector } from '../../../http/resource.ts'
import { field } from '../../../model/kinds/field.ts'
import { credential } from '../../../model/kinds/text.ts'
import type { Reader } from '../../../storage/engine.ts'
import type { EventRow } from '../../event-store/event-row.ts'
import { findEvent, isOtherKind } from '../../event-store/rows.ts'
import type { Viewer } from '../../shared/viewer.ts'
import { isOpen, openedBy } from './load.ts'

/** The parameter of everything that shows one event. */
export const PASSWORD_FIELD = field('password', credential, 'api.eventPassword')

/** The specific errors of reading one event. */
export const READ_ERRORS = ['event-not-accessible', 'event-password-protected'] as const satisfies readonly ErrorCode[]

/** Error of an ID that no entry has. */
export const UNKNOWN_ID = 'rest-event-not-found' satisfies ErrorCode

/** An unknown ID has an error of its own; an ID of another kind is an invalid parameter. @throws rest-event-not-found */
export async function findOrFail(reader: Reader, selector: Selector): Promise<EventRow | undefined> {
  const row = await findEvent(reader, selector)
  if (row !== undefined || selector.by === 'slug') return row
  if (await isOtherKind(reader, selector.id)) return undefined
  throw fail(UNKNOWN_ID)
}

/** Whether a caller may read an event: true, or the error code. */
export function permitRead({ caller }: Pick<Viewer, 'caller'>, row: EventRow): true | ErrorCode {
  return mayRead(caller, { authorId: row.author_id, status: row.status }) || 'event-not-accessible'
}

/** Opens an event with the password that was sent, as the IDs that are open. @throws event-password-protected, rest_too_many_requests */
export async function openOrFail(
  row: EventRow,
  viewer: Viewer,
  password: string | undefined,
): Promise<ReadonlySet<number>> {
  const { tries } = viewer
  const opened = await openedBy(password, [row], tries)
  if (isOpen(row, viewer, opened)) return opened
  throw tries?.refusal() ?? fail('event-password-protected')
}
