import type { Mailer, NewMail } from '../../accounts/mail/index.ts'
import type { Transaction } from '../../storage/engine.ts'
import { FORGOTTEN, openSubmission, updateSubmission } from './store.ts'

/** An event that everybody sees, or a date of one that recurs. */
export interface PublicEvent {
  readonly id: number
  readonly title: string
  /** Of its page, without a language. */
  readonly path: string
}

/** What somebody has decided about a submitted event. */
export interface Decision {
  readonly eventId: number
  readonly state: 'published' | 'declined'
  /** UTC text. */
  readonly at: string
  /** Why; absent for no reason. */
  readonly reason?: string
  /** The event that was published already, where it is the same; absent for its own. */
  readonly into?: PublicEvent
  /** Whether it waits until a mail can tell it; absent where the notice is shown to somebody otherwise. */
  readonly needsMail?: boolean
}

/** The last notice to whoever submitted an event. */
export interface LastNotice {
  readonly mail: NewMail
  /** Whether it goes by mail; else a person has to send it. */
  readonly isQueued: boolean
}

/**
 * Stores a decision and tells whoever submitted the event, whose name and address are then in the outbox alone. Undefined, with nothing
 * changed, where nobody submitted it or it is in the trash, somebody has decided already, or it waits for a mail.
 */
export async function decide(tx: Transaction, mailer: Mailer, decision: Decision): Promise<LastNotice | undefined> {
  const { eventId, state, at, reason = '', into, needsMail = false } = decision
  const row = await openSubmission(tx, eventId)
  if (row === undefined || into?.id === eventId) return undefined
  const mail: NewMail = {
    kind: state,
    to: { address: row.email, name: row.name, language: row.language },
    values: { title: into?.title ?? row.title },
    cause: `submission ${eventId} ${state}`,
    ...(state === 'published' && { path: into?.path ?? `/event/${row.slug}/` }),
    ...(reason !== '' && { quote: reason }),
  }
  const isQueued = await mailer.queueMail(tx, mail)
  if (needsMail && !isQueued) return undefined
  await updateSubmission(tx, eventId, { state, reason, decided_at: at, into_id: into?.id ?? null, ...FORGOTTEN })
  return { mail, isQueued }
}
