import { Failure, fail } from '../errors.ts'

/** The error code for what the framework reports: it never reaches a client in its own words. `bodyLimit` in bytes. */
export function failureOf(error: unknown, bodyLimit: number): Failure {
  if (error instanceof Failure) return error
  const { statusCode, code } = error as { statusCode?: number; code?: string }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return fail('rest_body_too_large', { limit: bodyLimit })
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return fail('rest_bad_request')
  return fail('internal_server_error')
}
