import { beginSession, endSession, SESSION_SECONDS, signIn } from '../accounts/sessions/index.ts'
import type { PageResponse } from '../http/page.ts'
import { sessionCookieOf, setSessionCookie } from '../http/request/session-cookie.ts'
import { html, NOTHING } from '../pages/html.ts'
import { type AdminPage, type Asking, redirect } from './asking.ts'
import { lineControl } from './controls.ts'
import { cardPage } from './layout.ts'

/** Where people sign in, and sign out. */
export const SIGN_IN_PAGES: readonly AdminPage[] = [
  {
    path: '/admin/login',
    show: (asking) => (asking.incoming.caller.id === 0 ? form(asking) : redirect(next(asking))),
    submit,
  },
  {
    path: '/admin/logout',
    show: () => redirect('/admin/login'),
    submit: async (asking) => {
      const { request, parts } = asking
      if (request.session !== undefined) await endSession(parts, request.session)
      return redirect('/admin/login?done=out', cookieHeader(asking, '', 0))
    },
  },
]

/** Begins a session of a user in the browser that asks, in place of the one that it had, and leads on. */
export async function enter(asking: Asking, userId: number, address: string): Promise<PageResponse> {
  const { request, parts } = asking
  if (request.session !== undefined) await endSession(parts, request.session)
  const browser = { agent: request.headers['user-agent'] ?? '', address: request.client.address }
  const id = await beginSession(parts, userId, browser)
  return redirect(address, cookieHeader(asking, id, SESSION_SECONDS))
}

/** Whether people can sign in over the connection of a request: where cookies would be read on the way they cannot. */
export function maySignIn({ request, parts }: Asking): boolean {
  return sessionCookieOf(request, parts.options) !== undefined
}

function cookieHeader({ request, parts }: Asking, id: string, seconds: number): Readonly<Record<string, string>> {
  const cookie = sessionCookieOf(request, parts.options)
  return cookie === undefined ? {} : { 'set-cookie': setSessionCookie(cookie, id, seconds) }
}

async function submit(asking: Asking): Promise<PageResponse> {
  const { parts, watch, t } = asking
  if (!maySignIn(asking)) return form(asking, 403)
  const user = await signIn(parts, { login: asking.sent('login'), password: asking.sent('password') }, watch)
  if (user === undefined) return form(asking, 401, t('admin.signIn.wrong'))
  return enter(asking, user.id, next(asking))
}

/** Only pages of the administration are led to: whoever writes a link could name any other one. */
function next(asking: Asking): string {
  const wanted = asking.sent('next') || asking.query('next')
  return /^\/admin(?:[/?][\w./?&=%+~-]*)?$/.test(wanted) && !wanted.includes('..') ? wanted : '/admin'
}

function form(asking: Asking, status = 200, refused?: string): PageResponse {
  const { t } = asking
  const mayEnter = maySignIn(asking)
  const told = mayEnter ? refused : t('admin.signIn.needsHttps')
  const body = html`<form method="post" action="/admin/login">
<input type="hidden" name="next" value="${next(asking)}">
${lineControl({ name: 'login', label: t('admin.signIn.usernameOrEmail'), value: asking.sent('login') }, { autocomplete: 'username', required: true })}${lineControl({ name: 'password', label: t('common.password') }, { type: 'password', autocomplete: 'current-password', required: true })}<button${mayEnter ? NOTHING : html` disabled`}>${t('admin.signIn.signIn')}</button>
</form>
<p class="hint">${t('admin.signIn.forgotten')}</p>`
  const done = asking.query('done') === 'out' ? t('admin.signIn.youreSignedOut') : undefined
  return cardPage(asking, {
    status,
    title: t('admin.signIn.signIn'),
    body,
    ...(told !== undefined && { refused: told }),
    ...(done !== undefined && { done }),
  })
}
