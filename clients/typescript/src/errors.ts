import type { ErrorBody } from './internal.ts'
import type { Code, ErrorFacts } from './types.ts'

/** Statuses, or codes without one, after which the same request may succeed. */
const RETRIED: readonly (number | string)[] = [429, 502, 503, 504, 'network', 'timeout']

/** Everything that the client throws. Messages are for people; test for `code`. */
export class KalendsError extends Error {
  override readonly name: string = 'KalendsError'
  declare readonly code: Code
  /** HTTP status; 0 if there was no response. */
  declare readonly status: number
  /** What is wrong with each parameter, by name. */
  declare readonly params: Readonly<Record<string, unknown>>
  /** `data` of the response, which depends on the code. */
  declare readonly details: unknown
  /** Seconds that the server asked to wait. */
  declare readonly retryAfter: number | undefined

  constructor(message: string, facts: ErrorFacts) {
    super(message)
    Object.assign(this, { status: 0, params: {}, ...facts })
  }
}

/** The item was changed by somebody else since it was read (412). */
export class Conflict extends KalendsError {
  override readonly name = 'Conflict'
}

/** The changes since this cursor are gone: read the lists again. */
export class CursorExpired extends KalendsError {
  override readonly name = 'CursorExpired'
}

/** The site cannot do this; nothing was sent. */
export class Unsupported extends KalendsError {
  override readonly name = 'Unsupported'
}

/** The error of a response; that of a proxy has no body that we know. */
export async function errorOf(response: Response): Promise<KalendsError> {
  const { status, headers } = response
  const body = (await response.json().catch(() => null)) as ErrorBody | null
  // Without parameters, which may contain the password of an event.
  const address = response.url.split('?')[0] || 'The server'
  const { code = 'network', message = `${address} responded with status ${status}.`, data } = body ?? {}
  // Of a batch, this is the response to the request that failed.
  const failed = data?.failed
  const { params = {} } = failed?.body.data ?? data ?? {}
  const facts = { code, status, params, details: data, retryAfter: retryAfterOf(headers) }
  const text = failed ? `${message} ${failed.body.message}` : message
  if (status === 412 || failed?.status === 412) return new Conflict(text, facts)
  return code === 'cursor_expired' ? new CursorExpired(text, facts) : new KalendsError(text, facts)
}

/** Without the message and cause of the runtime, which may quote headers. @throws network, or the error if it is ours */
export function failNetwork(error: unknown): never {
  if (error instanceof KalendsError) throw error
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } }
  const reason = error instanceof SyntaxError ? 'no valid JSON' : (cause?.code ?? code ?? 'no response')
  throw new KalendsError(`The server did not respond in full (${reason}).`, { code: 'network' })
}

/** Whether the same request may succeed later. */
export function isTransient(error: unknown): error is KalendsError {
  if (!(error instanceof KalendsError)) return false
  return RETRIED.includes(error.status || error.code) || error.code === 'idempotency_in_progress'
}

/** The header has seconds or a date. */
function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('Retry-After') ?? ''
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
