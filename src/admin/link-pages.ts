import { type LinkPurpose, usePasswordLink, userOfLink } from '../accounts/sessions/index.ts'
import { addUser, changeNames, findLogin, type User } from '../accounts/users/index.ts'
import { Failure, fail } from '../base/errors.ts'
import { slugify } from '../base/text/slug.ts'
import { isGoodPassword, PERSON_PASSWORD } from '../http/auth/person-password.ts'
import type { PageResponse } from '../http/html-page.ts'
import { html } from '../pages/html.ts'
import { auditRights } from './audit.ts'
import { lineControl } from './controls.ts'
import type { SettingName } from './deps.ts'
import { cardPage } from './layout.ts'
import type { AdminPage, PageRequest } from './page-request.ts'
import { SETUP_SCRIPT, setupFields, type Wrong } from './setup-form.ts'
import { enter, maySignIn } from './sign-in-pages.ts'

/** The pages of links that work once: to choose a password, and to set up the site on the first start. */
export const LINK_PAGES: readonly AdminPage[] = [
  {
    path: '/admin/link',
    show: (request) => shown(request, 'password'),
    submit: (request) => used(request, 'password'),
  },
  { path: '/admin/setup', show: (request) => shown(request, 'setup'), submit: (request) => used(request, 'setup') },
]

async function shown(request: PageRequest, purpose: LinkPurpose): Promise<PageResponse> {
  const user = await userBehind(request, purpose)
  return user === undefined ? uselessPage(request) : formPage(request, { purpose, user })
}

function userBehind({ deps, query, incoming }: PageRequest, purpose: LinkPurpose): Promise<User | undefined> {
  return userOfLink(deps.storage, { token: query('token'), purpose, now: incoming.now })
}

async function used(request: PageRequest, purpose: LinkPurpose): Promise<PageResponse> {
  const user = await userBehind(request, purpose)
  if (user === undefined) return uselessPage(request)
  if (!maySignIn(request)) return formPage(request, { purpose, user, wrong: { password: insecure(request) } })
  const problems = purpose === 'setup' ? settingProblems(request) : {}
  if (Object.keys(problems).length > 0) return formPage(request, { purpose, user, wrong: problems })
  try {
    return await (purpose === 'setup' ? setUp(request) : choose(request))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    // Someone else has used the link meanwhile.
    if (error.code === 'bad_link') return uselessPage(request)
    const wrong = wrongOf(request, error)
    if (wrong === undefined) throw error
    return formPage(request, { purpose, user, wrong })
  }
}

async function choose(request: PageRequest): Promise<PageResponse> {
  const { deps, query, sent } = request
  const use = { token: query('token'), purpose: 'password', password: sent('password') } as const
  const user = await usePasswordLink(deps, use)
  auditRights(request, 'own password chosen', { user: user.name })
  return enter(request, user.id, '/admin')
}

/** The person who sets up gets an account; that of the first start stays for programs unless its name was typed. */
async function setUp(request: PageRequest): Promise<PageResponse> {
  const { deps, query, sent } = request
  const receiver = (): Promise<User> => administrator(request)
  const before = await findLogin(deps.storage, accountName(request))
  const user = await usePasswordLink(deps, {
    token: query('token'),
    purpose: 'setup',
    password: sent('password'),
    receiver,
  })
  if (user.id !== before?.id) auditRights(request, 'user added', { user: user.name, role: user.role })
  auditRights(request, 'own password chosen', { user: user.name })
  await deps.settings.save(settingsSent(request), user.id)
  return enter(request, user.id, '/admin/events/new?done=setup')
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
  if (code === 'bad_user_name' || code === 'name_taken') return { name: t('admin.signIn.nameTaken') }
  if (code === 'bad_user_email' || code === 'email_taken') return { email: t('admin.profile.emailTaken') }
  return undefined
}

function insecure({ t }: PageRequest): string {
  return t('admin.signIn.needsHttps')
}

interface LinkForm {
  readonly purpose: LinkPurpose
  readonly user: User
  readonly wrong?: Wrong
}

function formPage(request: PageRequest, { purpose, user, wrong }: LinkForm): PageResponse {
  const { t, query } = request
  const isSetup = purpose === 'setup'
  const password = lineControl(
    {
      name: 'password',
      label: t('common.password'),
      hint: t('admin.signIn.passwordHint', {
        count: PERSON_PASSWORD.shortest,
      }),
      wrong: wrong?.['password'],
    },
    { type: 'password', autocomplete: 'new-password', required: true },
  )
  const page = isSetup ? 'setup' : 'link'
  const intro = isSetup ? t('admin.setup.intro') : t('admin.signIn.choosePasswordName', { name: user.name })
  const body = html`<p>${intro}</p>
<form method="post" action="/admin/${page}?token=${query('token')}">
${isSetup ? setupFields(request, SETTINGS, wrong ?? {}) : html`<input type="hidden" autocomplete="username" name="login" value="${user.name}">`}${password}<button>${isSetup ? t('admin.setup.title') : t('admin.signIn.savePassword')}</button>
</form>`
  const title = isSetup ? t('admin.setup.welcome') : t('admin.signIn.chooseAPassword')
  const scripts = isSetup ? [SETUP_SCRIPT] : []
  return cardPage(request, { status: wrong === undefined ? 200 : 400, title, body, scripts })
}

function uselessPage(request: PageRequest): PageResponse {
  const { t } = request
  const body = html`<p>${t('admin.signIn.linkUsed')}</p>
<p><a class="button" href="/admin/login">${t('admin.signIn.signIn')}</a></p>`
  return cardPage(request, { status: 404, title: t('admin.signIn.linkDoesntWork'), body })
}
