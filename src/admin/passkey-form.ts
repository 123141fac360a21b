import { type Answer, type Asking, passkeysOf, relyingPartyOf, signInWithPasskey } from '../accounts/passkeys/index.ts'
import { digestOf } from '../accounts/sessions/index.ts'
import type { User } from '../accounts/users/index.ts'
import { cookieIn, pageCookieOf, sessionCookieOf } from '../http/request/session-cookie.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import { actionForm, csrfField } from './layout.ts'
import type { PageRequest } from './page-request.ts'
import { browserOf } from './sessions-box.ts'
import { momentCell, rowsTable } from './table.ts'

/** Asks the browser for a passkey. */
export const PASSKEY_SCRIPT = 'admin/passkey.ts'

/** Why nobody can use passkeys on the page that is asked for; undefined where they can. */
export function noPasskeysReason(request: PageRequest): string | undefined {
  const party = partyOf(request)
  if (typeof party !== 'string') return undefined
  return request.t(`admin.passkeys.${party}`, { url: request.deps.settings.current.baseUrl })
}

/** The site as passkeys know it, where they can be used. */
function partyOf({ deps, http }: PageRequest): ReturnType<typeof relyingPartyOf> {
  return relyingPartyOf(deps.settings.current.baseUrl, http.host)
}

/** The cookie that ties a challenge to a page on which nobody is signed in. */
export function challengeCookieOf({ http, deps }: PageRequest): ReturnType<typeof sessionCookieOf> {
  const cookie = sessionCookieOf(http, deps.options)
  return cookie && pageCookieOf(cookie, 'kalends_passkey')
}

/** What a challenge is bound to, and for which site; undefined where there are no passkeys. `cookie`: a new one, if one is set. */
export function askingOf(request: PageRequest, cookie?: string): Asking | undefined {
  const { http } = request
  const party = partyOf(request)
  const known = challengeCookieOf(request)
  if (typeof party === 'string' || known === undefined) return undefined
  const secret = http.session ?? cookie ?? cookieIn(http, known)
  return secret === undefined ? undefined : { party, boundTo: digestOf(secret) }
}

/** What the browser sent of a passkey; undefined where it belongs to no page of ours. */
export function passkeyAnswer(request: PageRequest): Answer | undefined {
  const asking = askingOf(request)
  return asking && { ...asking, credential: request.sent('credential'), log: request.deps.log }
}

/** Whose passkey the browser has used; undefined when anything is wrong with it, which counts as a failed sign-in. */
export async function passkeyUser(request: PageRequest): Promise<User | undefined> {
  const answer = passkeyAnswer(request)
  return answer && signInWithPasskey(request.deps, answer, request.watch)
}

/** What a passkey is called unless somebody names it: after the browser. */
export function passkeyName({ http, t }: PageRequest): string {
  return browserOf(http.headers['user-agent'] ?? '') || t('admin.passkeys.passkey')
}

/** The passkeys of a user for administrators, with buttons that remove them; nothing for none. */
export async function passkeysBox(request: PageRequest, userId: number, path: string): Promise<Markup> {
  const { t, deps } = request
  const [created, used] = [t('admin.created'), t('admin.profile.lastUsed')]
  const rows = (await passkeysOf(deps.storage, userId)).map(({ id, name, created_at, used_at }) => {
    const button = html`<input type="hidden" name="passkey" value="${id}"><button class="quiet" aria-label="${t('admin.passkeys.removeName', { name })}">${t('admin.passkeys.remove')}</button>`
    return html`<tr><th scope="row"><bdi>${name}</bdi></th>${momentCell(request, created, created_at)}${momentCell(request, used, used_at)}<td>${actionForm(request, [path, 'passkey'], button)}</td></tr>\n`
  })
  if (rows.length === 0) return NOTHING
  return html`<div class="box"><h2>${t('admin.passkeys.title')}</h2>${rowsTable([t('fields.name'), created, used, ''], rows)}</div>\n`
}

/** A form that is sent with a passkey. */
interface PasskeyForm {
  /** Whether one is created, or used. */
  readonly kind: 'create' | 'get'
  readonly action: string
  /** Of the button. */
  readonly text: string
  readonly fields?: Markup
}

/** The form, which scripts show where the browser has passkeys; nothing where the site has none. */
export function passkeyForm(request: PageRequest, { kind, action, text, fields = NOTHING }: PasskeyForm): Markup {
  if (noPasskeysReason(request) !== undefined) return NOTHING
  const failed = request.t('admin.passkeys.failed')
  return html`<form class="passkey" method="post" action="${action}" data-passkey data-src="/admin/passkey" data-failed="${failed}" hidden>${csrfField(request)}<input type="hidden" name="kind" value="${kind}"><input type="hidden" name="credential">${fields}<button class="second">${text}</button></form>\n`
}
