import type { Configuration, IDToken } from 'openid-client'
import { Failure, fail } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import type { AddressGate } from '../../base/outgoing/addresses.ts'
import type { Claims } from './claims.ts'
import { differs, notUsable, type Published, publishedBy } from './metadata.ts'
import { providerFetch } from './outgoing.ts'
import type { Provider, ProviderWithSecret } from './providers.ts'
import { verifiedClaims } from './tokens.ts'

/** What requests to providers are made with. */
export interface ClientDeps {
  readonly gate: AddressGate
  /** Unix milliseconds. */
  readonly now: () => number
  readonly log: Pick<Logger, 'warn'>
}

/** What one sign-in is recognized by when the browser comes back. */
export interface Secrets {
  readonly state: string
  readonly nonce: string
  /** Of PKCE. */
  readonly verifier: string
}

/** A provider that is asked. */
export interface ProviderClient {
  readonly provider: Provider
  /**
   * Where the browser goes to sign in; `isAgain` for somebody who has to prove it there even if still signed in.
   * @throws provider_unavailable, provider_not_usable
   */
  signInAddress(back: string, secrets: Secrets, isAgain?: boolean): Promise<string>
  /**
   * Who came back with an answer: the address and query to which the browser was sent. The sign-out needs the token.
   * @throws provider_unavailable, provider_not_usable, sign_in_declined, sign_in_expired
   */
  signedIn(answer: URL, secrets: Secrets): Promise<{ readonly claims: Claims; readonly idToken: string }>
  /** Where the browser goes to sign out; undefined where the provider has no such page. @throws as `signInAddress` */
  signOutAddress(back: string, idToken?: string): Promise<string | undefined>
  /** The claims of a logout token. @throws provider_unavailable, provider_not_usable */
  logoutClaims(token: string): Promise<Claims>
}

/** Opens the way to a provider, which is asked for nothing until it is used. */
export function openClient({ clientSecret, ...provider }: ProviderWithSecret, deps: ClientDeps): ProviderClient {
  const fetch = providerFetch(provider.label, deps.gate)
  const published = publishedBy(provider, fetch, deps)
  const checking = { provider, published, now: deps.now }
  const named = <Value>(ask: () => Promise<Value>): Promise<Value> =>
    ask().catch((error: LibraryError) => {
      const { error: answered, error_description: why } = error
      if (answered !== undefined)
        deps.log.warn({ provider: provider.id, answered, why: why?.slice(0, 300) }, 'the provider refuses')
      throw failureOf(error, provider.label)
    })
  const configuration = (): Promise<Configuration> => configure({ ...provider, clientSecret }, published, fetch)
  return {
    provider,
    signInAddress: (back, secrets, isAgain = false) =>
      named(async () => signInAddress(provider, await configuration(), { back, isAgain, ...secrets })),
    signedIn: (answer, secrets) =>
      named(async () => {
        const known = await configuration()
        const { id_token: idToken = '', access_token: access } = await exchange(known, answer, secrets)
        const own = await verifiedClaims(idToken, 'ID token', checking)
        const further = await userinfo(known, { access, subject: String(own['sub']) })
        return { claims: { ...further, ...own, ...emailOf(own, further) }, idToken }
      }),
    signOutAddress: (back, idToken) =>
      named(async () => {
        const { buildEndSessionUrl } = await import('openid-client')
        const known = await configuration()
        if (known.serverMetadata().end_session_endpoint === undefined) return undefined
        return buildEndSessionUrl(known, {
          post_logout_redirect_uri: back,
          ...(idToken !== undefined && { id_token_hint: idToken }),
        }).href
      }),
    logoutClaims: (token) => verifiedClaims(token, 'logout token', checking),
  }
}

async function configure(
  { issuer, clientId, clientSecret }: ProviderWithSecret,
  published: Published,
  fetch: ReturnType<typeof providerFetch>,
): Promise<Configuration> {
  const oidc = await import('openid-client')
  const metadata = await published.metadata()
  // Times are checked with our clock, which tests set, when the signature is.
  const client = { [oidc.clockTolerance]: Number.MAX_SAFE_INTEGER }
  const isPosted = metadata.token_endpoint_auth_methods_supported?.includes('client_secret_post') ?? false
  const authenticate = isPosted ? oidc.ClientSecretPost(clientSecret) : oidc.ClientSecretBasic(clientSecret)
  const configuration = new oidc.Configuration(metadata, clientId, client, authenticate)
  configuration[oidc.customFetch] = (address, options) => fetch(address, options)
  if (issuer.startsWith('http:')) oidc.allowInsecureRequests(configuration)
  return configuration
}

async function signInAddress(
  { scopes: scope }: Provider,
  configuration: Configuration,
  { back, isAgain, state, nonce, verifier }: Secrets & { readonly back: string; readonly isAgain: boolean },
): Promise<string> {
  const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client')
  const challenge = { code_challenge: await calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' }
  const again = isAgain ? { prompt: 'login', max_age: '0' } : {}
  return buildAuthorizationUrl(configuration, { redirect_uri: back, scope, state, nonce, ...challenge, ...again }).href
}

async function exchange(configuration: Configuration, answer: URL, { state, nonce, verifier }: Secrets) {
  const { authorizationCodeGrant } = await import('openid-client')
  const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
  return authorizationCodeGrant(configuration, answer, checks)
}

/** An address with what is said about it: one that is verified in one place says nothing about another one. */
function emailOf(own: Claims, further: Claims): Claims {
  const email = own['email'] ?? further['email']
  const isVerified = [own, further].some((claims) => claims['email'] === email && claims['email_verified'] === true)
  return { email, email_verified: isVerified }
}

/** What the provider says beside the ID token; `{}` for nothing. */
async function userinfo(
  configuration: Configuration,
  { access, subject }: Readonly<Record<'access' | 'subject', string>>,
): Promise<Claims> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return {}
  const { fetchUserInfo } = await import('openid-client')
  return fetchUserInfo(configuration, access, subject)
}

/** The failure that the library reports, in the words of this program. */
function failureOf(error: unknown, label: string): Error {
  if (error instanceof Failure) return error
  const { cause, code, error: answered, error_description: why, message } = error as LibraryError
  if (cause instanceof Failure) return cause
  if (answered === 'invalid_grant') return fail('sign_in_expired')
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR' && /^(access_denied|\w+_required)$/.test(answered ?? ''))
    return fail('sign_in_declined', { provider: label })
  if (answered === 'temporarily_unavailable' || answered === 'server_error')
    return fail('provider_unavailable', { provider: label, reason: answered })
  if (answered !== undefined) return notUsable(label, why === undefined ? answered : `${answered}: ${why}`)
  const compared = comparedIn(cause, label)
  return compared ?? notUsable(label, cause instanceof Error ? cause.message : message)
}

/** What errors of the library, and of the one below it, may have. */
interface LibraryError extends Error {
  readonly code?: string
  /** What the provider answered. */
  readonly error?: string
  readonly error_description?: string
}

/** The failure of a value that is not the expected one; undefined for others. Values that are secret are not named. */
function comparedIn(cause: unknown, label: string): Failure | undefined {
  const { cause: details } = (cause ?? {}) as { readonly cause?: unknown }
  const { expected, claims, claim, parameters } = (details ?? {}) as Compared
  if (expected === undefined) return undefined
  if (parameters !== undefined) return differs(label, { what: 'issuer', ours: expected, theirs: parameters.get('iss') })
  if (claim === undefined || claim === 'nonce') return undefined
  return differs(label, { what: claim, ours: expected, theirs: claims?.[claim as keyof IDToken] })
}

interface Compared {
  readonly expected?: unknown
  readonly claims?: IDToken
  readonly claim?: string
  readonly parameters?: URLSearchParams
}
