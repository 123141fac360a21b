import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** What an authenticator is made to do wrong, or differently. */
export interface Oddity {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly userHandle?: string
  readonly counter?: number
  /** Whether the person was not verified, only present. */
  readonly isUnverified?: boolean
  /** Whether the signature is of something else. */
  readonly isForged?: boolean
  readonly type?: string
}

/** The options that a site sends, as far as authenticators need them. */
export interface Options {
  readonly challenge: string
  readonly rp?: { readonly id: string }
  readonly rpId?: string
  readonly user?: { readonly id: string }
}

/** A passkey as an authenticator keeps it, with the response to the site that created it, JSON. */
export interface SoftPasskey {
  readonly created: string
  /** The response that uses it, JSON. */
  use(options: Options, oddity?: Oddity): string
}

/** An authenticator in software, which does as it is told: browsers refuse to send what the tests of refusals need. */
export function createPasskey(origin: string, options: Options, oddity: Oddity = {}): SoftPasskey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  // COSE: EC2 with ES256 on P-256 (RFC 9053 section 7.1).
  const key = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
  const attested = Buffer.concat([Buffer.alloc(16), uint16(id.length), id, key])
  const authData = Buffer.concat([authenticatorData(options, oddity, 0x40), attested])
  const attestationObject = Buffer.concat([
    Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex'),
    uint16(authData.length),
    authData,
  ])
  const response = {
    clientDataJSON: encoded(clientData('webauthn.create', origin, options, oddity)),
    attestationObject: encoded(attestationObject),
    transports: ['internal'],
  }
  const use = (asked: Options, how: Oddity = {}): string => {
    const data = clientData('webauthn.get', origin, asked, how)
    const authenticator = authenticatorData(asked, how)
    const signed = Buffer.concat([authenticator, createHash('sha256').update(data).digest()])
    const signature = sign('sha256', how.isForged === true ? Buffer.concat([signed, id]) : signed, privateKey)
    return credential(id, {
      clientDataJSON: encoded(data),
      authenticatorData: encoded(authenticator),
      signature: encoded(signature),
      userHandle: how.userHandle ?? options.user?.id,
    })
  }
  return { created: credential(id, response), use }
}

function credential(id: Buffer, response: object): string {
  return JSON.stringify({
    id: encoded(id),
    rawId: encoded(id),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })
}

// biome-ignore lint/complexity/useMaxParams: what, where, which and how
function clientData(type: string, origin: string, { challenge }: Options, oddity: Oddity): Buffer {
  const data = { type, challenge, origin, crossOrigin: false, ...oddity }
  return Buffer.from(JSON.stringify(data))
}

/** Digest of the RP ID, flags and counter (WebAuthn 6.1). */
function authenticatorData(options: Options, oddity: Oddity, more = 0): Buffer {
  const { rpId = options.rpId ?? options.rp?.id ?? '', counter = 0, isUnverified = false } = oddity
  const rest = Buffer.alloc(5)
  rest.writeUInt8(0x01 | (isUnverified ? 0 : 0x04) | more, 0)
  rest.writeUInt32BE(counter, 1)
  return Buffer.concat([createHash('sha256').update(rpId).digest(), rest])
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

function encoded(bytes: Buffer): string {
  return bytes.toString('base64url')
}
