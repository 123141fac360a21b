import { randomBytes } from 'node:crypto'
import type { Logger } from '../../base/log.ts'
import { seal, unseal } from '../../base/sealed.ts'
import { fold } from '../../base/text/fold.ts'
import { isAddress, maskAddress } from '../../base/text/mailbox.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import type { Site } from '../../model/site.ts'
import type { Reader, Storage, Transaction } from '../../storage/engine.ts'
import type { MailTable } from '../../storage/schema.ts'
import { findUserById, type SignInNotice, type User } from '../users/index.ts'
import type { OpenWays } from '../ways-in/index.ts'
import { layOutMail, type MailBody } from './layout.ts'
import { countMails, findChoice, hasMailFor, insertMail, lastLanguage, nextMailId } from './store.ts'
import { MAILS, type MailTemplate, type NewMail, type Recipient, SHARING } from './templates.ts'
import { unsubscribeToken } from './unsubscribe.ts'

/** Queues mails. */
export interface Mailer {
  /** Whether mails are sent; where they are not, links are shown instead. */
  readonly isConfigured: boolean
  /**
   * Queues a mail in the transaction of its cause. False where it is not sent: mail is not configured, the address is none or
   * had its share of mails, or the recipient wants none of this kind.
   */
  queueMail(tx: Transaction, mail: NewMail): Promise<boolean>
  /** Whether `queueMail` would queue such a mail. */
  mayMail(tx: Transaction, mail: Pick<NewMail, 'kind' | 'to' | 'cause'>): Promise<boolean>
  /** Tells a person of a new way into the account, in its transaction. */
  queueNotice(tx: Transaction, notice: SignInNotice): Promise<boolean>
  /** Stores that somebody has forgotten the password of a login, known or unknown. */
  askForReset(login: string): Promise<void>
  /** A user as a recipient, in the language of the last sign-in; undefined where there is none who may sign in. */
  recipientOf(reader: Reader, userId: number): Promise<Recipient | undefined>
}

/** What mails are queued with. */
export interface MailerDeps {
  readonly storage: Storage
  readonly site: Pick<Site, 'name' | 'zone' | 'theme'>
  /** Of the address that mails come from. */
  readonly domain: string
  /** Key under which bodies are stored. */
  readonly secret: string
  readonly log: Logger
  /** Whether there is a server and a sender. */
  readonly hasServer: boolean
  /** Public address of the site; '' while there is none, and no mail. */
  baseUrl(): string
  /** Of those whose language is unknown. */
  language(): string
  /** Unix milliseconds. */
  now(): number
  /** The ways in that work; all of them if absent. */
  readonly openWays?: OpenWays
}

/** Most mails: to one address in an hour and in a day, and of a site in an hour. */
const MOST = { hour: 5, day: 20, site: 500 } as const

const HOUR = 3_600_000

/** Prepares queuing; `wake` is called when a mail was stored. */
export function openMailer(
  deps: MailerDeps,
  { wake, askForReset }: Pick<Mailer, 'askForReset'> & { wake(): void },
): Mailer {
  return {
    get isConfigured() {
      return deps.hasServer && deps.baseUrl() !== ''
    },
    recipientOf: async (reader, userId) => {
      const user = await findUserById(reader, userId)
      return user?.disabledAt === null ? recipientOf(deps, reader, user) : undefined
    },
    async mayMail(tx, mail) {
      return this.isConfigured && (await isWanted(deps, tx, mail))
    },
    async queueMail(tx, mail) {
      if (!(await this.mayMail(tx, mail))) return false
      await insert(deps, tx, mail)
      tx.afterCommit(wake)
      return true
    },
    async queueNotice(tx, { userId, kind, what }) {
      const user = await findUserById(tx, userId)
      if (user === undefined) return false
      const values = { kind, what, login: user.name }
      return this.queueMail(tx, { kind: 'signInMethod', to: await recipientOf(deps, tx, user), values })
    },
    askForReset,
  }
}

/** An enabled user as a recipient. */
export async function recipientOf(
  { language }: Pick<MailerDeps, 'language'>,
  reader: Reader,
  user: Pick<User, 'id' | 'email' | 'displayName'>,
): Promise<Recipient> {
  const { id: userId, email: address, displayName: name } = user
  return { address, name, userId, language: (await lastLanguage(reader, userId)) || language() }
}

/** Identifies a cause with its recipient. */
function causeOf({ cause, to }: Pick<NewMail, 'cause' | 'to'>): string | null {
  return cause === undefined ? null : `${cause} ${to.address}`
}

/** Whether mails can be sent to an address. Nobody reads those to accounts that programs or the first start made up. */
export function canGetMail(address: string): boolean {
  return isAddress(address) && !/@(localhost|.*\.invalid)$/i.test(address)
}

async function isWanted(
  deps: MailerDeps,
  tx: Transaction,
  mail: Pick<NewMail, 'kind' | 'to' | 'cause'>,
): Promise<boolean> {
  const { address, userId } = mail.to
  if (!canGetMail(address)) return false
  const { topic, budget }: MailTemplate = MAILS[mail.kind]
  if (topic !== undefined && userId !== undefined && (await findChoice(tx, userId, topic)) === 'never') return false
  const cause = causeOf(mail)
  if (cause !== null && (await hasMailFor(tx, cause))) return false
  const now = deps.now()
  const [hour, day] = [utcFromMillis(now - HOUR), utcFromMillis(now - 24 * HOUR)]
  const kinds = budget === 'own' ? [mail.kind] : SHARING
  const counts = await countMails(tx, { address: fold(address), kinds, hour, day })
  const isTooMuchForOne = budget !== 'none' && (counts.hour >= MOST.hour || counts.day >= MOST.day)
  const isTooMuch = isTooMuchForOne || counts.site >= MOST.site
  if (isTooMuch) deps.log.warn({ mail: mail.kind, to: maskAddress(address) }, 'mail not queued: too many mails')
  return !isTooMuch
}

/** Stores a mail that waits for its first attempt; its `Message-ID` is the same in each. */
export async function insertWaiting(
  deps: Pick<MailerDeps, 'domain' | 'now'>,
  tx: Transaction,
  mail: Pick<MailTable, 'kind' | 'user_id' | 'address' | 'cause' | 'content'>,
): Promise<void> {
  const at = utcFromMillis(deps.now())
  const id = await nextMailId(tx)
  await insertMail(tx, {
    ...mail,
    id,
    address_folded: fold(mail.address),
    message_id: newMessageId(deps, id),
    state: 'waiting',
    attempts: 0,
    next_at: at,
    created_at: at,
    settled_at: null,
    problem: '',
  })
}

/** The `Message-ID` of a mail, the same in each attempt. */
export function newMessageId({ domain }: Pick<MailerDeps, 'domain'>, id: number): string {
  return `<${id}.${randomBytes(12).toString('hex')}@${domain}>`
}

async function insert(deps: MailerDeps, tx: Transaction, mail: NewMail): Promise<void> {
  const { address, name, userId = null } = mail.to
  const stored: MailContent = { ...layOut(deps, mail), name, until: mail.until, path: mail.path }
  // The links in it are of no use without the key of the site.
  const content = seal(JSON.stringify(stored), { secret: deps.secret, purpose: 'mail' })
  await insertWaiting(deps, tx, { kind: mail.kind, user_id: userId, address, cause: causeOf(mail), content })
}

/** The forms of a mail, and where its recipient unsubscribes. */
export function layOut({ site, secret, baseUrl }: MailerDeps, mail: NewMail): MailBody {
  const { userId } = mail.to
  const { topic }: MailTemplate = MAILS[mail.kind]
  const address = baseUrl().replace(/\/+$/, '')
  const token = topic === undefined || userId === undefined ? undefined : unsubscribeToken(secret, { userId, topic })
  const unsubscribe = token === undefined ? undefined : `${address}/admin/link/stop/${token}`
  return layOutMail(mail, { site, address, unsubscribe })
}

/** What is stored of a mail until it was sent. */
interface MailContent extends MailBody {
  /** Of the recipient; ''. */
  readonly name: string
  /** Until when its link works, Unix milliseconds; absent where it has none, or one that stays. */
  readonly until?: number | undefined
  /** Path that its button opens. */
  readonly path?: string | undefined
}

/** What is stored of a mail; undefined with another key. */
export function openContent(secret: string, sealed: string | null): MailContent | undefined {
  const text = sealed === null ? undefined : unseal(sealed, { secret, purpose: 'mail' })
  return text === undefined ? undefined : (JSON.parse(text) as MailContent)
}
