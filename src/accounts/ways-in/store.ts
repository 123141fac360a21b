import type { Reader } from '../../storage/engine.ts'
import type { OpenWays } from './open.ts'

/** What a person can sign in with. Those that need nobody else are local: password and passkey. */
export type WayIn = 'password' | 'passkey' | 'identity'

/** How many of each a person has. */
type WaysIn = Readonly<Record<WayIn, number>>

/** A user, as far as ways in matter. */
export interface Entrant {
  readonly id: number
  readonly name: string
}

/**
 * The ways in of a user, without those that lead nowhere at present; all work if `open` is undefined. All are 0 for one who has
 * none, as programs with application passwords.
 */
export async function waysInOf(reader: Reader, { id, name }: Entrant, open: OpenWays | undefined): Promise<WaysIn> {
  const query = reader.db.selectNoFrom((of) => {
    const count = of.fn.countAll<number>().as('count')
    const identities = of.selectFrom('identity').select(count).where('user_id', '=', id)
    const { issuers } = open ?? {}
    return [
      of.selectFrom('user_password').select(count).where('user_id', '=', id).as('password'),
      of.selectFrom('passkey').select(count).where('user_id', '=', id).as('passkey'),
      (issuers === undefined ? identities : identities.where('issuer', 'in', ['', ...issuers])).as('identity'),
    ]
  })
  const found = await reader.first(query)
  const password = open?.mayUsePassword(name) === false ? 0 : (found?.password ?? 0)
  return { password, passkey: found?.passkey ?? 0, identity: found?.identity ?? 0 }
}

/** The enabled administrators: `[]` for none. */
export function enabledAdministrators(reader: Reader): Promise<Entrant[]> {
  const query = reader.db.selectFrom('user').select(['id', 'name']).where('role', '=', 'administrator')
  return reader.all(query.where('disabled_at', 'is', null))
}
