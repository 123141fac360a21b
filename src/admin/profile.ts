import { canGetMail, countMailsOf } from '../accounts/mail/index.ts'
import { passkeysOf } from '../accounts/passkeys/index.ts'
import { changePassword, endSessionOf, endSessionsOf, makeLink } from '../accounts/sessions/index.ts'
import type { CreatedToken } from '../accounts/tokens/index.ts'
import { changeNames, findLogin, findUserById, type User } from '../accounts/users/index.ts'
import { waysInOf } from '../accounts/ways-in/index.ts'
import { Failure, fail } from '../base/errors.ts'
import { millisFromUtc, utcFromMillis } from '../base/time/zones.ts'
import type { PageResponse } from '../http/html-page.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import type { Transaction } from '../storage/engine.ts'
import { insideTransaction } from '../storage/reads.ts'
import { auditRights } from './audit.ts'
import { confirmation, isConfirmed, isOwnPassword } from './confirm-identity.ts'
import { lineControl } from './controls.ts'
import { adminPage, csrfField } from './layout.ts'
import { mailChoicesBox, saveMailChoices } from './mail-choices.ts'
import { type AdminPage, type PageRequest, redirect, WAYS_IN_PATH } from './page-request.ts'
import { noPasskeysReason } from './passkey-form.ts'
import { unknownAction } from './refusals.ts'
import { sessionsBox } from './sessions-box.ts'
import { enter } from './sign-in-pages.ts'
import { ownIdentities } from './single-sign-on/identities.ts'
import { createdToken, createToken, endToken, ownTokens, TOKEN_ACTIONS } from './tokens-box.ts'

const PATH = '/admin/profile'

/** Most new addresses of a user in a day, and its milliseconds. */
const [MOST_CHANGES, DAY] = [5, 86_400_000] as const

/** The page of the own account: name, password and sessions. */
export const PROFILE_PAGE: AdminPage = { path: PATH, role: 'subscriber', show: (request) => profile(request), submit }

/** What was refused, by the name of its field; `form` is about no field. */
type Wrong = Readonly<Record<string, string>>

async function submit(request: PageRequest): Promise<PageResponse> {
  const { deps, incoming, sent } = request
  const { id } = incoming.caller
  if (sent('action') === 'names') return saveNames(request)
  if (sent('action') === 'password') return savePassword(request)
  if (sent('action') === TOKEN_ACTIONS.create) return saveToken(request)
  if (sent('action') === TOKEN_ACTIONS.revoke) return revokeOwnToken(request)
  if (sent('action') === 'mails') return saveMailChoices(request, PATH)
  if (!['end', 'end-all'].includes(sent('action'))) return profile(request, { form: unknownAction(request).summary })
  if (sent('action') === 'end') await endSessionOf(deps, id, sent('session'))
  if (sent('action') === 'end-all') {
    await endSessionsOf(deps, id)
    return redirect('/admin/login?done=out')
  }
  return redirect(`${PATH}?done=ended`)
}

async function saveToken(request: PageRequest): Promise<PageResponse> {
  const { t, say } = request
  try {
    const created = await createToken(request)
    return created === undefined ? confirmation(PATH) : await profile(request, undefined, created)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'bad_token') throw error
    return profile(request, { token: t('errors.bad_token', { reason: say(String(error.slots['reason'])) }) })
  }
}

async function revokeOwnToken(request: PageRequest): Promise<PageResponse> {
  const asking = await endToken(request, { user: request.incoming.caller.name, path: PATH, under: PATH })
  return asking ?? redirect(`${PATH}?done=revoked`)
}

async function saveNames(request: PageRequest): Promise<PageResponse> {
  const { deps, incoming, sent, t } = request
  const { name } = incoming.caller
  const displayName = sent('displayName').trim()
  const email = sent('email').trim()
  const user = await findUserById(deps.storage, incoming.caller.id)
  // Links to choose a password go to the address.
  if (user?.email !== email && !isConfirmed(request)) return confirmation(PATH)
  try {
    if (user === undefined || user.email === email || !deps.mailer.isConfigured) {
      await changeNames(deps, { name, displayName, email })
      return redirect(`${PATH}?done=saved`)
    }
    await deps.storage.write((tx) =>
      insideTransaction(tx, async () => {
        await changeNames(deps, { name, displayName, email: user.email })
        await askToConfirm(request, tx, { user, email })
      }),
    )
    return redirect(`${PATH}?done=confirm`)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const isTooMuch = error.code === 'rest_too_many_requests'
    return profile(request, { email: t(isTooMuch ? 'admin.profile.tooManyMails' : 'admin.profile.emailTaken') })
  }
}

/** Sends a link to a new address, which changes when that is opened, and tells the present one. @throws email_taken, rest_too_many_requests */
async function askToConfirm(
  { deps, incoming }: PageRequest,
  tx: Transaction,
  { user, email }: { readonly user: User; readonly email: string },
): Promise<void> {
  const other = canGetMail(email) ? await findLogin(tx, email) : undefined
  if (!canGetMail(email) || (other !== undefined && other.id !== user.id)) throw fail('email_taken', { email })
  const { id: userId, name: login, displayName: name } = user
  const since = utcFromMillis(deps.now() - DAY)
  if ((await countMailsOf(tx, { userId, kind: 'address', since })) >= MOST_CHANGES)
    throw fail('rest_too_many_requests', { seconds: DAY / 1000 })
  const link = await makeLink(deps, { name: login, purpose: 'address', detail: email })
  const to = { userId, name, language: incoming.language }
  const values = { login, email }
  const until = millisFromUtc(link.expiresAt)
  // Whoever has the new address may be a stranger, to whom nobody writes what they like.
  const mail = { kind: 'address', to: { ...to, name: login, address: email }, values, path: link.path, until } as const
  if (!(await deps.mailer.queueMail(tx, mail))) throw fail('rest_too_many_requests', { seconds: DAY / 1000 })
  await deps.mailer.queueMail(tx, { kind: 'formerAddress', to: { ...to, address: user.email }, values })
}

/** All sessions end with the old password; the browser in which it was changed gets a new one. */
async function savePassword(request: PageRequest): Promise<PageResponse> {
  const { deps, incoming, sent, t } = request
  const { id, name } = incoming.caller
  if (!(await isOwnPassword(request, sent('current'))))
    return profile(request, { current: t('admin.profile.wrongPassword') })
  try {
    await changePassword(deps, id, sent('password'))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return profile(request, { password: t('admin.signIn.passwordTooWeak', { count: 8 }) })
  }
  auditRights(request, 'own password chosen', { user: name })
  return enter(request, { userId: id }, `${PATH}?done=password`)
}

async function profile(request: PageRequest, wrong?: Wrong, created?: CreatedToken): Promise<PageResponse> {
  const { deps, incoming, t, query } = request
  const user = await findUserById(deps.storage, incoming.caller.id)
  const ways = await waysInOf(deps.storage, incoming.caller, deps.openWays)
  const done = {
    saved: t('admin.saved'),
    confirm: t('admin.profile.confirmAddress'),
    ended: t('admin.profile.sessionEnded'),
    revoked: t('admin.tokens.revoked'),
    password: t('admin.profile.passwordChanged'),
    reset: t('admin.profile.checkWaysIn'),
    connected: t('admin.identities.connected'),
    disconnected: t('admin.identities.disconnected'),
  }
  const told = Object.entries(done).find(([name]) => name === query('done'))?.[1]
  const isUnsaved = wrong?.['email'] !== undefined
  const names = isUnsaved
    ? { displayName: request.sent('displayName'), email: request.sent('email') }
    : { displayName: user?.displayName ?? '', email: user?.email ?? '' }
  const shown = created === undefined ? NOTHING : createdToken(request, created)
  const body = html`${shown}<div class="box"><h2>${t('admin.profile.yourAccount')}</h2>
<form method="post" action="${PATH}">${csrfField(request)}<input type="hidden" name="action" value="names">
<p class="quiet-text">${t('admin.profile.username', { name: user?.name ?? '' })}</p>
<div class="pair">${lineControl({ name: 'displayName', label: t('common.displayName'), value: names.displayName }, { autocomplete: 'name' })}${lineControl({ name: 'email', label: t('fields.email'), value: names.email, wrong: wrong?.['email'] }, { type: 'email', autocomplete: 'email' })}</div>
<button>${t('admin.save')}</button></form></div>
${await waysInBox(request)}
${ways.password === 0 ? NOTHING : passwordBox(request, wrong)}
${await mailChoicesBox(request, PATH)}${await ownIdentities(request)}${await ownTokens(request, PATH, wrong?.['token'])}${await sessionsBox(request, incoming.caller.id, PATH)}`
  return adminPage(request, {
    status: wrong === undefined ? 200 : 400,
    title: t('admin.profile'),
    under: PATH,
    body,
    scripts: ['admin/copy.ts'],
    done: told,
    refused: wrong?.['form'],
  })
}

/** The passkeys of the reader by their names, and where they are changed; or why there are none. */
async function waysInBox(request: PageRequest): Promise<Markup> {
  const { t, deps, incoming } = request
  const passkeys = await passkeysOf(deps.storage, incoming.caller.id)
  const names = passkeys.map(({ name }) => html`<p><bdi>${name}</bdi></p>\n`)
  const text = noPasskeysReason(request) ?? t('admin.passkeys.about')
  return html`<div class="box"><h2>${t('admin.passkeys.title')}</h2>${names}<p class="quiet-text">${text}</p>
<a class="button second" href="${WAYS_IN_PATH}">${t('admin.passkeys.manage')}</a></div>`
}

function passwordBox(request: PageRequest, wrong: Wrong | undefined): Markup {
  const { t, incoming } = request
  return html`<div class="box"><h2>${t('admin.profile.changePassword')}</h2>
<form method="post" action="${PATH}">${csrfField(request)}<input type="hidden" name="action" value="password">
<input type="hidden" name="username" autocomplete="username" value="${incoming.caller.name}">
<div class="pair">${lineControl({ name: 'current', label: t('admin.profile.currentPassword'), wrong: wrong?.['current'] }, { type: 'password', autocomplete: 'current-password', required: true })}${lineControl({ name: 'password', label: t('admin.profile.newPassword'), wrong: wrong?.['password'] }, { type: 'password', autocomplete: 'new-password', required: true })}</div>
<button>${t('admin.profile.changePassword')}</button></form></div>`
}
