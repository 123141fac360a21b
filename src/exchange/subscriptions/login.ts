import { fail } from '../../base/errors.ts'
import type { Credentials } from '../../base/outgoing/credentials.ts'
import { seal, unseal } from '../../base/sealed.ts'
import { storedJson } from '../../base/text/stored-json.ts'

/** What has the key of the site. */
export interface LoginKey {
  readonly secret: string
}

const PURPOSE = 'passwords of subscriptions'

/** The credentials of a subscription as they are stored. */
export function sealLogin({ user, password }: Credentials, { secret }: LoginKey): string {
  return seal(JSON.stringify({ user, password }), { secret, purpose: PURPOSE })
}

/** The credentials of a subscription; undefined for none. @throws subscription_failed where they were stored with another key */
export function openLogin(login: string, { secret }: LoginKey): Credentials | undefined {
  if (login === '') return undefined
  const text = unseal(login, { secret, purpose: PURPOSE })
  if (text === undefined) throw fail('subscription_failed', { reason: 'subscriptions.problem.passwordLost' })
  return storedJson<Credentials>(text)
}
