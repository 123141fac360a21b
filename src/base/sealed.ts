import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** The key of the site, and what it seals: what was sealed for one purpose opens for no other. */
export interface SealingKey {
  readonly secret: string
  readonly purpose: string
}

const CIPHER = 'aes-256-gcm'
/** Bytes of the nonce and of the tag of AES-GCM (NIST SP 800-38D). */
const [NONCE, TAG] = [12, 16]

function keyOf({ secret, purpose }: SealingKey): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
}

/** Encrypts a text with the key of the site: what is stored is of no use without it. */
export function seal(text: string, key: SealingKey): string {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv(CIPHER, keyOf(key), nonce)
  const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), content]).toString('base64url')
}

/** Decrypts what `seal` has made; undefined with another key, or where it was changed. */
export function unseal(sealed: string, key: SealingKey): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  try {
    const decipher = createDecipheriv(CIPHER, keyOf(key), bytes.subarray(0, NONCE), { authTagLength: TAG })
    decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG))
    return Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
