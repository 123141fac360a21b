import { hasTables } from '../../migrate.ts'
import { openReadConnection } from './read-connection.ts'

/**
 * Whether a file of SQLite holds a calendar, which takes a millisecond. One that cannot be read is taken for one: opening it says
 * what is wrong.
 */
export async function holdsCalendar(path: string): Promise<boolean> {
  try {
    const connection = openReadConnection(path, 0)
    try {
      return await hasTables({ engine: 'sqlite', first: async (query) => connection.first(query) })
    } finally {
      connection.close()
    }
  } catch {
    return true
  }
}
