import { type Failure, fail } from '../../../base/errors.ts'

// Codes: https://www.postgresql.org/docs/current/errcodes-appendix.html

/** A conflict with another transaction; the same statements succeed when they are retried. */
const CONFLICTS = new Set(['40001', '40P01'])

/** The server is going, starting, or has ended this connection. */
const AWAY = new Set(['57P01', '57P02', '57P03', '57P04', '57P05'])

/** The server has closed this connection, because a job kept its transaction open and did nothing. */
const IDLE_JOB = new Set(['25P03', '25P04'])

/** Error codes of the operating system for a connection that broke or was never there. */
const BROKEN = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENETRESET',
  'ENOENT',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
])

/** The server has as many connections as it takes. */
const FULL = '53300'

/** A statement exceeded its time, or was canceled. */
const CANCELLED = '57014'

// The driver has no codes for these.
const TERMINATED = /^Connection terminated/
const UNSENT = /^Client (has encountered a connection error|was closed) and is not queryable/
const SILENT = /^(Query read timeout|timeout expired|Connection terminated due to connection timeout)/
const EXHAUSTED = /^timeout exceeded when trying to connect/

/** Whether a job that failed so may simply be run again. */
export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(codeOf(error)) || isStalePlan(error)
}

/** Whether the connection is gone for whatever reason. */
export function isConnectionGone(error: unknown): boolean {
  return isConnectionLoss(error) || IDLE_JOB.has(codeOf(error))
}

/** Whether the error is about the connection, and not about what was done on it. */
export function isConnectionLoss(error: unknown): boolean {
  const code = codeOf(error)
  return (
    AWAY.has(code) ||
    BROKEN.has(code) ||
    code.startsWith('08') ||
    isSilence(error) ||
    says(error, TERMINATED) ||
    isUnsent(error)
  )
}

/** Whether a statement never left this process, because its connection had broken before. */
export function isUnsent(error: unknown): boolean {
  return says(error, UNSENT)
}

/** Whether the server gave no response for as long as one is waited for; the connection is of no use any more. */
export function isSilence(error: unknown): boolean {
  return says(error, SILENT)
}

/** Whether all connections of a pool were in use for as long as one is waited for: nothing is wrong with the server. */
export function isExhausted(error: unknown): boolean {
  return says(error, EXHAUSTED)
}

/** Whether the server takes no more connections; those that it has continue. */
export function isFull(error: unknown): boolean {
  return codeOf(error) === FULL
}

/** Whether a statement was given up, because it took too long. */
export function isCancelled(error: unknown): boolean {
  return codeOf(error) === CANCELLED
}

/** Whether a statement was prepared before a migration changed its tables; a new connection prepares it again. */
export function isStalePlan(error: unknown): boolean {
  return codeOf(error) === '0A000' && says(error, /cached plan/)
}

/** The error for callers while the database cannot be reached; nothing was done. */
export function unavailable(cause?: unknown): Failure {
  return Object.assign(fail('rest_unavailable'), { cause })
}

function says(error: unknown, words: RegExp): boolean {
  return error instanceof Error && words.test(error.message)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
