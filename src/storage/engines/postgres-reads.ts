import type { QueryResult } from 'pg'
import type { Statement } from '../engine.ts'
import type { ConnectionPool } from './postgres-connection.ts'
import { isConnectionLoss, isExhausted, isFull, isSilence, unavailable } from './postgres-errors.ts'
import type { Presence } from './postgres-presence.ts'

/** How often a read, which changes nothing, is sent at most when its connection breaks. */
const ATTEMPTS = 3

/**
 * Reads of a database that may go away: what broke with its connection is sent anew when the database is there, which is
 * asked first, so that nobody tries without a pause.
 * @throws rest_unavailable when it is not, or when it has no connection to spare
 */
export function patientReads(pool: ConnectionPool, presence: Presence): (statement: Statement) => Promise<QueryResult> {
  return async (statement) => {
    for (let attempt = 1; ; attempt += 1) {
      if (presence.isAway) throw unavailable()
      try {
        return await pool.read(statement)
      } catch (error) {
        if (isExhausted(error)) throw unavailable(error)
        if (!isConnectionLoss(error) && !isFull(error)) throw error
        const isThere = await presence.look()
        // Whoever has waited for the longest time that a statement may take does not wait for it once more.
        if (!isThere || isSilence(error) || attempt === ATTEMPTS) throw unavailable(error)
      }
    }
  }
}
