import { randomInt } from 'node:crypto'
import { hashPassword, placeAmongHashes } from '../../http/auth/authenticate.ts'
import type { Transaction } from '../../storage/engine.ts'
import type { User, UserBook } from '../users/index.ts'
import { keepAWayIn } from '../ways-in/index.ts'
import { deletePassword, recoveryCodesOf, replaceRecoveryCodes, takeRecoveryCode } from './store.ts'

/** How many codes somebody gets, and how long they are: 79 bits of chance. */
const CODES = { count: 10, length: 16 } as const

/** Without letters and digits that look alike. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'

/**
 * Takes the password from a user, who gets ten recovery codes; they are shown now and stored nowhere.
 * @throws last_way_in, last_administrator
 */
export function removePassword(book: UserBook, user: User): Promise<string[]> {
  return book.storage.write(async (tx) => {
    await keepAWayIn(tx, user, { taken: 'password', open: book.openWays })
    return codesForPassword(tx, book, user.id)
  })
}

/** Gives a user new recovery codes in place of a password and of those of before. */
export async function codesForPassword(
  tx: Transaction,
  { secret }: Pick<UserBook, 'secret'>,
  userId: number,
): Promise<string[]> {
  await deletePassword(tx, userId)
  const codes = Array.from({ length: CODES.count }, newCode)
  await replaceRecoveryCodes(
    tx,
    userId,
    codes.map((code) => hashPassword(secret, plainCode(code))),
  )
  return codes
}

/** How many recovery codes a user has left. */
export async function countRecoveryCodes({ storage }: Pick<UserBook, 'storage'>, userId: number): Promise<number> {
  return (await recoveryCodesOf(storage, userId)).length
}

/** Uses up the recovery code that was typed in place of a password; false when it is none of the user, 0 for nobody. */
export async function useRecoveryCode({ storage, secret }: UserBook, userId: number, typed: string): Promise<boolean> {
  const code = plainCode(typed)
  if (code.length !== CODES.length) return false
  const hash = hashPassword(secret, code)
  if (placeAmongHashes(hash, await recoveryCodesOf(storage, userId)) < 0) return false
  return storage.write((tx) => takeRecoveryCode(tx, userId, hash))
}

/** `abcd-efgh-jkmn-pqrs` */
function newCode(): string {
  const code = Array.from({ length: CODES.length }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  return code.replace(/(.{4})(?=.)/g, '$1-')
}

function plainCode(typed: string): string {
  return typed.replace(/[\s-]+/g, '').toLowerCase()
}
