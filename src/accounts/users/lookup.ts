import { fold } from '../../base/text/fold.ts'
import { type Account, hashPassword, type StoredPassword, type UserLookup } from '../../http/auth/authenticate.ts'
import { checkRole } from '../../http/auth/rights.ts'
import type { Reader } from '../../storage/engine.ts'
import { sharedReads } from '../../storage/reads.ts'
import { type CredentialRow, credentialsOf } from './store.ts'

/**
 * Finds users for `authenticate`. Every call reads the database, so that a revoked password or a disabled user is
 * refused from the next request on, whichever process did it; read and hash together take about 30 microseconds. Requests
 * of one user that come at once share what is read after the last of them has come. `used` is notified of each password that
 * was right.
 */
export function userLookup(reader: Reader, secret: string, used?: (password: StoredPassword) => void): UserLookup {
  const byName = sharedReads((folded) => credentialsOf(reader, 'name_folded', folded))
  const byEmail = sharedReads((folded) => credentialsOf(reader, 'email_folded', folded))
  return {
    ...(used && { used }),
    hash: hashPassword.bind(undefined, secret),
    findAccount: async (login) => accountOf(await (login.includes('@') ? byEmail : byName)(fold(login))),
  }
}

function accountOf(rows: readonly CredentialRow[]): Account | undefined {
  const user = rows[0]
  if (user === undefined) return undefined
  const passwords = rows.flatMap(({ password_id: id, hash, used_at: usedAt }) =>
    id === null || hash === null ? [] : [{ id, hash, usedAt }],
  )
  return { id: user.id, name: user.name, role: checkRole(user.role), passwords }
}
