import type { Mailer, NewMail } from '../../accounts/mail/index.ts'
import type { Transaction } from '../../storage/engine.ts'
import { FORGOTTEN, openSubmission, updateSubmission } from './store.ts'

/** What somebody has decided about a submitted event. */
export interface Decision {
  readonly eventId: number
  readonly state: 'published' | 'declined'
  /** UTC text. */
  readonly at: string
  /** Why; absent for no reason. */
  readonly reason?: string
  /** The event that was published already, where it is the same; absent for its own. */
  readonly into?: number
}

/** The last notice to whoever submitted an event. */
export interface LastNotice {
  readonly mail: NewMail
  /** Whether it goes by mail; else a person has to send it. */
  readonly isQueued: boolean
}

/**
 * Stores a decision and tells whoever submitted the event, whose name and address are then in the outbox alone. Undefined, with nothing
 * changed, where nobody submitted it or somebody has decided already.
 */
export async function decide(tx: Transaction, mailer: Mailer, decision: Decision): Promise<LastNotice | undefined> {
  const { eventId, state, at, reason = '', into } = decision
  const row = await openSubmission(tx, eventId)
  const query = tx.db.selectFrom('event').select(['title', 'slug', 'status'])
  const event = await tx.first(query.where('id', '=', into ?? eventId))
  if (row === undefined || event === undefined) return undefined
  if (into !== undefined && (into === eventId || event.status !== 'publish')) return undefined
  const mail: NewMail = {
    kind: state,
    to: { address: row.email, name: row.name, language: row.language },
    values: { title: event.title },
    cause: `submission ${eventId} ${state}`,
    ...(state === 'published' && { path: `/event/${event.slug}/` }),
    ...(reason !== '' && { quote: reason }),
  }
  const isQueued = await mailer.queueMail(tx, mail)
  await updateSubmission(tx, eventId, { state, reason, decided_at: at, into_id: into ?? null, ...FORGOTTEN })
  return { mail, isQueued }
}
