import { utcFromMillis } from '../../base/time/zones.ts'
import type { LogInWatch } from '../../http/auth/authenticate.ts'
import type { PasskeyTable } from '../../storage/schema.ts'
import { findUserById, type User, type UserBook } from '../users/index.ts'
import { type Answer, type CredentialJSON, checked, credentialIn } from './answer.ts'
import { findPasskey, updatePasskey } from './store.ts'

/**
 * The enabled user whose passkey a browser has used; undefined when anything is wrong with it.
 * @throws rest_too_many_requests
 */
export async function signInWithPasskey(book: UserBook, answer: Answer, watch?: LogInWatch): Promise<User | undefined> {
  const sent = credentialIn(answer)
  const row = sent === undefined ? undefined : await findPasskey(book.storage, sent.id)
  const user = row === undefined ? undefined : await findUserById(book.storage, row.user_id)
  const attempt = await watch?.begin(user?.name ?? '', `passkey ${sent?.id}`)
  try {
    const isRight = sent !== undefined && row !== undefined && (await isSigned(book, { answer, sent, row }))
    if (isRight && user?.disabledAt === null) {
      attempt?.succeeded()
      return user
    }
  } catch (error) {
    attempt?.gaveUp()
    throw error
  }
  await attempt?.failed()
  return undefined
}

interface Used {
  readonly answer: Answer
  readonly sent: CredentialJSON
  readonly row: PasskeyTable
}

/** Whether a passkey has signed its challenge; its counter and last use are noted. */
async function isSigned(book: UserBook, { answer, sent, row }: Used): Promise<boolean> {
  const { party, log } = answer
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const result = await checked(book, { kind: 'get', answer, sent }, (expectedChallenge) =>
    verifyAuthenticationResponse({
      response: sent,
      expectedChallenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      // The library would refuse a counter that does not rise: it is compared below.
      credential: { id: row.id, publicKey: Buffer.from(row.public_key, 'base64url'), counter: 0 },
    }),
  )
  if (result === undefined || !result.found.verified) return false
  const { user_id: expected } = result.row
  // Where it is known whose passkey is wanted, browsers may leave the handle out (WebAuthn 7.2 step 6).
  const handle = sent.response.userHandle ?? (expected === null ? '' : row.user_handle)
  if (handle !== row.user_handle || (expected !== null && expected !== row.user_id)) {
    log.info({ reason: 'user handle' }, 'passkey refused')
    return false
  }
  const { newCounter } = result.found.authenticationInfo
  const hasRisen = newCounter > row.counter || (newCounter === 0 && row.counter === 0)
  if (!hasRisen) log.warn({ user: row.user_id, counter: newCounter, last: row.counter }, 'passkey may have been copied')
  const used = { counter: Math.max(newCounter, row.counter), used_at: utcFromMillis(book.now()) }
  return book.storage.write((tx) => updatePasskey(tx, row, used))
}
