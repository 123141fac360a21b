import { seal, unseal } from '../../base/sealed.ts'
import { millisFromUtc } from '../../base/time/zones.ts'
import type { Transaction } from '../../storage/engine.ts'
import { insideTransaction } from '../../storage/reads.ts'
import type { MailTable } from '../../storage/schema.ts'
import { makeLink } from '../sessions/index.ts'
import { findLogin } from '../users/index.ts'
import { insertWaiting, type Mailer, type MailerDeps, recipientOf } from './mailer.ts'
import { ASKED, deleteMail } from './store.ts'

/** Most characters of a login. */
const LONGEST = 254

const PURPOSE = 'forgotten login'

/**
 * Stores that somebody has forgotten the password of a login. That is all that the request does, so that its answer and its
 * time tell nothing about who has an account: the sender looks the login up in its next round, and is not woken, as it would
 * work while the request is answered.
 */
export async function askForReset(deps: MailerDeps, login: string): Promise<void> {
  const content = seal(login.trim().slice(0, LONGEST), { secret: deps.secret, purpose: PURPOSE })
  const asked = { kind: ASKED, user_id: null, address: '', cause: null, content }
  await deps.storage.write((tx) => insertWaiting(deps, tx, asked))
}

/** Queues the mail with a link for a login whose password was forgotten; nothing where nobody may get one. */
export async function resolveAsked(
  { deps, mailer }: { readonly deps: MailerDeps; readonly mailer: Mailer },
  tx: Transaction,
  row: MailTable,
): Promise<void> {
  await deleteMail(tx, row.id)
  const login = unseal(row.content ?? '', { secret: deps.secret, purpose: PURPOSE }) ?? ''
  const user = await findLogin(tx, login)
  if (user?.disabledAt !== null || deps.openWays?.mayUsePassword(user.name) === false) return
  const to = await recipientOf(deps, tx, user)
  // A link that cannot be sent must not end the one that was.
  if (!(await mailer.mayMail(tx, { kind: 'reset', to }))) return
  const made = await insideTransaction(tx, () => makeLink(deps, { name: user.name, purpose: 'reset' }))
  const until = millisFromUtc(made.expiresAt)
  await mailer.queueMail(tx, { kind: 'reset', to, values: { login: user.name }, path: made.path, until })
}
