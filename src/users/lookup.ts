import type { Account, UserLookup } from '../auth/authenticate.ts'
import { hashPassword } from '../auth/passwords.ts'
import type { Reader } from '../storage/engine.ts'
import { fold } from '../text/fold.ts'
import { checkRole } from './rules.ts'
import { type CredentialRow, prepareCredentials } from './store.ts'

/**
 * Finds users for `authenticate`. Every call reads the database, so that a revoked password or a disabled user is
 * refused from the next request on, whichever process did it; read and hash together take about 30 microseconds.
 */
export function userLookup(reader: Reader, secret: string): UserLookup {
  const byName = prepareCredentials(reader, 'name_folded')
  const byEmail = prepareCredentials(reader, 'email_folded')
  return {
    hash: (password) => hashPassword(secret, password),
    findAccount: async (login) => accountOf(await (login.includes('@') ? byEmail : byName)(fold(login))),
  }
}

function accountOf(rows: readonly CredentialRow[]): Account | undefined {
  const user = rows[0]
  if (user === undefined) return undefined
  const hashes = rows.flatMap((row) => row.hash ?? [])
  return { id: user.id, name: user.name, role: checkRole(user.role), hashes }
}
