// Codes: https://www.postgresql.org/docs/current/errcodes-appendix.html

/** Another transaction stood in the way; the same statements succeed when they are run again. */
const CONFLICTS = new Set(['40001', '40P01'])

/** The server is going, starting, or has ended this connection. */
const AWAY = new Set(['57P01', '57P02', '57P03', '57P05'])

/** The server has ended this connection, because a job kept its transaction open and did nothing. */
const IDLE_JOB = new Set(['25P03', '25P04'])

/** What the operating system says of a connection that broke or was never there. */
const BROKEN = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'])

/** Whether a job that failed so may simply be run again. */
export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(codeOf(error)) || isStalePlan(error)
}

/** Whether the connection is gone for whatever reason. */
export function isConnectionGone(error: unknown): boolean {
  return isConnectionLoss(error) || IDLE_JOB.has(codeOf(error))
}

/** Whether the connection, and not what was done on it, was the matter. */
export function isConnectionLoss(error: unknown): boolean {
  const code = codeOf(error)
  if (AWAY.has(code) || BROKEN.has(code) || code.startsWith('08')) return true
  // The driver has no code for these.
  return (
    error instanceof Error &&
    /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout)/.test(error.message)
  )
}

/** Whether a statement was prepared before a migration changed its tables; a new connection prepares it anew. */
export function isStalePlan(error: unknown): boolean {
  return codeOf(error) === '0A000' && error instanceof Error && error.message.includes('cached plan')
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
