import { confirmSession, digestOf, isPasswordOf } from '../accounts/sessions/index.ts'
import { identitiesOfUser, type ProviderClient } from '../accounts/single-sign-on/index.ts'
import { waysInOf } from '../accounts/ways-in/index.ts'
import type { PageResponse } from '../http/html-page.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import { lineControl } from './controls.ts'
import { adminPage, csrfField } from './layout.ts'
import { nextOf } from './next.ts'
import { type AdminPage, type PageRequest, redirect } from './page-request.ts'
import { PASSKEY_SCRIPT, passkeyForm, passkeyUser } from './passkey-form.ts'
import { enter } from './sign-in-pages.ts'
import { startConfirming } from './single-sign-on/pages.ts'
import { providersOf } from './single-sign-on/providers.ts'

const PATH = '/admin/confirm'

/** Where somebody who is signed in proves again who they are. */
export const CONFIRM_PAGE: AdminPage = { path: PATH, role: 'subscriber', show: (request) => form(request), submit }

/** Whether the reader may make sensitive changes: the sign-in or the last confirmation is at most ten minutes ago. */
export function isConfirmed({ incoming }: PageRequest): boolean {
  return incoming.caller.isConfirmed === true
}

function confirmationPath(next: string): string {
  return `${PATH}?next=${encodeURIComponent(next)}`
}

/** Leads to the confirmation, and from there to a page of the administration. */
export function confirmation(next: string): PageResponse {
  return redirect(confirmationPath(next))
}

/** A link that does so, in place of a form that is there for those who have confirmed. */
export function confirmationLink(next: string, text: string, look = 'button second'): Markup {
  return html`<p><a class="${look}" href="${confirmationPath(next)}">${text}</a></p>`
}

/** Goes on after that proof; programs' credentials without a session get one. */
async function confirmed(request: PageRequest): Promise<PageResponse> {
  const { deps, http, incoming } = request
  if (http.session === undefined) return enter(request, { userId: incoming.caller.id }, nextOf(request))
  await confirmSession(deps, http.session)
  return redirect(nextOf(request))
}

/** Whether somebody who is signed in has typed the own password, and may; a wrong one counts as a failed sign-in. */
export async function isOwnPassword({ deps, incoming, watch }: PageRequest, typed: string): Promise<boolean> {
  const { id, name } = incoming.caller
  if (!deps.openWays.mayUsePassword(name)) return false
  const attempt = await watch?.begin(name, `${name} ${digestOf(typed)}`)
  const isRight = await isPasswordOf(deps, id, typed)
  if (isRight) attempt?.succeeded()
  else await attempt?.failed()
  return isRight
}

async function submit(request: PageRequest): Promise<PageResponse> {
  const { t, sent, incoming } = request
  const client = (await connectedProviders(request)).find(({ provider }) => provider.id === sent('provider'))
  if (client !== undefined) return startConfirming(request, client)
  if (sent('credential') !== '') {
    const user = await passkeyUser(request)
    return user?.id === incoming.caller.id ? confirmed(request) : form(request, { passkey: t('admin.passkeys.failed') })
  }
  if (await isOwnPassword(request, sent('password'))) return confirmed(request)
  return form(request, { password: t('admin.profile.wrongPassword') })
}

/** The providers at which the reader has a connected account. */
async function connectedProviders(request: PageRequest): Promise<ProviderClient[]> {
  const { deps, http, incoming } = request
  if (http.session === undefined) return []
  const identities = await identitiesOfUser(deps.storage, incoming.caller.id)
  return providersOf(request).filter(({ provider }) => identities.some(({ issuer }) => issuer === provider.issuer))
}

/** What was refused: a password, or a passkey. */
type Wrong = Readonly<Partial<Record<'password' | 'passkey', string>>>

async function form(request: PageRequest, wrong: Wrong = {}): Promise<PageResponse> {
  const { t, deps, incoming } = request
  const { caller } = incoming
  const { password, passkey } = await waysInOf(deps.storage, caller, deps.openWays)
  const next = html`<input type="hidden" name="next" value="${nextOf(request)}">`
  const typed = html`<form class="box" method="post" action="${PATH}">${csrfField(request)}${next}
<input type="hidden" name="username" autocomplete="username" value="${caller.name}">
${lineControl({ name: 'password', label: t('common.password'), wrong: wrong.password }, { type: 'password', autocomplete: 'current-password', required: true })}<button>${t('admin.confirmIdentity.button')}</button></form>`
  const again = html`<form class="box" method="post" action="/admin/logout">${csrfField(request)}<p>${t('admin.confirmIdentity.signInAgain')}</p><button>${t('admin.menu.signOut')}</button></form>`
  const key =
    passkey === 0
      ? NOTHING
      : passkeyForm(request, { kind: 'get', action: PATH, text: t('admin.passkeys.confirm'), fields: next })
  const providers = (await connectedProviders(request)).map(
    ({ provider: { id, label } }) =>
      html`<button class="second" name="provider" value="${id}">${t('admin.signIn.withProvider', { provider: label })}</button>\n`,
  )
  const elsewhere =
    providers.length === 0
      ? NOTHING
      : html`<form class="box" method="post" action="${PATH}">${csrfField(request)}${next}<div class="buttons">${providers}</div></form>`
  const body = html`<p>${t('admin.confirmIdentity.why')}</p>
${key}${elsewhere}${password > 0 ? typed : again}`
  return adminPage(request, {
    status: Object.keys(wrong).length === 0 ? 200 : 400,
    title: t('admin.confirmIdentity.title'),
    body,
    scripts: [PASSKEY_SCRIPT],
    refused: wrong.passkey,
  })
}
