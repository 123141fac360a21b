import type { JSONWebKeySet, JWTPayload } from 'jose'
import { Failure } from '../../base/errors.ts'
import { differs, notUsable, type Published } from './metadata.ts'
import type { Provider } from './providers.ts'

/** Seconds by which the clock of a provider may differ. */
const TOLERANCE = 30

/** What a token of a provider is checked with. */
interface Checking {
  readonly provider: Pick<Provider, 'label' | 'issuer' | 'clientId'>
  readonly published: Published
  now(): number
}

/** Signatures that need no shared secret. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/**
 * The claims of a token that a provider signed for this site, within its time. Keys that are unknown are read again,
 * once a minute at most. `what` names the token in errors. @throws provider_unavailable, provider_not_usable
 */
export async function verifiedClaims(token: string, what: string, checking: Checking): Promise<JWTPayload> {
  const { published } = checking
  const { errors } = await import('jose')
  try {
    return await check(token, what, { ...checking, keys: await published.keys() })
  } catch (error) {
    const isUnknown =
      error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWSSignatureVerificationFailed
    const keys = isUnknown ? await published.newKeys() : undefined
    if (keys === undefined) throw failureOf(error, what, checking)
    return check(token, what, { ...checking, keys }).catch((again: unknown) => {
      throw failureOf(again, what, checking)
    })
  }
}

type WithKeys = Checking & { readonly keys: JSONWebKeySet }

async function check(token: string, what: string, { provider, now, keys }: WithKeys): Promise<JWTPayload> {
  const { createLocalJWKSet, compactVerify } = await import('jose')
  const { payload } = await compactVerify(token, createLocalJWKSet(keys), { algorithms: ALGORITHMS })
  const claims = JSON.parse(new TextDecoder().decode(payload)) as JWTPayload
  const { label, issuer, clientId } = provider
  if (claims.iss !== issuer) throw differs(label, { what: 'issuer', ours: issuer, theirs: claims.iss })
  if (![claims.aud].flat().includes(clientId))
    throw differs(label, { what: 'client_id', ours: clientId, theirs: claims.aud })
  checkTimes(claims, what, { label, seconds: now() / 1000 })
  return claims
}

/** Names both times, so that whoever sets up a server sees which clock is wrong. */
function checkTimes(
  { iat, nbf, exp }: JWTPayload,
  what: string,
  { label, seconds }: { readonly label: string; readonly seconds: number },
): void {
  const here = `the clock here says ${timeOf(seconds)}`
  for (const [name, time] of Object.entries({ iat, nbf, exp }))
    if (time !== undefined && !Number.isFinite(time)) throw notUsable(label, `${name} of the ${what} is no number`)
  for (const from of [iat, nbf])
    if (from !== undefined && from > seconds + TOLERANCE)
      throw notUsable(label, `the ${what} is valid from ${timeOf(from)}, ${here}`)
  if (exp !== undefined && exp <= seconds - TOLERANCE)
    throw notUsable(label, `the ${what} is valid until ${timeOf(exp)}, ${here}`)
}

function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).concat('Z')
}

function failureOf(error: unknown, what: string, { provider }: Checking): unknown {
  if (error instanceof Failure) return error
  return notUsable(
    provider.label,
    `the ${what} is not valid: ${error instanceof Error ? error.message : String(error)}`,
  )
}
