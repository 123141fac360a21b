import { passkeysOf, removePasskey } from '../accounts/passkeys/index.ts'
import { endSessionOf, endSessionsOf, makeLink } from '../accounts/sessions/index.ts'
import { disconnect } from '../accounts/single-sign-on/index.ts'
import {
  addPassword,
  disableUser,
  enableUser,
  findUserById,
  listPasswords,
  revokePassword,
  setRole,
  type User,
} from '../accounts/users/index.ts'
import { waysInOf } from '../accounts/ways-in/index.ts'
import { type ErrorCode, Failure } from '../base/errors.ts'
import type { MessageId } from '../base/i18n/translate.ts'
import { millisFromUtc } from '../base/time/zones.ts'
import { groupPassword } from '../http/auth/authenticate.ts'
import type { PageResponse } from '../http/html-page.ts'
import type { Transaction } from '../storage/engine.ts'
import { insideTransaction } from '../storage/reads.ts'
import { auditRights } from './audit.ts'
import { confirmPage } from './confirm.ts'
import { confirmation, isConfirmed } from './confirm-identity.ts'
import { correctAddress } from './invited-address.ts'
import { type PageRequest, redirect } from './page-request.ts'
import { passOver, unknownAction } from './refusals.ts'
import { endToken, TOKEN_ACTIONS } from './tokens-box.ts'
import { pathOf, type Shown, USERS_PATH, userOf, userPage } from './user-page.ts'

/**
 * Whether the caller may give rights to others: people prove again who they are, programs with an application password
 * cannot. No token may: what it gives would stay when it has expired.
 */
export function mayGiveRights(request: PageRequest): boolean {
  if (request.http.session !== undefined) return isConfirmed(request)
  return request.incoming.caller.scopes === undefined
}

/** What is shown when a link was sent, or else the link itself. */
export async function mailedLink(
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

/** What a form of the page of a user does. */
interface Step {
  /** Whether the caller has proved enough for it; nothing has to be proved if absent. */
  isProven?(request: PageRequest): boolean
  /** Whether nobody does it to themselves, as they would lock themselves out. */
  readonly isForOthers?: true
  /** The page that asks whether it is meant. */
  ask?(request: PageRequest, user: User): Promise<PageResponse>
  take(request: PageRequest, user: User): Promise<PageResponse>
}

/** Does what a form of the page of a user asks for. */
export async function changeUser(request: PageRequest): Promise<PageResponse> {
  const { sent } = request
  const user = await userOf(request)
  if (user === undefined) return redirect(USERS_PATH)
  const step = STEPS.get(sent('action'))
  if (step === undefined) return userPage(request, { user, refused: unknownAction(request).summary })
  if (step.isProven?.(request) === false) return confirmation(pathOf(user))
  if (step.ask !== undefined && sent('confirmed') !== 'true') return step.ask(request, user)
  if (step.isForOthers && !isOther(request, user)) return saved(request)
  return step.take(request, user).catch((error: unknown) => refusedChange(request, user, error))
}

function saved(request: PageRequest): Promise<PageResponse> {
  return userPage(request, { done: request.t('admin.saved') })
}

async function showLink(request: PageRequest, user: User): Promise<PageResponse> {
  const { path } = await makeLink(request.deps, { name: user.name })
  auditRights(request, 'link made', { user: user.name })
  return userPage(request, { user, link: request.incoming.urls.page(path) })
}

/** Sends somebody a link; the one of an invitation to the address that was typed, where it is to be corrected. */
async function sendLink(request: PageRequest, user: User, isCorrection: boolean): Promise<PageResponse> {
  const made = await request.deps.storage.write((tx) =>
    insideTransaction(tx, async () => {
      const owner = isCorrection ? await correctAddress(request, tx, user) : user
      return owner && { user: owner, ...(await mailedLink(request, tx, owner)) }
    }),
  )
  if (made === undefined) return userPage(request, { user, refused: request.t('admin.users.hasSignedIn') })
  if (isCorrection) auditRights(request, 'address changed', { user: user.name })
  auditRights(request, 'link made', { user: user.name })
  return userPage(request, made)
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
  return userPage(request, { user, password: groupPassword(added.password) })
}

async function changeRole(request: PageRequest, { name }: User): Promise<PageResponse> {
  const role = request.sent('role')
  await setRole(request.deps, { name, role })
  auditRights(request, 'role set', { user: name, role })
  return saved(request)
}

/** What does one thing that the audit calls `change`. */
function saving(change: string, act: (request: PageRequest, user: User) => Promise<unknown>): Step['take'] {
  return async (request, user) => {
    await act(request, user)
    auditRights(request, change, { user: user.name })
    return saved(request)
  }
}

/**
 * By the names of their actions. Who gives a way in or removes a passkey proves again who they are: somebody else may
 * sit at the browser. What only takes access away needs no proof: revoking passwords and tokens, disconnecting accounts,
 * ending sessions and disabling.
 */
const STEPS: ReadonlyMap<string, Step> = new Map<string, Step>([
  ['link', { isProven: isConfirmed, take: showLink }],
  ['mail', { isProven: isConfirmed, take: (request, user) => sendLink(request, user, false) }],
  ['address', { isProven: isConfirmed, take: (request, user) => sendLink(request, user, true) }],
  ['password', { isProven: isConfirmed, take: addPasswordOf }],
  ['revoke', { ask: revocation, take: revoke }],
  [TOKEN_ACTIONS.revoke, { take: revokeTokenOf }],
  ['passkey', { isProven: isConfirmed, ask: passkeyRemoval, take: saving('passkey removed', removePasskeyOf) }],
  ['disconnect', { take: saving('identity disconnected', disconnectOne) }],
  ['end', { take: saving('session ended', ({ deps, sent }, { id }) => endSessionOf(deps, id, sent('session'))) }],
  ['end-all', { take: saving('sessions ended', ({ deps }, { id }) => endSessionsOf(deps, id)) }],
  ['role', { isProven: mayGiveRights, isForOthers: true, take: changeRole }],
  ['disable', { isForOthers: true, take: saving('user disabled', ({ deps }, user) => disableUser(deps, user)) }],
  ['enable', { isProven: mayGiveRights, take: saving('user enabled', ({ deps }, user) => enableUser(deps, user)) }],
])

function removePasskeyOf(request: PageRequest, user: User): Promise<string> {
  return removePasskey(request.deps, user, { id: request.sent('passkey'), mayBeLast: isOther(request, user) })
}

function disconnectOne(request: PageRequest, user: User): Promise<boolean> {
  return disconnect(request.deps, { user, id: request.sent('identity'), mayBeLast: isOther(request, user) })
}

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
  return confirmPage(request, { question, under: USERS_PATH, back: pathOf(user), ...asked })
}

async function revoke(request: PageRequest, { name }: User): Promise<PageResponse> {
  const { deps, sent } = request
  const id = Number(/^\d{1,15}$/.exec(sent('id'))?.[0] ?? 0)
  const revoked = await revokePassword(deps, { name, id }).catch(passOver)
  if (revoked) auditRights(request, 'password revoked', { user: name, passwordId: revoked.id, label: revoked.label })
  return saved(request)
}

async function revokeTokenOf(request: PageRequest, user: User): Promise<PageResponse> {
  const asking = await endToken(request, { user: user.name, path: pathOf(user), under: USERS_PATH })
  return asking ?? userPage(request, { done: request.t('admin.tokens.revoked') })
}

/** Asks before a program loses its way in. */
async function revocation(request: PageRequest, { name }: User): Promise<PageResponse> {
  const { t, deps, sent } = request
  const password = (await listPasswords(deps, { name })).find(({ id }) => String(id) === sent('id'))
  const question = t('admin.users.revokeQuestion', { name: password?.label || sent('id') })
  const asked = { fields: [['id', sent('id')]], action: ['revoke', t('admin.revoke')] } as const
  return confirmPage(request, { question, under: USERS_PATH, back: pathOf({ name }), ...asked })
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
  return userPage(request, { user, refused: request.t(text) })
}
