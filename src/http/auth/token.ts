import { createHmac, randomBytes, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** The parts of a token: `kal_ID_SECRETCHECK`. */
export interface TokenParts {
  /** Eight letters and digits, no secret. */
  readonly id: string
  /** 256 random bits in base64url. */
  readonly secret: string
}

/** How long a token is valid unless someone says otherwise, milliseconds. */
export const TOKEN_LIFETIME: number = 90 * 24 * 3_600_000

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const ID_LENGTH = 8
const CHECK_LENGTH = 6
const FORM = /^(kal_([0-9A-Za-z]{8})_([\w-]{43}))([0-9A-Za-z]{6})$/

/** A new token with its parts. */
export function generateToken(): TokenParts & { readonly token: string } {
  const id = Array.from({ length: ID_LENGTH }, () => DIGITS[randomInt(DIGITS.length)]).join('')
  const secret = randomBytes(32).toString('base64url')
  const text = `kal_${id}_${secret}`
  return { id, secret, token: text + checkOf(text) }
}

/** The parts of a token; undefined for a text that is none, or was mistyped. */
export function readToken(text: string): TokenParts | undefined {
  const [, start = '', id = '', secret = '', check] = FORM.exec(text) ?? []
  return check !== undefined && check === checkOf(start) ? { id, secret } : undefined
}

/** What is stored of the secret of a token: HMAC-SHA-256 in hexadecimal under the key of this installation. */
export function hashToken(key: string, secret: string): string {
  return createHmac('sha256', key).update(secret).digest('hex')
}

/** CRC-32 of the text before it, so that leak scanners and typing errors are recognized without a query. */
function checkOf(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let place = 0; place < CHECK_LENGTH; place += 1) {
    digits = `${DIGITS[rest % DIGITS.length]}${digits}`
    rest = Math.floor(rest / DIGITS.length)
  }
  return digits
}
