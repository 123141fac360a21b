import { endAccess, listSessions } from '../accounts/sessions/index.ts'
import { isNewcomer } from '../accounts/single-sign-on/index.ts'
import { changeNames, type User } from '../accounts/users/index.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import type { Reader, Transaction } from '../storage/engine.ts'
import { confirmationLink, isConfirmed } from './confirm-identity.ts'
import { lineControl } from './controls.ts'
import { actionForm } from './layout.ts'
import type { PageRequest } from './page-request.ts'

/** Whether somebody was invited and has never signed in: only so long is the address for others to correct. */
async function isStillInvited({ deps }: PageRequest, reader: Reader, user: User): Promise<boolean> {
  if (user.disabledAt !== null || !(await isNewcomer(reader, user.id))) return false
  return (await listSessions(deps, user.id)).length === 0
}

/** The form that corrects the address of an invitation; nothing for whoever has signed in. */
export async function addressForm(request: PageRequest, user: User, path: string): Promise<Markup> {
  const { t, sent, deps } = request
  if (!(await isStillInvited(request, deps.storage, user))) return NOTHING
  const text = t('admin.users.changeAddress')
  if (!isConfirmed(request)) return confirmationLink(path, text)
  const parts = { name: 'email', label: t('fields.email'), value: sent('email') || user.email }
  const line = lineControl({ ...parts, hint: t('admin.users.formerLink') }, { type: 'email', required: true })
  return actionForm(request, [path, 'address'], html`${line}<button class="second">${text}</button>`)
}

/**
 * Gives somebody who was invited the address that was typed, inside a write; no link that was sent before works any longer.
 * Undefined, with nothing changed, for whoever has signed in. @throws bad_user_email, email_taken
 */
export async function correctAddress(request: PageRequest, tx: Transaction, user: User): Promise<User | undefined> {
  const { name, displayName } = user
  if (!(await isStillInvited(request, tx, user))) return undefined
  await endAccess(tx, user.id)
  return changeNames(request.deps, { name, displayName, email: request.sent('email').trim() })
}
