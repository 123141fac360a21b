import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const LENGTH = 24

/** A new application password: 24 letters and digits, 142 bits of chance, without spaces. */
export function generatePassword(): string {
  return Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
}

/** The password as it is shown to people: groups of four. */
export function groupPassword(password: string): string {
  return password.replace(/(.{4})(?=.)/g, '$1 ')
}

/** The password as it is compared: without the spaces between its groups. */
export function plainPassword(typed: string): string {
  return typed.replace(/\s+/g, '')
}

/**
 * The stored hash of an application password: HMAC-SHA-256 in hexadecimal. The passwords are long and random, so the
 * hash cannot be guessed, and a slow one would only slow every request.
 */
export function hashPassword(secret: string, password: string): string {
  return createHmac('sha256', secret).update(plainPassword(password)).digest('hex')
}

/** Compared with where nothing is stored; no hash is all zeros. */
const NOTHING_STORED: readonly string[] = ['0'.repeat(64)]

/** True when `hash` is one of the stored ones; takes the same time whichever it is, and as long as for one if there is none. */
export function isAmongHashes(hash: string, stored: readonly string[]): boolean {
  const wanted = Buffer.from(hash)
  let found = false
  for (const candidate of stored.length === 0 ? NOTHING_STORED : stored) {
    const known = Buffer.from(candidate)
    if (known.length === wanted.length && timingSafeEqual(known, wanted)) found = true
  }
  return found
}
