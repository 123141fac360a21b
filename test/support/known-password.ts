import { argon2Sync } from 'node:crypto'
import { keepPersonPassword } from '../../src/accounts/sessions/sign-in.ts'
import { findLogin, type UserBook } from '../../src/accounts/users/index.ts'
import { utcFromMillis } from '../../src/base/time/zones.ts'

/** The password of everybody who signs in here, unless a test is about passwords. */
export const PASSWORD = 'seven quiet otters'

/** A hash says what it cost: this one is quick, because hundreds of tests sign someone in. */
const QUICK = { memory: 8, passes: 1, parallelism: 1, tagLength: 32 }

/** Gives a user by name that password. */
export async function knowPassword(book: UserBook, name: string): Promise<void> {
  const { storage, now } = book
  const user = await findLogin(storage, name)
  const salt = Buffer.alloc(16, name)
  const made = argon2Sync('argon2id', { ...QUICK, message: PASSWORD, nonce: salt }).toString('base64url')
  const hash = ['argon2id', QUICK.memory, QUICK.passes, salt.toString('base64url'), made].join(':')
  await storage.write((tx) => keepPersonPassword(tx, { userId: user?.id ?? 0, hash, at: utcFromMillis(now()) }))
}
