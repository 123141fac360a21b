import { fail } from '../../base/errors.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import type { Transaction } from '../../storage/engine.ts'
import type { PasskeyTable } from '../../storage/schema.ts'
import { codesForPassword, takePasswordLink } from '../sessions/index.ts'
import type { User, UserBook } from '../users/index.ts'
import { keepAWayIn, waysInOf } from '../ways-in/index.ts'
import { type Answer, checked, credentialIn } from './answer.ts'
import { deletePasskey, findPasskey, insertPasskey, passkeysOf, updatePasskey } from './store.ts'

/** Most passkeys of a person, and the longest name of one, in characters. */
export const PASSKEYS = { most: 20, name: 100 } as const

/**
 * Adds the passkey that a browser has created for a user, who is told.
 * @throws bad_passkey, too_many_passkeys
 */
export async function addPasskey(book: UserBook, user: User, given: Answer & { readonly name: string }): Promise<void> {
  const row = await verifiedPasskey(book, user, given)
  await book.storage.write(async (tx) => {
    await keepPasskey(tx, row)
    await tellOfPasskey(book, tx, row)
  })
}

/**
 * Gives the user of a link the passkey in place of a password, and ten recovery codes, which are shown now and stored nowhere;
 * the link stops to work. @throws bad_passkey, too_many_passkeys; bad_link when the link has been used meanwhile
 */
export async function usePasskeyLink(
  book: UserBook,
  owner: User,
  given: Answer & { readonly name: string; readonly token: string },
): Promise<string[]> {
  const row = await verifiedPasskey(book, owner, given)
  return book.storage.write(async (tx) => {
    const { id } = await takePasswordLink(tx, { token: given.token, now: book.now() })
    if (id !== row.user_id) throw fail('bad_link')
    const before = await waysInOf(tx, owner, undefined)
    await keepPasskey(tx, row)
    if (Object.values(before).some((count) => count > 0)) await tellOfPasskey(book, tx, row)
    return codesForPassword(tx, book, id)
  })
}

/** Gives a passkey of a user another name; '' changes nothing. @throws bad_passkey for none of the user */
export async function renamePasskey(
  { storage }: Pick<UserBook, 'storage'>,
  userId: number,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<void> {
  const text = nameOf(name)
  if (text === '') return
  const isChanged = await storage.write((tx) => updatePasskey(tx, { id, user_id: userId }, { name: text }))
  if (!isChanged) throw fail('bad_passkey')
}

/** Removes a passkey of a user; its name. @throws bad_passkey for none of the user, last_way_in, last_administrator */
export function removePasskey(
  { storage, openWays }: Pick<UserBook, 'storage' | 'openWays'>,
  user: User,
  { id, mayBeLast }: { readonly id: string; readonly mayBeLast?: boolean },
): Promise<string> {
  return storage.write(async (tx) => {
    const row = await findPasskey(tx, id)
    if (row?.user_id !== user.id) throw fail('bad_passkey')
    await keepAWayIn(tx, user, { taken: 'passkey', open: openWays, mayBeLast })
    await deletePasskey(tx, id)
    return row.name
  })
}

async function verifiedPasskey(
  book: UserBook,
  user: User,
  given: Answer & { readonly name: string },
): Promise<PasskeyTable> {
  const sent = credentialIn(given)
  if (sent === undefined) throw fail('bad_passkey')
  const { party, name } = given
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const result = await checked(book, { kind: 'create', answer: given, sent }, (expectedChallenge) =>
    verifyRegistrationResponse({
      response: sent,
      expectedChallenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
    }),
  )
  const credential = result?.found.registrationInfo?.credential
  if (result === undefined || credential === undefined || result.row.user_id !== user.id) throw fail('bad_passkey')
  return {
    id: credential.id,
    user_id: user.id,
    user_handle: result.row.user_handle,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    name: nameOf(name),
    created_at: utcFromMillis(book.now()),
    used_at: null,
  }
}

async function keepPasskey(tx: Transaction, row: PasskeyTable): Promise<void> {
  if ((await findPasskey(tx, row.id)) !== undefined) throw fail('bad_passkey')
  if ((await passkeysOf(tx, row.user_id)).length >= PASSKEYS.most) throw fail('too_many_passkeys')
  await insertPasskey(tx, row)
}

async function tellOfPasskey({ mailer }: UserBook, tx: Transaction, { user_id, name }: PasskeyTable): Promise<void> {
  await mailer?.queueNotice(tx, { userId: user_id, kind: 'passkey', what: name })
}

function nameOf(typed: string): string {
  return typed.trim().slice(0, PASSKEYS.name)
}
