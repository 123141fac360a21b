import { type BackgroundWork, backgroundWork, rest } from '../../base/background.ts'
import { isUnavailable } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { maskAddress, maskAddresses } from '../../base/text/mailbox.ts'
import { millisFromUtc, utcFromMillis } from '../../base/time/zones.ts'
import type { Report, Storage, Transaction } from '../../storage/engine.ts'
import type { MailTable } from '../../storage/schema.ts'
import { findOpenLink } from '../sessions/index.ts'
import { openContent } from './mailer.ts'
import { ASKED, countStates, deleteMail, deleteMailsBefore, dueMails, type StateCount, updateMail } from './store.ts'
import { isOneTime } from './templates.ts'
import { isRefusedRecipient, type SendMail } from './transport.ts'

/** Milliseconds between two looks for due mails. */
const LOOK = 5_000

/** Minutes after which a mail is tried again, and then every hour; hours after which it is given up. */
const RETRIES: readonly number[] = [1, 5, 15]
const EVERY_HOUR = 60
const GIVEN_UP = 48

/** Days after which nothing of a mail is stored. */
const KEPT_DAYS = 30

/** Mails on their way at a time, and most characters of a stored problem. */
const [AT_A_TIME, LONGEST_PROBLEM] = [5, 300] as const

const [MINUTE, HOUR] = [60_000, 3_600_000] as const

/** What mails are sent with. */
export interface SenderDeps {
  readonly storage: Storage
  readonly secret: string
  readonly log: Logger
  readonly report: Report
  readonly send: SendMail
  /** Whether the site can send now. */
  isReady(): boolean
  /** Turns logins whose password was forgotten into mails. */
  resolveAsked(tx: Transaction, row: MailTable): Promise<void>
  /** Unix milliseconds. */
  now(): number
}

/** Sends what was queued; one process of a calendar does it at a time. */
export interface MailSender {
  readonly work: BackgroundWork
  /** How many mails there are in each state, as of the last look; `[]` in a process that sends none. */
  states(): readonly StateCount[]
}

/** Opens the sender, which does nothing until its work starts. */
export function openSender(deps: SenderDeps): MailSender {
  let states: readonly StateCount[] = []
  let prunedAt = 0
  const round = async (signal: AbortSignal): Promise<void> => {
    const { storage, now } = deps
    if (now() - prunedAt >= HOUR) {
      await storage.write((tx) => deleteMailsBefore(tx, utcFromMillis(now() - KEPT_DAYS * 24 * HOUR)))
      prunedAt = now()
    }
    if (!deps.isReady()) return
    await sendDue(deps, signal)
    states = await countStates(storage)
  }
  const failed = (error: unknown): void => deps.report(error, 'sending mails')
  const work = backgroundWork({ round, every: LOOK, failed })
  const pause = (): void => {
    work.pause()
    states = []
  }
  return { work: { ...work, pause }, states: () => states }
}

async function sendDue(deps: SenderDeps, signal: AbortSignal): Promise<void> {
  const { storage, now, report } = deps
  while (!signal.aborted) {
    const at = utcFromMillis(now())
    if ((await dueMails(storage, at, 1)).length === 0) return
    // A replica may not know yet what was sent: transactions read the primary.
    const due = await storage.write((tx) => dueMails(tx, at, AT_A_TIME))
    if (due.length === 0) return
    const dealt = await Promise.allSettled(due.map((row) => deal(deps, row, signal)))
    for (const one of dealt) if (one.status === 'rejected') report(one.reason, 'sending a mail')
  }
}

async function deal(deps: SenderDeps, row: MailTable, signal: AbortSignal): Promise<void> {
  if (row.kind === ASKED) return resolveLogin(deps, row, signal)
  const outcome = await attempt(deps, row, signal)
  // What was broken off is sent again, by whichever process does it from now on.
  if (signal.aborted && outcome.problem !== undefined) return
  await settle(deps, row, { ...outcome, signal })
}

/** Turns a forgotten login into a mail; one that cannot be looked up is dropped, and its person asks again. */
async function resolveLogin(deps: SenderDeps, row: MailTable, signal: AbortSignal): Promise<void> {
  try {
    await deps.storage.write((tx) => deps.resolveAsked(tx, row))
  } catch (error) {
    if (signal.aborted || isUnavailable(error)) throw error
    deps.report(error, 'looking up a login whose password was forgotten')
    await insist(deps, signal, (tx) => deleteMail(tx, row.id))
  }
}

/** What an attempt came to. */
interface Outcome {
  /** Why the mail was not sent; absent when the server has it. */
  readonly problem?: string
  /** What becomes of the mail where no further attempt makes sense. */
  readonly end?: 'failed' | 'dropped' | undefined
}

async function attempt(
  { storage, secret, send, now }: SenderDeps,
  row: MailTable,
  signal: AbortSignal,
): Promise<Outcome> {
  const content = openContent(secret, row.content)
  if (content === undefined) return { problem: 'the mail was stored with another key' }
  const { name, until, path, ...body } = content
  if (until !== undefined && until <= now()) return { problem: 'expired', end: 'failed' }
  if (now() - millisFromUtc(row.created_at) > GIVEN_UP * HOUR)
    return { problem: row.problem || `not sent within ${GIVEN_UP} hours`, end: 'failed' }
  const token = until !== undefined && isOneTime(row.kind) ? path?.split('/').at(-1) : undefined
  // A replica may not know the link yet.
  if (token !== undefined && !(await storage.write((tx) => findOpenLink(tx, { token, now: now() }))))
    return { problem: 'its link does not work any more', end: 'dropped' }
  const { address, message_id: messageId } = row
  const date = new Date(millisFromUtc(row.created_at))
  try {
    await send({ to: { name, address }, ...body, messageId, date, signal })
    return {}
  } catch (error) {
    return { problem: problemOf(error), end: isRefusedRecipient(error) ? 'failed' : undefined }
  }
}

/** One line that every database can store, whatever the server said. */
function problemOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .slice(0, LONGEST_PROBLEM)
    .toWellFormed()
}

/** Stores what became of a mail: while that cannot be stored, it is not sent again. */
async function settle(
  deps: SenderDeps,
  row: MailTable,
  { signal, ...outcome }: Outcome & { readonly signal: AbortSignal },
): Promise<void> {
  const { now, log } = deps
  const { problem } = outcome
  const changes = becomeOf(row, outcome, now())
  const line = { mail: row.id, kind: row.kind, to: maskAddress(row.address), attempts: row.attempts + 1 }
  // What the server says may name the address.
  const failure = { ...line, problem: maskAddresses(problem ?? '') }
  if (changes.state === 'sent') log.info(line, 'mail sent')
  else if (changes.state === 'dropped') log.info(failure, 'mail dropped')
  else log.warn(failure, changes.state === undefined ? 'mail not sent yet' : 'mail given up')
  await insist(deps, signal, (tx) => updateMail(tx, row.id, { ...changes, attempts: row.attempts + 1 }))
}

/** Writes again and again until that works or another process takes over. */
async function insist(
  { storage, report }: SenderDeps,
  signal: AbortSignal,
  change: (tx: Transaction) => Promise<void>,
): Promise<void> {
  for (;;) {
    try {
      return await storage.write(change)
    } catch (error) {
      if (signal.aborted) throw error
      if (!isUnavailable(error)) report(error, 'storing what became of a mail')
      await rest(LOOK, signal)
    }
  }
}

/** What an attempt makes of a mail. */
function becomeOf({ attempts, created_at: queued }: MailTable, outcome: Outcome, now: number): Partial<MailTable> {
  const { problem, end } = outcome
  const settled = { content: null, settled_at: utcFromMillis(now) }
  if (problem === undefined) return { ...settled, state: 'sent', problem: '' }
  const next = now + (RETRIES[attempts] ?? EVERY_HOUR) * MINUTE
  if (end === undefined && next - millisFromUtc(queued) <= GIVEN_UP * HOUR)
    return { next_at: utcFromMillis(next), problem }
  return { ...settled, state: end ?? 'failed', problem }
}
