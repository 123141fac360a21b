import { passkeysOf, removePasskey } from '../accounts/passkeys/index.ts'
import { digestOf, endSessionOf, endSessionsOf, listSessions, makeLink } from '../accounts/sessions/index.ts'
import { disconnect } from '../accounts/single-sign-on/index.ts'
import {
  addPassword,
  addUser,
  disableUser,
  enableUser,
  findUserById,
  listPasswords,
  listUsers,
  revokePassword,
  setRole,
  type User,
} from '../accounts/users/index.ts'
import { waysInOf } from '../accounts/ways-in/index.ts'
import { type ErrorCode, Failure } from '../base/errors.ts'
import type { MessageId } from '../base/i18n/translate.ts'
import { millisFromUtc } from '../base/time/zones.ts'
import { groupPassword } from '../http/auth/authenticate.ts'
import { ROLES } from '../http/auth/rights.ts'
import type { PageResponse } from '../http/html-page.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import type { Transaction } from '../storage/engine.ts'
import { insideTransaction } from '../storage/reads.ts'
import { auditRights } from './audit.ts'
import { confirmPage } from './confirm.ts'
import { confirmation, isConfirmed } from './confirm-identity.ts'
import { lineControl, type Offer, selectControl } from './controls.ts'
import { copiedOnce, mailtoLink } from './copied-once.ts'
import { addressForm, correctAddress } from './invited-address.ts'
import { actionForm, adminPage, csrfField } from './layout.ts'
import { type AdminPage, type PageRequest, redirect } from './page-request.ts'
import { passkeysBox } from './passkey-form.ts'
import { passwordsBox } from './passwords-box.ts'
import { passOver, unknownAction } from './refusals.ts'
import { sessionsBox } from './sessions-box.ts'
import { identitiesBox } from './single-sign-on/identities.ts'
import { endToken, TOKEN_ACTIONS, tokensBox } from './tokens-box.ts'

const PATH = '/admin/users'

function pathOf({ name }: Pick<User, 'name'>): string {
  return `${PATH}/${encodeURIComponent(name)}`
}

/** The people and programs that may sign in, and the actions for each of them. */
export const USER_PAGES: readonly AdminPage[] = [
  { path: PATH, role: 'administrator', show: (request) => list(request), submit: invite },
  { path: `${PATH}/:name`, role: 'administrator', show: (request) => one(request, {}), submit: change },
]

function roleOffers({ t }: PageRequest): readonly Offer[] {
  const texts = {
    administrator: t('admin.users.administrator'),
    editor: t('admin.users.editor'),
    author: t('admin.users.author'),
    contributor: t('admin.users.contributor'),
    subscriber: t('admin.users.subscriber'),
  }
  return ROLES.map((role) => [role, texts[role]])
}

async function list(request: PageRequest, refused?: string): Promise<PageResponse> {
  const { t, deps } = request
  const users = await listUsers(deps)
  const names = new Map(roleOffers(request))
  const rows = users.map(
    (user) =>
      html`<tr><th scope="row"><a class="title" href="${pathOf(user)}">${user.displayName}</a></th><td>${user.name}</td><td>${user.email}</td><td>${names.get(user.role) ?? user.role}${user.disabledAt === null ? NOTHING : html` <span class="badge trash">${t('common.disabled')}</span>`}</td></tr>\n`,
  )
  const body = html`<div class="box wide"><table class="rows"><thead><tr><th scope="col">${t('fields.name')}</th><th scope="col">${t('common.username')}</th><th scope="col">${t('fields.email')}</th><th scope="col">${t('common.role')}</th></tr></thead><tbody>${rows}</tbody></table></div>
${await invitation(request)}`
  return adminPage(request, {
    title: t('common.users'),
    under: PATH,
    body,
    refused,
  })
}

/** The form that invites somebody, which asks for a fresh proof of who it is. */
async function invitation(request: PageRequest): Promise<Markup> {
  const { t, sent } = request
  if (!mayGiveRights(request))
    return html`<p><a class="button" href="${confirmation(PATH).headers?.['location'] ?? PATH}">${t('admin.users.inviteSomeone')}</a></p>`
  return html`<form class="box" method="post" action="${PATH}">${csrfField(request)}<h2>${t('admin.users.inviteSomeone')}</h2><div class="pair">${lineControl({ name: 'name', label: t('common.username'), value: sent('name'), hint: t('admin.users.nameHint') }, { required: true })}${lineControl({ name: 'email', label: t('fields.email'), value: sent('email') }, { type: 'email', required: true })}${selectControl({ name: 'role', label: t('common.role'), value: sent('role') || 'author' }, roleOffers(request))}</div><button>${t('admin.users.createInvitation')}</button></form>`
}

async function invite(request: PageRequest): Promise<PageResponse> {
  const { deps, sent, t } = request
  if (!mayGiveRights(request)) return confirmation(PATH)
  try {
    const made = await deps.storage.write((tx) =>
      insideTransaction(tx, async () => {
        const names = { name: sent('name').trim(), email: sent('email').trim() }
        const user = await addUser(deps, { ...names, role: sent('role') })
        return { user, ...(await mailedLink(request, tx, user)) }
      }),
    )
    const { user } = made
    auditRights(request, 'user added', { user: user.name, role: user.role })
    auditRights(request, 'link made', { user: user.name })
    return await one(request, made)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return list(request, t('admin.users.taken'))
  }
}

async function linkFor(request: PageRequest, name: string): Promise<string> {
  const { path } = await makeLink(request.deps, { name })
  auditRights(request, 'link made', { user: name })
  return request.incoming.urls.page(path)
}

/** What is shown when a link was sent, or else the link itself. */
async function mailedLink(
  request: PageRequest,
  tx: Transaction,
  user: User,
): Promise<Pick<Shown, 'link' | 'done' | 'refused'>> {
  const { deps, incoming, t } = request
  const to = await deps.mailer.recipientOf(tx, user.id)
  const kind = Object.values(await waysInOf(tx, user, undefined)).some((count) => count > 0) ? 'reset' : 'invitation'
  const isMailed = to !== undefined && (await deps.mailer.mayMail(tx, { kind, to }))
  // A link that is shown may have to wait until somebody passes it on.
  const mailed = isMailed && kind === 'reset' ? ({ purpose: 'password', hours: 1 } as const) : {}
  const { path, expiresAt } = await makeLink(deps, { name: user.name, ...mailed })
  const by = (await findUserById(tx, incoming.caller.id))?.displayName ?? incoming.caller.name
  const isSent =
    isMailed &&
    (await deps.mailer.queueMail(tx, {
      kind,
      to,
      values: { by, role: `admin.users.${user.role}`, login: user.name },
      path,
      until: millisFromUtc(expiresAt),
    }))
  if (isSent) return { done: t('admin.users.mailed', { email: user.email }) }
  const refused = deps.mailer.isConfigured ? { refused: t('admin.users.notMailed', { email: user.email }) } : {}
  return { link: incoming.urls.page(path), ...refused }
}

/** What is shown once. */
interface Shown {
  readonly user?: User
  readonly link?: string
  readonly password?: string
  readonly done?: string
  readonly refused?: string
}

async function userOf({ deps, incoming }: PageRequest): Promise<User | undefined> {
  const name = incoming.path['name'] ?? ''
  return (await listUsers(deps)).find((user) => user.name === name)
}

/** What is done for someone. */
const ACTIONS = [
  'link',
  'mail',
  'address',
  'password',
  'revoke',
  'end',
  'end-all',
  'role',
  'disable',
  'enable',
  'disconnect',
  'revoke-token',
  'passkey',
]

/** What gives or takes a way in, for whoever sits at the browser of an administrator as well: those prove again who they are. */
const WAY_IN = ['link', 'mail', 'address', 'password', 'passkey']

/** What gives rights to others: people prove again who they are, programs with an application password cannot. */
const GIVES_RIGHTS = ['role', 'enable']

/** Whether the caller may do that. No token may: what it gives would stay when it has expired. */
function mayGiveRights(request: PageRequest): boolean {
  if (request.http.session !== undefined) return isConfirmed(request)
  return request.incoming.caller.scopes === undefined
}

function isProven(request: PageRequest, action: string): boolean {
  if (WAY_IN.includes(action)) return isConfirmed(request)
  return !GIVES_RIGHTS.includes(action) || mayGiveRights(request)
}

async function change(request: PageRequest): Promise<PageResponse> {
  const { sent, t } = request
  const user = await userOf(request)
  if (user === undefined) return redirect(PATH)
  const { name } = user
  const isSelf = !isOther(request, user)
  const action = sent('action')
  if (!ACTIONS.includes(action)) return one(request, { user, refused: unknownAction(request).summary })
  if (!isProven(request, action)) return confirmation(pathOf(user))
  if (action === 'revoke' && sent('confirmed') !== 'true') return revocation(request, name)
  if (action === 'passkey' && sent('confirmed') !== 'true') return passkeyRemoval(request, user)
  if (action === TOKEN_ACTIONS.revoke) return revokeTokenOf(request, name)
  if (action === 'link') return one(request, { user, link: await linkFor(request, name) })
  if (action === 'mail' || action === 'address') return sendLink(request, user, action === 'address')
  if (action === 'password') return addPasswordOf(request, user)
  if (action === 'revoke' && /^\d{1,15}$/.test(sent('id'))) await revoke(request, name)
  const step = STEPS.get(action)
  // Nobody locks themselves out.
  if (step !== undefined && !(isSelf && ['disable', 'role'].includes(action))) {
    try {
      await step.take(request, user)
    } catch (error) {
      return refusedChange(request, user, error)
    }
    auditRights(request, step.change, { user: name, ...(action === 'role' && { role: sent('role') }) })
  }
  return one(request, { done: t('admin.saved') })
}

/** Sends somebody a link; the one of an invitation to the address that was typed, where it is to be corrected. */
async function sendLink(request: PageRequest, user: User, isCorrection: boolean): Promise<PageResponse> {
  try {
    const made = await request.deps.storage.write((tx) =>
      insideTransaction(tx, async () => {
        const owner = isCorrection ? await correctAddress(request, tx, user) : user
        return owner && { user: owner, ...(await mailedLink(request, tx, owner)) }
      }),
    )
    if (made === undefined) return await one(request, { user, refused: request.t('admin.users.hasSignedIn') })
    if (isCorrection) auditRights(request, 'address changed', { user: user.name })
    auditRights(request, 'link made', { user: user.name })
    return await one(request, made)
  } catch (error) {
    return refusedChange(request, user, error)
  }
}

/** Adds an application password, of which its owner is told. */
async function addPasswordOf(request: PageRequest, user: User): Promise<PageResponse> {
  const { deps, sent } = request
  const added = await deps.storage.write((tx) =>
    insideTransaction(tx, async () => {
      const made = await addPassword(deps, { name: user.name, label: sent('label').trim() })
      const what = made.label || String(made.id)
      await deps.mailer.queueNotice(tx, { userId: user.id, kind: 'application', what })
      return made
    }),
  )
  auditRights(request, 'password added', { user: user.name, passwordId: added.id, label: added.label })
  return one(request, { user, password: groupPassword(added.password) })
}

/** What one step does to the sessions or the account of someone, and what the audit calls it. */
interface Step {
  readonly change: string
  take(request: PageRequest, user: User): Promise<unknown>
}

const STEPS: ReadonlyMap<string, Step> = new Map([
  ['end', { change: 'session ended', take: ({ deps, sent }, { id }) => endSessionOf(deps, id, sent('session')) }],
  ['end-all', { change: 'sessions ended', take: ({ deps }, { id }) => endSessionsOf(deps, id) }],
  ['role', { change: 'role set', take: ({ deps, sent }, { name }) => setRole(deps, { name, role: sent('role') }) }],
  ['enable', { change: 'user enabled', take: ({ deps }, { name }) => enableUser(deps, { name }) }],
  [
    'disconnect',
    {
      change: 'identity disconnected',
      take: (request, user) =>
        disconnect(request.deps, { user, id: request.sent('identity'), mayBeLast: isOther(request, user) }),
    },
  ],
  [
    'passkey',
    {
      change: 'passkey removed',
      take: (request, user) =>
        removePasskey(request.deps, user, { id: request.sent('passkey'), mayBeLast: isOther(request, user) }),
    },
  ],
  ['disable', { change: 'user disabled', take: ({ deps }, { name }) => disableUser(deps, { name }) }],
] satisfies [string, Step][])

/** Whether somebody else is meant: people keep a way in for themselves. */
function isOther({ incoming }: PageRequest, { id }: Pick<User, 'id'>): boolean {
  return id !== incoming.caller.id
}

/** Asks before somebody loses a passkey. */
async function passkeyRemoval(request: PageRequest, user: User): Promise<PageResponse> {
  const { t, deps, sent } = request
  const id = sent('passkey')
  const name = (await passkeysOf(deps.storage, user.id)).find((one) => one.id === id)?.name ?? ''
  const asked = { fields: [['passkey', id]], action: ['passkey', t('admin.passkeys.remove')] } as const
  const question = t('admin.passkeys.removeQuestion', { name })
  return confirmPage(request, { question, under: PATH, back: pathOf(user), ...asked })
}

async function revoke(request: PageRequest, name: string): Promise<void> {
  const { deps, sent } = request
  const revoked = await revokePassword(deps, { name, id: Number(sent('id')) }).catch(passOver)
  if (revoked) auditRights(request, 'password revoked', { user: name, passwordId: revoked.id, label: revoked.label })
}

async function revokeTokenOf(request: PageRequest, user: string): Promise<PageResponse> {
  const path = pathOf({ name: user })
  const asking = await endToken(request, { user, path, under: PATH })
  return asking ?? one(request, { done: request.t('admin.tokens.revoked') })
}

/** Asks before a program loses its way in. */
async function revocation(request: PageRequest, name: string): Promise<PageResponse> {
  const { t, deps, sent } = request
  const password = (await listPasswords(deps, { name })).find(({ id }) => String(id) === sent('id'))
  const question = t('admin.users.revokeQuestion', { name: password?.label || sent('id') })
  const asked = { fields: [['id', sent('id')]], action: ['revoke', t('admin.revoke')] } as const
  return confirmPage(request, { question, under: PATH, back: pathOf({ name }), ...asked })
}

/** Why something is not done for somebody. */
const REFUSALS: { readonly [Code in ErrorCode]?: MessageId } = {
  last_administrator: 'admin.users.lastAdministrator',
  last_way_in: 'admin.identities.lastWayIn',
  bad_passkey: 'admin.form.unusable',
  unknown_role: 'admin.form.unusable',
  bad_user_email: 'admin.profile.emailTaken',
  email_taken: 'admin.profile.emailTaken',
}

/** The page that says why something is not done; whoever tried to take the last administrator away is known. */
function refusedChange(request: PageRequest, user: User, error: unknown): Promise<PageResponse> {
  const text = error instanceof Failure ? REFUSALS[error.code] : undefined
  if (!(error instanceof Failure) || text === undefined) throw error
  if (error.code === 'last_administrator') auditRights(request, 'change refused', { user: user.name, why: error.code })
  return one(request, { user, refused: request.t(text) })
}

/** A link that writes the mail with somebody's link. */
function mailLink(request: PageRequest, email: string, link: string): Markup {
  const { t, deps } = request
  const { name } = deps.site
  const mail = { subject: t('admin.users.mailSubject', { name }), body: t('admin.users.mailBody', { name, link }) }
  return mailtoLink(request, email, mail)
}

/** Shown once: whoever looks again does not see it. */
function shownOnce(
  request: PageRequest,
  { email }: Pick<User, 'email'>,
  { link, password }: Record<'link' | 'password', string | undefined>,
): readonly Markup[] {
  const { t } = request
  return [
    ...(link === undefined
      ? []
      : [
          html`<div class="box"><h2>${t('admin.users.sendThisLink')}</h2><p>${t('admin.users.linkNote')}</p>${request.deps.mailer.isConfigured ? NOTHING : html`<p class="quiet-text">${t('admin.users.noMail')}</p>`}${copiedOnce(request, link)}${mailLink(request, email, link)}</div></div>`,
        ]),
    ...(password === undefined
      ? []
      : [
          html`<div class="box"><h2>${t('admin.users.applicationPassword')}</h2><p>${t('admin.users.copyNow')}</p>${copiedOnce(request, password)}</div></div>`,
        ]),
  ]
}

async function one(request: PageRequest, { user: given, link, password, done, refused }: Shown): Promise<PageResponse> {
  const { t, deps, incoming } = request
  const user = given ?? (await userOf(request))
  if (user === undefined) return redirect(PATH)
  const path = pathOf(user)
  const action = (name: string, content: Markup): Markup => actionForm(request, [path, name], content)
  const passwords = (await listPasswords(deps, { name: user.name })).filter(({ revokedAt }) => revokedAt === null)
  const isSelf = user.id === incoming.caller.id
  const { session } = request.http
  const sessions = await listSessions(deps, user.id)
  const signedIn = sessionsBox(request, { sessions, own: session === undefined ? '' : digestOf(session), path })
  const shown = shownOnce(request, user, { link, password })
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
${await identitiesBox(request, user.id, path)}${await passkeysBox(request, user.id, path)}${signedIn}
${passwordsBox(request, { passwords, action })}${await tokensBox(request, { user: user.name, path })}`
  return adminPage(request, {
    title: user.displayName,
    under: PATH,
    body,
    scripts: ['admin/copy.ts'],
    done,
    refused,
  })
}
