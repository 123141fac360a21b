import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify<string, Buffer, number, Buffer>(scrypt)
const LENGTH = 32

/** Salted hash of the password of an event: `scrypt:<salt>:<hash>`, both base64url (decisions: Password). */
export async function hashEntryPassword(plain: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(plain.normalize('NFC'), salt, LENGTH)
  return `scrypt:${salt.toString('base64url')}:${hash.toString('base64url')}`
}

/** Whether a password is the one that was hashed; compared in constant time. */
export async function isEntryPassword(plain: string, stored: string): Promise<boolean> {
  const [, salt = '', hash = ''] = stored.split(':')
  const expected = Buffer.from(hash, 'base64url')
  const given = await derive(plain.normalize('NFC'), Buffer.from(salt, 'base64url'), LENGTH)
  return expected.length === given.length && timingSafeEqual(expected, given)
}
