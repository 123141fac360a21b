import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Logger } from '../../base/log.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import type { ChallengeTable } from '../../storage/schema.ts'
import { digestOf } from '../sessions/index.ts'
import type { UserBook } from '../users/index.ts'
import type { Asking } from './challenges.ts'
import { takeChallenge } from './store.ts'

/** What a browser sends of a passkey, as JSON; nothing of it is believed yet. */
export interface Answer extends Asking {
  readonly credential: string
  readonly log: Logger
}

/** Both kinds of responses of browsers. */
export type CredentialJSON = AuthenticationResponseJSON & RegistrationResponseJSON

/** The response in the JSON of a browser, as far as the library does not check its form; undefined for anything else. */
export function credentialIn({ credential }: Answer): CredentialJSON | undefined {
  const parsed = parsedObject(credential)
  const response = parsed?.['response']
  if (typeof parsed?.['id'] !== 'string' || typeof response !== 'object' || response === null) return undefined
  return parsed as unknown as CredentialJSON
}

/**
 * What the library finds in a response whose challenge was waiting for it; undefined, with the reason in the log, when it is
 * wrong. The challenge is used up either way.
 */
export async function checked<T>(
  book: UserBook,
  { kind, answer, sent }: { readonly kind: 'create' | 'get'; readonly answer: Answer; readonly sent: CredentialJSON },
  verify: (challenge: string) => Promise<T>,
): Promise<{ readonly found: T; readonly row: ChallengeTable } | undefined> {
  const { boundTo, log } = answer
  const data = parsedObject(Buffer.from(String(sent.response.clientDataJSON), 'base64url').toString('utf8'))
  const challenge = String(data?.['challenge'])
  const asked = { id: digestOf(challenge), kind, bound_to: boundTo }
  const row = await book.storage.write((tx) => takeChallenge(tx, asked, utcFromMillis(book.now())))
  if (row === undefined) {
    log.info({ reason: 'challenge' }, 'passkey refused')
    return undefined
  }
  try {
    return { found: await verify(challenge), row }
  } catch (error) {
    log.info({ reason: error instanceof Error ? error.message : '' }, 'passkey refused')
    return undefined
  }
}

function parsedObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined
  } catch {
    return undefined
  }
}
