import { confirmSession, digestOf, newSecret } from '../../accounts/sessions/index.ts'
import {
  arrive,
  authTime,
  beginSignIn,
  checkProof,
  endByToken,
  mappedRole,
  PENDING_SECONDS,
  type ProviderClient,
  type Returned,
  resumeSignIn,
  textClaim,
  type WantedSignIn,
} from '../../accounts/single-sign-on/index.ts'
import { Failure, fail } from '../../base/errors.ts'
import type { PageResponse } from '../../http/html-page.ts'
import { cookieIn, pageCookieOf, sessionCookieOf, setSessionCookie } from '../../http/request/session-cookie.ts'
import { nextOf } from '../next.ts'
import { type AdminPage, type PageRequest, redirect } from '../page-request.ts'
import { enter, maySignIn } from '../sign-in-pages.ts'
import { type Leaving, onward } from './onward.ts'
import { PROVIDER_PATH, providersOf, publicPage } from './providers.ts'
import { refusal } from './refusal.ts'

/** Where sign-ins at providers start and return to, and where providers say that one has ended. */
export const PROVIDER_PAGES: readonly AdminPage[] = [
  { path: `${PROVIDER_PATH}/:id`, isCostly: true, show: start },
  { path: `${PROVIDER_PATH}/:id/callback`, isCostly: true, show: comeBack },
  { path: `${PROVIDER_PATH}/:id/logout`, show: () => redirect('/admin/login'), submit: endFromThere },
]

/** The cookie by which the browser of a pending sign-in is recognized. */
const COOKIE = 'kalends_sign_in'

function clientOf(request: PageRequest): ProviderClient | undefined {
  return providersOf(request).find(({ provider }) => provider.id === request.incoming.path['id'])
}

async function start(request: PageRequest): Promise<PageResponse> {
  const client = clientOf(request)
  if (client === undefined || !maySignIn(request) || request.http.sentMethod === 'HEAD') return redirect('/admin/login')
  const link = request.query('link')
  return orRefusal(request, client, async () => {
    const { address, headers } = await leave(request, client, { next: nextOf(request), ...(link && { link }) })
    return redirect(address, headers)
  })
}

/** Connects an account at a provider to the user who is signed in. */
export function startConnecting(request: PageRequest, client: ProviderClient): Promise<PageResponse> {
  const wanted = { next: '/admin/profile?done=connected', userId: request.incoming.caller.id }
  return orRefusal(request, client, async () => onward(request, await leave(request, client, wanted)))
}

/** Has somebody who is signed in prove it once more at a provider, and goes on to a page of the administration. */
export async function startConfirming(request: PageRequest, client: ProviderClient): Promise<PageResponse> {
  const { session: link } = request.http
  if (link === undefined) return redirect('/admin/login')
  const wanted = { next: nextOf(request), userId: request.incoming.caller.id, link }
  return orRefusal(request, client, async () => onward(request, await leave(request, client, wanted)))
}

/** What a step leads to, or the page that says why it failed. */
function orRefusal(
  request: PageRequest,
  { provider }: ProviderClient,
  step: () => Promise<PageResponse>,
): Promise<PageResponse> {
  return step().catch((error: unknown) => refusal(request, provider, error))
}

/** Starts a sign-in. Several tabs of a browser share a cookie. */
async function leave(
  request: PageRequest,
  { provider, signInAddress }: ProviderClient,
  wanted: Pick<WantedSignIn, 'next' | 'userId' | 'link'>,
): Promise<Leaving> {
  const { deps, http } = request
  const session = sessionCookieOf(http, deps.options)
  if (session === undefined) throw fail('sign_in_expired')
  const cookie = pageCookieOf(session, COOKIE)
  const browser = cookieIn(http, cookie) ?? newSecret()
  const secrets = await beginSignIn(deps, { ...wanted, provider: provider.id, browser })
  const isAgain = isConfirming(wanted.userId, wanted.link)
  const address = await signInAddress(callbackOf(request, provider.id), secrets, isAgain)
  return { address, headers: { 'set-cookie': setSessionCookie(cookie, browser, PENDING_SECONDS) } }
}

/** Whoever connects an account opens no link: what is there with a user is the session that is confirmed. */
function isConfirming(userId: number | undefined, link: string | undefined): boolean {
  return userId !== undefined && link !== undefined
}

function callbackOf(request: PageRequest, id: string): string {
  return publicPage(request, `${PROVIDER_PATH}/${id}/callback`)
}

async function comeBack(request: PageRequest): Promise<PageResponse> {
  const { deps, http, query } = request
  const client = clientOf(request)
  const session = sessionCookieOf(http, deps.options)
  if (client === undefined || session === undefined) return redirect('/admin/login')
  const browser = cookieIn(http, pageCookieOf(session, COOKIE)) ?? ''
  const wanted = { provider: client.provider.id, state: query('state'), browser }
  return orRefusal(request, client, async () => finish(request, client, await resumeSignIn(deps, wanted)))
}

async function finish(request: PageRequest, client: ProviderClient, returned: Returned): Promise<PageResponse> {
  const { deps, http, incoming } = request
  const { provider } = client
  const { userId, linkId, next, startedAt } = returned
  if (userId !== undefined && userId !== incoming.caller.id) throw fail('sign_in_expired')
  const answer = new URL(callbackOf(request, provider.id))
  answer.search = new URL(http.target, answer).search
  const { claims, idToken } = await client.signedIn(answer, returned.secrets)
  if (userId !== undefined && isConfirming(userId, linkId)) {
    const { session } = http
    if (session === undefined || digestOf(session) !== linkId) throw fail('sign_in_expired')
    await checkProof(deps, { provider, claims, userId, startedAt })
    await confirmSession(deps, session)
    return redirect(next)
  }
  const role = mappedRole(provider, claims, deps.log)
  const arrival = { provider, claims, role, userId, linkId }
  const { user, identityId, changes } = await arrive(deps, arrival)
  const by = userId === undefined ? `oidc ${provider.id}` : user.name
  for (const change of changes) deps.log.info({ change, user: user.name, by }, 'audit')
  if (userId !== undefined) return redirect(next)
  const origin = { identityId, providerSession: textClaim(claims, 'sid'), idToken, authenticatedAt: authTime(claims) }
  return enter(request, { userId: user.id, origin }, next)
}

/** Back-channel logout: the provider itself asks, without a browser. */
async function endFromThere(request: PageRequest): Promise<PageResponse> {
  const { deps, sent } = request
  const client = clientOf(request)
  const answer = (status: number, body: string): PageResponse => {
    return { status, body, type: 'application/json', headers: { 'cache-control': 'no-store' } }
  }
  if (client === undefined) return answer(404, '{"error":"invalid_request"}')
  try {
    await endByToken(deps, client, sent('logout_token'))
    deps.log.info({ change: 'sessions ended', by: `oidc ${client.provider.id}` }, 'audit')
    return answer(200, '')
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    deps.log.warn({ provider: client.provider.id, reason: error.message }, 'logout token refused')
    return answer(400, JSON.stringify({ error: 'invalid_request', error_description: error.message }))
  }
}
