import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import Provider, { type Configuration, type JWK } from 'oidc-provider'
import { atEnd, type TestScope } from './at-end.ts'

/** How a provider behaves, by what the tables of the guide say about the products. */
export interface Behaviour {
  /** Path of the issuer; '' or `/realms/town` or with a slash at its end. */
  readonly path?: string
  /** Claims of whoever signs in, beside `sub`. */
  readonly claims?: Readonly<Record<string, unknown>>
  /** Whether the ID token leaves out all but `sub`. */
  readonly isUserinfoOnly?: boolean
  /** Whether there is an end session endpoint; there is if absent. */
  readonly endsSessions?: boolean
}

/** What answers in place of the provider; false where the provider is to answer. */
export type Stand = (request: IncomingMessage, response: ServerResponse) => boolean

/** An OpenID Connect provider on a port of this machine. */
export interface TestProvider {
  readonly issuer: string
  /** Address without path. */
  readonly origin: string
  /** Who signs in next, and what is said about them; may be changed. */
  subject: string
  claims: Readonly<Record<string, unknown>>
  /** Answers in place of the provider while it is set. */
  stand: Stand | undefined
  /** Paths that were asked for, without those of sign-ins. */
  readonly asked: string[]
  /** Logout tokens that were sent. */
  readonly logoutTokens: string[]
  /** Gives it a new key; it forgets its sessions. */
  rotate(): Promise<void>
}

/** What the site is called at every provider. */
export const CLIENT = { id: 'kalends', secret: 'a secret of forty characters, which is long' } as const

const ALL_CLAIMS = [
  'email',
  'email_verified',
  'name',
  'preferred_username',
  'hd',
  'groups',
  'roles',
  'realm_access',
  '_claim_names',
]

/** What its access tokens for other servers may be for. */
const RESOURCE_SCOPES = 'read events:write admin'

/** Starts a provider for the site at an origin, which knows it as `id`. */
export async function startProvider(
  t: TestScope,
  site: { readonly origin: string; readonly id: string },
  behaviour: Behaviour = {},
): Promise<TestProvider> {
  let handle: (request: IncomingMessage, response: ServerResponse) => Promise<void> = async () => undefined
  const { path = '' } = behaviour
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost')
    if (!/\/(auth|interaction)/.test(pathname)) test.asked.push(pathname)
    if (test.stand?.(request, response) === true) return
    handle(request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  atEnd(t, async () => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const issuer = `${origin}${path}`
  const open = async (): Promise<void> => {
    const provider = new Provider(issuer, await configurationOf(site, behaviour, test))
    provider.proxy = false
    handle = handlerOf(provider, path.replace(/\/$/, ''), test)
  }
  const test: TestProvider = {
    issuer,
    origin,
    subject: 'ada',
    claims: behaviour.claims ?? {},
    stand: undefined,
    asked: [],
    logoutTokens: [],
    rotate: open,
  }
  await open()
  return test
}

let keys = 0

async function newKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  keys += 1
  return { ...(await exportJWK(privateKey)), kid: `key ${keys}`, alg: 'RS256', use: 'sig' } as JWK
}

async function configurationOf(
  { origin, id }: { readonly origin: string; readonly id: string },
  { isUserinfoOnly = false, endsSessions = true }: Behaviour,
  test: TestProvider,
): Promise<Configuration> {
  const base = `${origin}/admin/oidc/${id}`
  return {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        token_endpoint_auth_method: 'client_secret_post',
        redirect_uris: [`${base}/callback`],
        post_logout_redirect_uris: [`${origin}/admin/login?done=out`],
        backchannel_logout_uri: `${base}/logout`,
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [await newKey()] },
    expiresWithSession: async () => false,
    cookies: { keys: ['a key for the cookies of a test'] },
    claims: { openid: ['sub', 'sid', ...ALL_CLAIMS], profile: [], email: [] },
    conformIdTokenClaims: isUserinfoOnly,
    findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ sub, ...test.claims }) }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope('openid profile email')
      const { resource } = oidc.params ?? {}
      if (typeof resource === 'string') grant.addResourceScope(resource, RESOURCE_SCOPES)
      await grant.save()
      return grant
    },
    interactions: {
      url: (_context, { uid }) => `${new URL(test.issuer).pathname.replace(/\/$/, '')}/interaction/${uid}`,
    },
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: async () => ({ scope: RESOURCE_SCOPES, accessTokenFormat: 'jwt', accessTokenTTL: 600 }),
      },
      rpInitiatedLogout: {
        enabled: endsSessions,
        // The page with its question.
        logoutSource: (context, form) => {
          context.body = `${form}<button form="op.logoutForm" name="logout" value="yes">Yes</button>`
        },
      },
      backchannelLogout: { enabled: true },
    },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    // What it sends to the site by itself.
    fetch: async (address, options) => {
      const sent = new URLSearchParams(String(options?.body ?? '')).get('logout_token')
      if (sent !== null) test.logoutTokens.push(sent)
      // Its own way out is closed for addresses of this machine.
      const { dispatcher: _gate, ...plain } = { dispatcher: undefined, ...options }
      return fetch(address, plain)
    },
    renderError: (context, out) => {
      context.body = JSON.stringify(out)
    },
  }
}

/** Everybody is signed in at once as the subject of the test. */
function handlerOf(provider: Provider, prefix: string, test: TestProvider) {
  const serve = provider.callback()
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const mounted = request as IncomingMessage & { originalUrl?: string; baseUrl?: string }
    mounted.originalUrl = request.url ?? ''
    mounted.baseUrl = prefix
    if (prefix !== '' && request.url?.startsWith(prefix) === true) request.url = request.url.slice(prefix.length) || '/'
    if (request.url?.startsWith('/interaction/') !== true) return serve(request, response)
    await provider.interactionFinished(request, response, { login: { accountId: test.subject } })
  }
}

/** Tokens that a client has got for somebody. */
export interface GotTokens {
  readonly access: string
  readonly id: string
}

/**
 * Gets tokens for whoever signs in next, as a hosted client would: the access token is for a resource. `follow` goes on from an
 * address until the one that it returns.
 */
export async function tokensFor(
  { issuer }: TestProvider,
  { resource, scope, back }: { readonly resource: string; readonly scope: string; readonly back: string },
  follow: (address: string, end: RegExp) => Promise<string>,
): Promise<GotTokens> {
  const verifier = 'v'.repeat(43)
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const asked = new URLSearchParams({
    ...{ client_id: CLIENT.id, response_type: 'code', redirect_uri: back, scope: `openid ${scope}`, resource },
    ...{ code_challenge: challenge, code_challenge_method: 'S256', state: 's' },
  })
  const returned = await follow(`${issuer}/auth?${asked}`, /\/callback\?/)
  const code = new URL(returned).searchParams.get('code') ?? ''
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      ...{ grant_type: 'authorization_code', code, redirect_uri: back, code_verifier: verifier, resource },
      ...{ client_id: CLIENT.id, client_secret: CLIENT.secret },
    }),
  })
  const { access_token: access = '', id_token: id = '' } = (await response.json()) as Record<string, string>
  return { access, id }
}
