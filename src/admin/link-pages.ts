import { usePasskeyLink } from '../accounts/passkeys/index.ts'
import { findOpenLink, type OpenLink, useAddressLink, usePasswordLink } from '../accounts/sessions/index.ts'
import { addUser, changeNames, findLogin, type User } from '../accounts/users/index.ts'
import { Failure, fail } from '../base/errors.ts'
import { slugify } from '../base/text/slug.ts'
import { isGoodPassword, PERSON_PASSWORD } from '../http/auth/person-password.ts'
import type { PageResponse } from '../http/html-page.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import { auditRights } from './audit.ts'
import { lineControl } from './controls.ts'
import type { SettingName } from './deps.ts'
import { cardPage, csrfField } from './layout.ts'
import type { AdminPage, PageRequest } from './page-request.ts'
import { PASSKEY_SCRIPT, passkeyAnswer, passkeyForm, passkeyName } from './passkey-form.ts'
import { codesPage } from './recovery-codes.ts'
import { SETUP_SCRIPT, setupFields, type Wrong } from './setup-form.ts'
import { enter, maySignIn, newSession } from './sign-in-pages.ts'
import { providerLinks } from './single-sign-on/providers.ts'

/** The pages of links that work once: to choose a password, to confirm an address, and to set up the site on the first start. */
export const LINK_PAGES: readonly AdminPage[] = [
  { path: '/admin/link/:token', show: shown, submit: used },
  { path: '/admin/setup', show: shown, submit: used },
]

/** The token in the address of a link. */
function tokenIn({ incoming, query }: PageRequest): string {
  return incoming.path['token'] ?? query('token')
}

/** What the link of a page is for; undefined where it does not work, or is for another page. */
async function linkOf(request: PageRequest): Promise<OpenLink | undefined> {
  const { deps, incoming } = request
  const link = await findOpenLink(deps.storage, { token: tokenIn(request), now: incoming.now })
  const isSetup = incoming.path['token'] === undefined
  return (link?.purpose === 'setup') === isSetup ? link : undefined
}

/** Opening a link uses up nothing: programs that look for harmful links open all of them. */
async function shown(request: PageRequest): Promise<PageResponse> {
  const link = await linkOf(request)
  return link === undefined ? uselessPage(request) : formPage(request, link)
}

async function used(request: PageRequest): Promise<PageResponse> {
  const { deps, sent, t } = request
  const link = await linkOf(request)
  if (link === undefined) return uselessPage(request)
  try {
    if (link.purpose === 'address') return await confirmAddress(request)
    if (!maySignIn(request)) return formPage(request, link, { password: t('admin.signIn.needsHttps') })
    const problems = link.purpose === 'setup' ? settingProblems(request) : {}
    if (Object.keys(problems).length > 0) return formPage(request, link, problems)
    const isPassword = sent('credential') === ''
    if (link.purpose !== 'setup' && isPassword && !deps.openWays.mayUsePassword(link.user.name))
      return formPage(request, link)
    return await (link.purpose === 'setup' ? setUp(request) : choose(request, link))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    // Someone else has used the link meanwhile.
    if (error.code === 'bad_link') return uselessPage(request)
    const wrong = wrongOf(request, error)
    if (wrong === undefined) throw error
    return formPage(request, link, wrong)
  }
}

async function confirmAddress(request: PageRequest): Promise<PageResponse> {
  const { deps, t } = request
  const { name, email } = await useAddressLink(deps, tokenIn(request))
  auditRights(request, 'address confirmed', { user: name })
  const body = html`<p><a class="button" href="/admin/profile">${t('admin.profile')}</a></p>`
  return cardPage(request, { title: t('admin.address.title'), done: t('admin.address.done', { email }), body })
}

/** Where a link leads in the end: whoever may have lost an account to others sees what they may have left in it. */
function afterwards({ purpose }: OpenLink): string {
  return purpose === 'invitation' ? '/admin' : '/admin/profile?done=reset'
}

async function choose(request: PageRequest, link: OpenLink): Promise<PageResponse> {
  const { deps, sent } = request
  if (sent('credential') !== '') return choosePasskey(request, link)
  const user = await usePasswordLink(deps, { token: tokenIn(request), password: sent('password') })
  auditRights(request, 'own password chosen', { user: user.name })
  return enter(request, { userId: user.id }, afterwards(link))
}

async function choosePasskey(request: PageRequest, link: OpenLink): Promise<PageResponse> {
  const { deps, sent } = request
  const { user: owner } = link
  const next = afterwards(link)
  const answer = passkeyAnswer(request)
  if (answer === undefined) throw fail('bad_passkey')
  const codes = await usePasskeyLink(deps, owner, {
    ...answer,
    name: sent('name'),
    token: tokenIn(request),
  })
  auditRights(request, 'own passkey chosen', { user: owner.name })
  // Recovery codes are typed in place of a password.
  if (!deps.openWays.mayUsePassword(owner.name)) return enter(request, { userId: owner.id }, next)
  return codesPage(request, { codes, next, headers: await newSession(request, { userId: owner.id }) })
}

/** The person who sets up gets an account; that of the first start stays for programs unless its name was typed. */
async function setUp(request: PageRequest): Promise<PageResponse> {
  const { deps, sent } = request
  const receiver = (): Promise<User> => administrator(request)
  const before = await findLogin(deps.storage, accountName(request))
  const user = await usePasswordLink(deps, { token: tokenIn(request), password: sent('password'), receiver })
  if (user.id !== before?.id) auditRights(request, 'user added', { user: user.name, role: user.role })
  auditRights(request, 'own password chosen', { user: user.name })
  await deps.settings.save(settingsSent(request), user.id)
  return enter(request, { userId: user.id }, '/admin/events/new?done=setup')
}

/** Whoever sets up; nobody is added or changed before the password is known to be one that can be used. */
async function administrator(request: PageRequest): Promise<User> {
  const { deps, sent } = request
  const displayName = sent('name').trim()
  const name = accountName(request)
  const typed = sent('email').trim()
  const known = await findLogin(deps.storage, name)
  const isThere = known?.role === 'administrator' && known.disabledAt === null
  const email = typed || (isThere ? known.email : `${name}@localhost`)
  if (!isGoodPassword(sent('password'), [name, email])) throw fail('bad_person_password')
  if (isThere) return changeNames(deps, { name: known.name, displayName: known.displayName, email })
  return addUser(deps, { name, email, role: 'administrator', displayName })
}

/** The username of whoever sets up: the name that was typed, as far as it can be one. */
function accountName({ sent }: PageRequest): string {
  const typed = sent('name').trim()
  return /^[\p{L}\p{M}\p{N}._-]{1,60}$/u.test(typed) ? typed : slugify(typed).slice(0, 60)
}

const SETTINGS: readonly SettingName[] = [
  'siteName',
  'siteZone',
  'language',
  'currencySymbol',
  'currencyPosition',
  'baseUrl',
]

function settingsSent({ deps, sent, incoming }: PageRequest): Partial<Record<SettingName, string>> {
  const open = SETTINGS.filter((name) => !deps.settings.isFixed(name) && incoming.body[name] !== undefined)
  return Object.fromEntries(open.map((name) => [name, name === 'baseUrl' ? publicAddress(sent(name)) : sent(name)]))
}

/** An address of this machine is no public one: links would lead nowhere from elsewhere, or from another port. */
function publicAddress(text: string): string {
  return /^https?:\/\/(localhost|127\.[\d.]+|\[::1\])(:\d+)?\/?$/i.test(text.trim()) ? '' : text
}

function settingProblems(request: PageRequest): Wrong {
  const { t, deps } = request
  const problems = deps.settings.problemsOf(settingsSent(request))
  const name = request.sent('name').trim() === '' ? { name: t('common.required') } : {}
  return { ...name, ...Object.fromEntries(problems.map((one) => [one, t('admin.form.unusable')])) }
}

/** Beside which field a failure stands; undefined for what no field can fix. */
function wrongOf({ t }: PageRequest, { code }: Failure): Wrong | undefined {
  const least = { count: PERSON_PASSWORD.shortest }
  if (code === 'bad_person_password') return { password: t('admin.signIn.passwordTooWeak', least) }
  if (code === 'bad_passkey' || code === 'too_many_passkeys') return { form: t('admin.passkeys.failed') }
  if (code === 'bad_user_name' || code === 'name_taken') return { name: t('admin.signIn.nameTaken') }
  if (code === 'bad_user_email' || code === 'email_taken') return { email: t('admin.profile.emailTaken') }
  return undefined
}

function formPage(request: PageRequest, link: OpenLink, wrong?: Wrong): PageResponse {
  const { t, deps } = request
  const { user, purpose, detail } = link
  const status = wrong === undefined ? 200 : 400
  const address = purpose === 'setup' ? `/admin/setup?token=${tokenIn(request)}` : `/admin/link/${tokenIn(request)}`
  const form = (content: Markup): Markup => html`<form method="post" action="${address}">${csrfField(request)}
${content}
</form>`
  if (purpose === 'address') {
    const body = html`<p>${t('admin.address.question', { name: user.name, email: detail })}</p>
${form(html`<button>${t('mail.address.button')}</button>`)}`
    return cardPage(request, { status, title: t('admin.address.title'), body, refused: wrong?.['email'] })
  }
  const hint = t('admin.signIn.passwordHint', { count: PERSON_PASSWORD.shortest })
  const password = lineControl(
    { name: 'password', label: t('common.password'), hint, wrong: wrong?.['password'] },
    { type: 'password', autocomplete: 'new-password', required: true },
  )
  if (purpose === 'setup') {
    const fields = html`${setupFields(request, SETTINGS, wrong ?? {})}${password}<button>${t('admin.setup.title')}</button>`
    const body = html`<p>${t('admin.setup.intro')}</p>\n${form(fields)}`
    return cardPage(request, { status, title: t('admin.setup.welcome'), body, scripts: [SETUP_SCRIPT] })
  }
  // Whoever has forgotten a password asks for the link without proof: it connects nothing.
  const mayConnect = purpose !== 'reset' && maySignIn(request)
  const elsewhere = mayConnect ? providerLinks(request, { link: tokenIn(request) }, purpose) : NOTHING
  const instead = html`${passkeyInstead(request, address)}${elsewhere}`
  const refused = wrong?.['form']
  const scripts = [PASSKEY_SCRIPT]
  if (!deps.openWays.mayUsePassword(user.name)) {
    const body = html`<p>${t('admin.signIn.noPasswords')}</p>${instead}`
    return cardPage(request, { status, title: t('admin.signIn.signIn'), body, scripts, refused })
  }
  const login = html`<input type="hidden" autocomplete="username" name="login" value="${user.name}">`
  const body = html`<p>${t('admin.signIn.choosePasswordName', { name: user.name })}</p>
${form(html`${login}${password}<button>${t('admin.signIn.savePassword')}</button>`)}${instead}`
  return cardPage(request, { status, title: t('admin.signIn.chooseAPassword'), body, scripts, refused })
}

/** Who has a link to choose a password may choose a passkey. */
function passkeyInstead(request: PageRequest, action: string): Markup {
  const fields = html`<input type="hidden" name="token" value="${tokenIn(request)}"><input type="hidden" name="name" value="${passkeyName(request)}">`
  return passkeyForm(request, { kind: 'create', action, text: request.t('admin.passkeys.useInstead'), fields })
}

function uselessPage(request: PageRequest): PageResponse {
  const { t } = request
  const body = html`<p>${t('admin.signIn.linkUsed')}</p>
<p><a class="button" href="/admin/login">${t('admin.signIn.signIn')}</a></p>`
  return cardPage(request, { status: 404, title: t('admin.signIn.linkDoesntWork'), body })
}
