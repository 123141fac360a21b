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
export function mayGiveRights(request: PageRequest): boolean {
  if (request.http.session !== undefined) return isConfirmed(request)
  return request.incoming.caller.scopes === undefined
}

async function linkFor(request: PageRequest, name: string): Promise<string> {
  const { path } = await makeLink(request.deps, { name })
  auditRights(request, 'link made', { user: name })
  return request.incoming.urls.page(path)
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

function isProven(request: PageRequest, action: string): boolean {
  if (WAY_IN.includes(action)) return isConfirmed(request)
  return !GIVES_RIGHTS.includes(action) || mayGiveRights(request)
}

/** Does what a form of the page of a user asks for. */
export async function changeUser(request: PageRequest): Promise<PageResponse> {
  const { sent, t } = request
  const user = await userOf(request)
  if (user === undefined) return redirect(USERS_PATH)
  const { name } = user
  const isSelf = !isOther(request, user)
  const action = sent('action')
  if (!ACTIONS.includes(action)) return userPage(request, { user, refused: unknownAction(request).summary })
  if (!isProven(request, action)) return confirmation(pathOf(user))
  if (action === 'revoke' && sent('confirmed') !== 'true') return revocation(request, name)
  if (action === 'passkey' && sent('confirmed') !== 'true') return passkeyRemoval(request, user)
  if (action === TOKEN_ACTIONS.revoke) return revokeTokenOf(request, name)
  if (action === 'link') return userPage(request, { user, link: await linkFor(request, name) })
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
  return userPage(request, { done: t('admin.saved') })
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
    if (made === undefined) return await userPage(request, { user, refused: request.t('admin.users.hasSignedIn') })
    if (isCorrection) auditRights(request, 'address changed', { user: user.name })
    auditRights(request, 'link made', { user: user.name })
    return await userPage(request, made)
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
  return userPage(request, { user, password: groupPassword(added.password) })
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
  return confirmPage(request, { question, under: USERS_PATH, back: pathOf(user), ...asked })
}

async function revoke(request: PageRequest, name: string): Promise<void> {
  const { deps, sent } = request
  const revoked = await revokePassword(deps, { name, id: Number(sent('id')) }).catch(passOver)
  if (revoked) auditRights(request, 'password revoked', { user: name, passwordId: revoked.id, label: revoked.label })
}

async function revokeTokenOf(request: PageRequest, user: string): Promise<PageResponse> {
  const path = pathOf({ name: user })
  const asking = await endToken(request, { user, path, under: USERS_PATH })
  return asking ?? userPage(request, { done: request.t('admin.tokens.revoked') })
}

/** Asks before a program loses its way in. */
async function revocation(request: PageRequest, name: string): Promise<PageResponse> {
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
