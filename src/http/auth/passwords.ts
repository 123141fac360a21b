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

/**
 * The place of `hash` among the stored ones, 0 for the first; -1 when it is none of them. Takes the same time whichever it is,
 * and as long as for one if there is none.
 */
export function placeAmongHashes(hash: string, stored: readonly string[]): number {
  const wanted = Buffer.from(hash)
  let found = -1
  for (const [place, candidate] of (stored.length === 0 ? NOTHING_STORED : stored).entries()) {
    const known = Buffer.from(candidate)
    if (known.length === wanted.length && timingSafeEqual(known, wanted)) found = place
  }
  return found
}
