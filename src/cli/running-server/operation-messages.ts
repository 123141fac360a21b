import { type ErrorCode, Failure, fail, isErrorCode } from '../../base/errors.ts'
import type { MessageValues } from '../../base/i18n/translate.ts'
import { isDamage } from '../../storage/damage.ts'
import type { Progress } from '../types.ts'

/** One line of the response to an operation: any number with progress, then one with result or error (NDJSON). */
export type OperationMessage =
  | { readonly progress: Progress }
  | { readonly result: unknown }
  | { readonly error: { readonly code: ErrorCode; readonly slots: MessageValues } }

/** Path under which the socket takes operations; the name follows. */
export const OPERATION_PATH = '/operations/'

/** An error as a line of the response; an unknown error becomes `unexpected`. */
export function errorMessage(error: unknown): OperationMessage {
  const { code, slots } = asFailure(error)
  return { error: { code, slots } }
}

/** The failure that a line of the response describes. */
export function failureOf(error: { readonly code: string; readonly slots: MessageValues }): Failure {
  if (isErrorCode(error.code)) return new Failure(error.code, error.slots, {})
  return fail('unexpected', { reason: error.code })
}

/** Any error as a failure with a code and one line of text. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  const reason = error instanceof Error ? error.message : String(error)
  return fail(isDamage(error) ? 'database_damaged' : 'unexpected', { reason: reason.split('\n', 1)[0] ?? '' })
}
