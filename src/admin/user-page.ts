import { listUsers, type User } from '../accounts/users/index.ts'
import { ROLES } from '../http/auth/rights.ts'
import type { PageResponse } from '../http/html-page.ts'
import { html, type Markup, NOTHING, when } from '../pages/html.ts'
import { type Offer, selectControl } from './controls.ts'
import { copiedOnce, mailtoLink } from './copied-once.ts'
import { addressForm } from './invited-address.ts'
import { actionForm, adminPage } from './layout.ts'
import { type PageRequest, redirect } from './page-request.ts'
import { passkeysBox } from './passkey-form.ts'
import { passwordsBox } from './passwords-box.ts'
import { sessionsBox } from './sessions-box.ts'
import { identitiesBox } from './single-sign-on/identities.ts'
import { tokensBox } from './tokens-box.ts'

/** The list of users, below which each has a page. */
export const USERS_PATH = '/admin/users'

/** The page of a user. */
export function pathOf({ name }: Pick<User, 'name'>): string {
  return `${USERS_PATH}/${encodeURIComponent(name)}`
}

/** The roles to choose from. */
export function roleOffers({ t }: PageRequest): readonly Offer[] {
  return ROLES.map((role) => [role, t(`admin.users.${role}`)])
}

/** What is shown once. */
export interface Shown {
  readonly user?: User
  readonly link?: string
  readonly password?: string
  readonly done?: string
  readonly refused?: string
}

/** The user whose page is asked for. */
export async function userOf({ deps, incoming }: PageRequest): Promise<User | undefined> {
  const name = incoming.path['name'] ?? ''
  return (await listUsers(deps)).find((user) => user.name === name)
}

/** The link of somebody, to be passed on: whoever looks again does not see it. */
function linkBox(request: PageRequest, { email }: Pick<User, 'email'>, link: string): Markup {
  const { t, deps } = request
  const { name } = deps.site
  const mail = { subject: t('admin.users.mailSubject', { name }), body: t('admin.users.mailBody', { name, link }) }
  const noMail = when(!deps.mailer.isConfigured, () => html`<p class="quiet-text">${t('admin.users.noMail')}</p>`)
  return html`<div class="box"><h2>${t('admin.users.sendThisLink')}</h2><p>${t('admin.users.linkNote')}</p>${noMail}${copiedOnce(request, link)}${mailtoLink(request, email, mail)}</div></div>`
}

/** A new application password: whoever looks again does not see it. */
function passwordBox(request: PageRequest, password: string): Markup {
  const { t } = request
  return html`<div class="box"><h2>${t('admin.users.applicationPassword')}</h2><p>${t('admin.users.copyNow')}</p>${copiedOnce(request, password)}</div></div>`
}

/** Shows the page of a user, with what was just done. */
export async function userPage(
  request: PageRequest,
  { user: given, link, password, done, refused }: Shown,
): Promise<PageResponse> {
  const { t, deps, incoming } = request
  const user = given ?? (await userOf(request))
  if (user === undefined) return redirect(USERS_PATH)
  const path = pathOf(user)
  const action = (name: string, content: Markup): Markup => actionForm(request, [path, name], content)
  const isSelf = user.id === incoming.caller.id
  const shown = [
    link === undefined ? NOTHING : linkBox(request, user, link),
    password === undefined ? NOTHING : passwordBox(request, password),
  ]
  const role = isSelf
    ? NOTHING
    : html`<div class="box">${action('role', html`${selectControl({ name: 'role', label: t('common.role'), value: user.role }, roleOffers(request))}<button>${t('admin.save')}</button>`)}</div>`
  const state = isSelf
    ? NOTHING
    : user.disabledAt === null
      ? action('disable', html`<button class="bad">${t('admin.users.disable')}</button>`)
      : action('enable', html`<button class="second">${t('admin.users.enable')}</button>`)
  const byMail = deps.mailer.isConfigured
    ? action('mail', html`<button>${t('admin.users.mailLink')}</button>`)
    : NOTHING
  const names = html`<p class="quiet-text"><bdi>${user.name}</bdi> · <bdi>${user.email}</bdi></p>\n`
  const body = html`${names}${shown}${role}<div class="box"><h2>${t('admin.users.signIn')}</h2><p>${t('admin.users.linkHint')}</p><div class="buttons">${byMail}${action('link', html`<button${deps.mailer.isConfigured ? html` class="second"` : NOTHING}>${t('admin.users.createLink')}</button>`)}${state}</div>${await addressForm(request, user, path)}</div>
${await identitiesBox(request, user.id, path)}${await passkeysBox(request, user.id, path)}${await sessionsBox(request, user.id, path)}
${await passwordsBox(request, user, path)}${await tokensBox(request, { user: user.name, path })}`
  return adminPage(request, {
    title: user.displayName,
    under: USERS_PATH,
    body,
    scripts: ['admin/copy.ts'],
    done,
    refused,
  })
}
