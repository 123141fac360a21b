import { beginSession, endSession, SESSION_SECONDS, type SessionOrigin, signIn } from '../accounts/sessions/index.ts'
import type { User } from '../accounts/users/index.ts'
import type { PageResponse } from '../http/html-page.ts'
import { sessionCookieOf, setSessionCookie } from '../http/request/session-cookie.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import { auditRights } from './audit.ts'
import { lineControl } from './controls.ts'
import { FORGOT_PATH } from './forgot.ts'
import { cardPage } from './layout.ts'
import { nextOf } from './next.ts'
import { type AdminPage, type PageRequest, redirect, WAYS_IN_PATH } from './page-request.ts'
import { PASSKEY_SCRIPT, passkeyForm, passkeyUser } from './passkey-form.ts'
import { onward, signOut } from './single-sign-on/onward.ts'
import { providerLinks } from './single-sign-on/providers.ts'

/** Where people sign in, and sign out. */
export const SIGN_IN_PAGES: readonly AdminPage[] = [
  {
    path: '/admin/login',
    show: (request) => (request.incoming.caller.id === 0 ? form(request) : redirect(nextOf(request))),
    submit,
  },
  {
    path: '/admin/logout',
    show: () => redirect('/admin/login'),
    submit: async (request) => {
      const { http } = request
      const headers = cookieHeader(request, '', 0)
      if (http.session === undefined) return redirect('/admin/login?done=out', headers)
      const address = await signOut(request, http.session)
      return address === undefined ? redirect('/admin/login?done=out', headers) : onward(request, { address, headers })
    },
  },
]

/** Whose session starts, and after single sign-on where it comes from. */
interface Entering {
  readonly userId: number
  readonly origin?: SessionOrigin
}

/** Starts a session of a user in the browser that asks, in place of the one that it had, and leads on. */
export async function enter(request: PageRequest, entering: Entering, address: string): Promise<PageResponse> {
  return redirect(address, await newSession(request, entering))
}

/** The header with which a session of a user starts in the browser that asks, in place of the one that it had. */
export async function newSession(
  request: PageRequest,
  { userId, origin }: Entering,
): Promise<Readonly<Record<string, string>>> {
  const { http, deps, incoming } = request
  if (http.session !== undefined) await endSession(deps, http.session)
  const browser = {
    agent: http.headers['user-agent'] ?? '',
    address: http.client.address,
    language: incoming.language,
    ...(origin && { origin }),
  }
  const id = await beginSession(deps, userId, browser)
  return cookieHeader(request, id, SESSION_SECONDS)
}

/** Whether people can sign in over the connection of a request: where cookies would be read on the way they cannot. */
export function maySignIn({ http, deps }: PageRequest): boolean {
  return sessionCookieOf(http, deps.options) !== undefined
}

function cookieHeader({ http, deps }: PageRequest, id: string, seconds: number): Readonly<Record<string, string>> {
  const cookie = sessionCookieOf(http, deps.options)
  return cookie === undefined ? {} : { 'set-cookie': setSessionCookie(cookie, id, seconds) }
}

async function submit(request: PageRequest): Promise<PageResponse> {
  const { deps, watch, t, sent } = request
  if (!maySignIn(request)) return form(request, 403)
  if (sent('credential') !== '') {
    const user = await passkeyUser(request)
    return user === undefined
      ? form(request, 401, t('admin.passkeys.failed'))
      : enter(request, { userId: user.id }, nextOf(request))
  }
  const isAllowed = ({ name }: User): boolean => deps.openWays.mayUsePassword(name)
  const signed = await signIn(deps, { login: sent('login'), password: sent('password'), isAllowed }, watch)
  if (signed === undefined) return form(request, 401, t('admin.signIn.wrong'))
  const { user, usedCode } = signed
  if (usedCode) auditRights(request, 'recovery code used', { user: user.name, by: user.name })
  return enter(request, { userId: user.id }, usedCode ? `${WAYS_IN_PATH}?done=code` : nextOf(request))
}

function form(request: PageRequest, status = 200, refused?: string): PageResponse {
  const { t } = request
  const mayEnter = maySignIn(request)
  const told = mayEnter ? refused : t('admin.signIn.needsHttps')
  const links = mayEnter ? providerLinks(request, { next: nextOf(request) }) : NOTHING
  const ways = [passwordPart(request, mayEnter), mayEnter ? passkeyPart(request) : NOTHING, links]
  const isClosed = mayEnter && ways.every((way) => way === NOTHING)
  const body = html`${ways}${isClosed ? html`<p>${t('admin.signIn.closed')}</p>` : NOTHING}`
  const done = request.query('done') === 'out' ? t('admin.signIn.youreSignedOut') : undefined
  return cardPage(request, {
    status,
    title: t('admin.signIn.signIn'),
    body,
    scripts: [PASSKEY_SCRIPT],
    refused: told,
    done,
  })
}

function passkeyPart(request: PageRequest): Markup {
  const fields = html`<input type="hidden" name="next" value="${nextOf(request)}">`
  return passkeyForm(request, { kind: 'get', action: '/admin/login', text: request.t('admin.passkeys.signIn'), fields })
}

/** Whether the form for passwords is shown at once, behind a link for emergencies, or not at all. */
function passwordForm({ deps, method, query }: PageRequest): 'shown' | 'behind link' | 'absent' {
  const { passwordSignIn, breakGlass } = deps.config
  if (passwordSignIn) return 'shown'
  if (breakGlass.length === 0) return 'absent'
  return method === 'POST' || query('with') === 'password' ? 'shown' : 'behind link'
}

/** The form for passwords, or a link to it where only some may use it. */
function passwordPart(request: PageRequest, mayEnter: boolean): Markup {
  const { t, deps } = request
  const next = nextOf(request)
  const form = passwordForm(request)
  if (form === 'absent') return NOTHING
  if (form === 'behind link')
    return html`<p class="hint"><a href="/admin/login?${String(new URLSearchParams({ with: 'password', next }))}">${t('admin.signIn.withPassword')}</a></p>`
  return html`<form method="post" action="/admin/login">
<input type="hidden" name="next" value="${next}">
${lineControl({ name: 'login', label: t('admin.signIn.usernameOrEmail'), value: request.sent('login') }, { autocomplete: 'username webauthn', required: true })}${lineControl({ name: 'password', label: t('common.password') }, { type: 'password', autocomplete: 'current-password', required: true })}<button${mayEnter ? NOTHING : html` disabled`}>${t('admin.signIn.signIn')}</button>
</form>
<p class="hint">${deps.mailer.isConfigured ? html`<a href="${FORGOT_PATH}">${t('admin.forgot.link')}</a>` : t('admin.signIn.forgotten')}</p>`
}
