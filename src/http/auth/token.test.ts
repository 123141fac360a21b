import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { authenticateBearer, type StoredToken, type TokenLookup } from './bearer.ts'
import { generateToken, hashToken, readToken } from './token.ts'

const KEY = 'k'.repeat(64)

test('a token is kal_, its ID, a secret of 256 bits and a CRC-32 in base62', () => {
  const { id, secret, token } = generateToken()
  assert.match(token, /^kal_[0-9A-Za-z]{8}_[\w-]{43}[0-9A-Za-z]{6}$/)
  assert.equal(Buffer.from(secret, 'base64url').length, 32)
  assert.deepEqual(readToken(token), { id, secret })
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  const check = [...token.slice(-6)].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0)
  assert.equal(check, crc32(token.slice(0, -6)))
})

/** A lookup of one token that counts its queries. */
function lookupOf({ id, secret }: { readonly id: string; readonly secret: string }) {
  const counted = { queries: 0 }
  const caller = { id: 1, role: 'editor', name: 'ada', scopes: ['read'] } as const
  const tokens: TokenLookup = {
    hash: (text) => hashToken(KEY, text),
    find: async (asked): Promise<StoredToken | undefined> => {
      counted.queries += 1
      return asked === id ? { hash: hashToken(KEY, secret), caller } : undefined
    },
  }
  return { counted, tokens, caller }
}

test('a mistyped token is refused without a query, and so is everything that is none', async () => {
  const made = generateToken()
  const { counted, tokens, caller } = lookupOf(made)
  assert.deepEqual(await authenticateBearer(made.token, tokens), caller)
  assert.equal(counted.queries, 1)
  for (const [place, digit] of [...made.token].entries()) {
    const mistyped = `${made.token.slice(0, place)}${digit === 'x' ? 'y' : 'x'}${made.token.slice(place + 1)}`
    await assert.rejects(authenticateBearer(mistyped, tokens), { code: 'invalid_token' }, mistyped)
  }
  for (const text of ['', 'kal_', made.secret, `${made.token}0`, ` ${made.token}`, made.token.toUpperCase()])
    await assert.rejects(authenticateBearer(text, tokens), { code: 'invalid_token' }, text)
  assert.equal(counted.queries, 1)
})

test('the right ID with another secret, and another ID with the right secret, are refused', async () => {
  const made = generateToken()
  const { counted, tokens } = lookupOf(made)
  const other = generateToken()
  for (const text of [`kal_${made.id}_${other.secret}`, `kal_${other.id}_${made.secret}`])
    await assert.rejects(authenticateBearer(withCheck(text), tokens), { code: 'invalid_token' })
  assert.equal(counted.queries, 2)
})

test('a wrong token is a failed sign-in under its ID, and its secret is nowhere', async () => {
  const made = generateToken()
  const { tokens } = lookupOf(generateToken())
  const noted: string[] = []
  const watch = {
    begin: async (login: string, proof: string) => {
      noted.push(login, proof)
      const failed = async (): Promise<void> => void noted.push('failed')
      return { succeeded: () => assert.fail(), gaveUp: () => assert.fail(), failed }
    },
  }
  for (const text of [made.token, made.token.slice(0, -1)])
    await assert.rejects(authenticateBearer(text, tokens, watch), { code: 'invalid_token' })
  assert.deepEqual(
    noted.filter((_one, place) => place % 3 !== 1),
    [`kal_${made.id}`, 'failed', 'kal_', 'failed'],
  )
  assert.ok(!noted.join(' ').includes(made.secret))
})

/** A text with the check of a token. */
function withCheck(text: string): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  let rest = crc32(text)
  let check = ''
  while (check.length < 6) {
    check = `${digits[rest % 62]}${check}`
    rest = Math.floor(rest / 62)
  }
  return text + check
}
