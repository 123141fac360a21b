import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash, createHmac, randomBytes, scrypt, scryptSync, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { MOST_WAITING, ReadQueue } from '../../storage/read-queue.ts'
import { isInsideTransaction } from '../../storage/reads.ts'

const derive = promisify<string, Buffer, number, Buffer>(scrypt)
const LENGTH = 32

/**
 * Stretching takes tens of milliseconds of a processor and of a thread that files need as well, and anyone can ask for it
 * with a guess: clients take turns, two at a time. Who sets a password waits for those who set one alone. Milliseconds
 * that one waits.
 */
const TURNS = {
  trying: new ReadQueue({ slots: 2, spared: 1, timeout: 10_000, waiting: MOST_WAITING.long }),
  setting: new ReadQueue({ slots: 1, spared: 0, timeout: 10_000, waiting: MOST_WAITING.long }),
} as const

/**
 * The salt that the passwords of all events of a site are stretched with, from its secret: a list tries one password on
 * fifty events, and stretching takes long on purpose, so that it is done once and not fifty times.
 */
export function entryPasswordSalt(secret: string): Buffer {
  return createHmac('sha256', secret).update('passwords of events').digest().subarray(0, 16)
}

/**
 * Salted hash of the password of an event: `scrypt:<salt>:<own salt>:<hash>`, all base64url. Equal passwords have
 * different hashes because of the own salt (decisions: Password).
 * @throws rest_too_busy when too many passwords wait that are to be set
 */
export async function hashEntryPassword(plain: string, salt: Buffer): Promise<string> {
  const own = randomBytes(16)
  const hash = salted(await stretched(plain, salt, TURNS.setting), own)
  return ['scrypt', ...[salt, own, hash].map((part) => part.toString('base64url'))].join(':')
}

/**
 * Whether a password is the one of a stored hash; compared in constant time. What it returns throws
 * rest_too_busy when too many passwords wait.
 */
export function entryPasswordTrial(plain: string): (stored: string) => Promise<boolean> {
  const known = new Map<string, Promise<Buffer>>()
  return async (stored) => {
    const [, salt = '', ...parts] = stored.split(':')
    const given = known.get(salt) ?? stretched(plain, Buffer.from(salt, 'base64url'), TURNS.trying)
    known.set(salt, given)
    // Passwords that were set before sites had one salt have no own one: `scrypt:<salt>:<hash>`.
    const [own, hash = ''] = parts.length === 1 ? [undefined, parts[0]] : parts
    const expected = Buffer.from(hash, 'base64url')
    const actual = own === undefined ? await given : salted(await given, Buffer.from(own, 'base64url'))
    return expected.length === actual.length && timingSafeEqual(expected, actual)
  }
}

/** What passwords were stretched to before a transaction that sets or tries them; see `stretchAhead`. */
export type StretchedPasswords = ReadonlyMap<string, Buffer>

const ahead = new AsyncLocalStorage<StretchedPasswords>()

/**
 * Stretches passwords for `withStretched`, one after the other. Whoever may set some waits for those who set one, everybody
 * else for those who guess.
 * @throws rest_too_busy when too many passwords wait
 */
export async function stretchAhead(
  passwords: ReadonlySet<string>,
  { salt, maySet }: { readonly salt: Buffer; readonly maySet: boolean },
): Promise<StretchedPasswords> {
  const made = new Map<string, Buffer>()
  const turns = maySet ? TURNS.setting : TURNS.trying
  for (const plain of passwords) made.set(keyOf(plain, salt), await stretched(plain, salt, turns))
  return made
}

/** Runs a step in which those passwords are not stretched again. */
export function withStretched<T>(passwords: StretchedPasswords, step: () => T): T {
  return ahead.run(passwords, step)
}

function keyOf(plain: string, salt: Buffer): string {
  return `${salt.toString('base64url')} ${plain.normalize('NFC')}`
}

async function stretched(plain: string, salt: Buffer, turns: ReadQueue): Promise<Buffer> {
  // A transaction waits for no other thread. Left for it are passwords known only from earlier responses, and those of former
  // salts; batches bound how many there are.
  if (isInsideTransaction())
    return ahead.getStore()?.get(keyOf(plain, salt)) ?? scryptSync(plain.normalize('NFC'), salt, LENGTH)
  return turns.run(() => derive(plain.normalize('NFC'), salt, LENGTH), { isDropped: true })
}

function salted(stretchedPassword: Buffer, own: Buffer): Buffer {
  return createHash('sha256').update(own).update(stretchedPassword).digest()
}
