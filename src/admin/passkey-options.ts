import { creationOptions, requestOptions } from '../accounts/passkeys/index.ts'
import { findOpenLink, newSecret } from '../accounts/sessions/index.ts'
import { findUserById, type User } from '../accounts/users/index.ts'
import type { PageResponse } from '../http/html-page.ts'
import { cookieIn, setSessionCookie } from '../http/request/session-cookie.ts'
import { isConfirmed } from './confirm-identity.ts'
import { type AdminPage, type PageRequest, redirect } from './page-request.ts'
import { askingOf, challengeCookieOf } from './passkey-form.ts'

/** Seconds for which a page without a session is known: as long as its challenge. */
const COOKIE_SECONDS = 300

/** Where the script of passkeys gets a challenge, which is stored for five minutes: `{}` where there are no passkeys. */
export const PASSKEY_OPTIONS_PAGE: AdminPage = {
  path: '/admin/passkey',
  show: () => redirect('/admin/profile'),
  submit: async (request) => {
    const { http } = request
    const cookie = challengeCookieOf(request)
    const secret = http.session ?? (cookie && cookieIn(http, cookie)) ?? newSecret()
    const options = await optionsFor(request, secret)
    if (options === undefined || cookie === undefined) return json(403, {})
    const headers: Readonly<Record<string, string>> =
      http.session === undefined ? { 'set-cookie': setSessionCookie(cookie, secret, COOKIE_SECONDS) } : {}
    return json(200, options, headers)
  },
}

async function optionsFor(request: PageRequest, secret: string): Promise<object | undefined> {
  const { deps, sent, incoming } = request
  const asking = askingOf(request, secret)
  if (asking === undefined) return undefined
  const { id } = incoming.caller
  if (sent('kind') === 'get') return requestOptions(deps, asking, id === 0 ? undefined : id)
  const user = await receiverOf(request)
  return user && creationOptions(deps, asking, { user, siteName: deps.site.name })
}

/** Who gets the passkey: the user of a link, or whoever has just proved to be somebody. */
async function receiverOf(request: PageRequest): Promise<User | undefined> {
  const { deps, sent, incoming } = request
  const { now, caller } = incoming
  // Whether the link is one to choose a password is decided where it is used up.
  if (sent('token') !== '') return (await findOpenLink(deps.storage, { token: sent('token'), now }))?.user
  return isConfirmed(request) ? findUserById(deps.storage, caller.id) : undefined
}

function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): PageResponse {
  return {
    status,
    body: JSON.stringify(body),
    type: 'application/json',
    headers: { 'cache-control': 'no-store', ...headers },
  }
}
