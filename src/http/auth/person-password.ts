import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { ReadQueue } from '../../storage/read-queue.ts'

const derive = promisify<'argon2id', Argon2Parameters, Buffer>(argon2)

/** Memory in KiB and passes: the first choice of OWASP for argon2id. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const

/**
 * Checks at a time, one of them for a client, and those that wait, a quarter of them for a client: wrong passwords from one
 * address hold up nobody else.
 */
const STRETCHING = new ReadQueue({ slots: 2, spared: 1, waiting: 64, timeout: 10_000 })

/** Shortest password of a person, in characters, and the longest one, in UTF-8 bytes. */
export const PERSON_PASSWORD = { shortest: 8, longest: 1024 } as const

/** Whether a person may choose this password: neither too short nor too long, and not one of the names. */
export function isGoodPassword(plain: string, names: readonly string[]): boolean {
  const isShort = [...plain].length < PERSON_PASSWORD.shortest
  const isLong = Buffer.byteLength(plain) > PERSON_PASSWORD.longest
  return !isShort && !isLong && !names.some((name) => name.toLowerCase() === plain.trim().toLowerCase())
}

/** Salted hash of the password with which a person signs in: `argon2id:<memory>:<passes>:<salt>:<hash>`, both base64url. */
export async function hashPersonPassword(plain: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await stretched(plain, { ...COST, nonce: salt })
  return ['argon2id', COST.memory, COST.passes, salt.toString('base64url'), hash.toString('base64url')].join(':')
}

/** Used in place of a missing hash, so that timing does not reveal that. */
const NO_HASH = `argon2id:${COST.memory}:${COST.passes}:${'A'.repeat(22)}:${'A'.repeat(43)}`

/**
 * Whether a password is the one that was hashed; false after the same time where there is no hash.
 * @throws rest_too_busy when too many wait
 */
export async function isPersonPassword(plain: string, stored: string | undefined): Promise<boolean> {
  const [, memory, passes, salt = '', hash = ''] = (stored ?? NO_HASH).split(':')
  const cost = { ...COST, memory: Number(memory), passes: Number(passes) }
  const actual = await stretched(plain, { ...cost, nonce: Buffer.from(salt, 'base64url') })
  const expected = Buffer.from(hash, 'base64url')
  return stored !== undefined && actual.length === expected.length && timingSafeEqual(actual, expected)
}

function stretched(plain: string, parameters: Omit<Argon2Parameters, 'message'>): Promise<Buffer> {
  // A password that is too long matches none, and costs no more than the longest one.
  const message = Buffer.from(plain.normalize('NFC')).subarray(0, PERSON_PASSWORD.longest + 1)
  return STRETCHING.run(() => derive('argon2id', { ...parameters, message }), { isDropped: true })
}
