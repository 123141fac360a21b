import type { Reader } from '../../storage/engine.ts'

/** What a person can sign in with. Those that need nobody else are local: password and passkey. */
export type WayIn = 'password' | 'passkey' | 'identity'

/** How many of each a person has. */
type WaysIn = Readonly<Record<WayIn, number>>

/** The ways in of a user; all 0 for one who has none, as programs with application passwords. */
export async function waysInOf(reader: Reader, userId: number): Promise<WaysIn> {
  const query = reader.db.selectNoFrom((of) => {
    const count = of.fn.countAll<number>().as('count')
    return [
      of.selectFrom('user_password').select(count).where('user_id', '=', userId).as('password'),
      of.selectFrom('passkey').select(count).where('user_id', '=', userId).as('passkey'),
      of.selectFrom('identity').select(count).where('user_id', '=', userId).as('identity'),
    ]
  })
  const found = await reader.first(query)
  return { password: found?.password ?? 0, passkey: found?.passkey ?? 0, identity: found?.identity ?? 0 }
}

/** The enabled administrators with a local way in: `[]` for none. */
export function localAdministrators(reader: Reader): Promise<{ readonly id: number }[]> {
  const query = reader.db.selectFrom('user').select('user.id').where('role', '=', 'administrator')
  const enabled = query.where('disabled_at', 'is', null)
  return reader.all(
    enabled.where((of) =>
      of.or([
        of.exists(of.selectFrom('user_password').select('user_id').whereRef('user_password.user_id', '=', 'user.id')),
        of.exists(of.selectFrom('passkey').select('user_id').whereRef('passkey.user_id', '=', 'user.id')),
      ]),
    ),
  )
}
