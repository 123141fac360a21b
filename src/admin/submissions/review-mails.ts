import { canGetMail, type Mailer } from '../../accounts/mail/index.ts'
import { type BackgroundWork, backgroundWork } from '../../base/background.ts'
import { translateKnown } from '../../base/i18n/translate.ts'
import { toUtc, utcFromMillis } from '../../base/time/zones.ts'
import type { Site } from '../../model/site.ts'
import { daysAfter, todayIn, whenText } from '../../pages/dates.ts'
import type { Reader, Report, Storage, Transaction } from '../../storage/engine.ts'
import { queuedSubmissions, type Reviewer, reviewers, storeTold } from './store.ts'

/** Milliseconds between two looks, and of an hour. */
const [LOOK, HOUR] = [600_000, 3_600_000] as const

/** When daily mails come, on the clock of the site. */
const MORNING = '07:00:00'

/** What mails to reviewers need. */
export interface ReviewMailDeps {
  readonly storage: Storage
  readonly mailer: Mailer
  readonly site: Pick<Site, 'zone'>
  readonly report: Report
  /** Unix milliseconds. */
  now(): number
}

/** Tells reviewers who want to hear at once of what waits, in the transaction of a submission. */
export async function tellAtOnce(tx: Transaction, mailer: Mailer): Promise<void> {
  if (!mailer.isConfigured) return
  for (const reviewer of await reviewers(tx)) if (reviewer.choice === 'once') await tell(tx, mailer, reviewer)
}

/**
 * Mails in the background what waits to the other reviewers, each hour or each morning, and what an address could not get
 * at once, as it had its share of mails.
 */
export function openReviewDigests(deps: ReviewMailDeps): BackgroundWork {
  const round = async (): Promise<void> => {
    if ((await dueReviewers(deps, deps.storage)).length === 0) return
    await deps.storage.write(async (tx) => {
      for (const reviewer of await dueReviewers(deps, tx)) await tell(tx, deps.mailer, reviewer)
    })
  }
  return backgroundWork({ round, every: LOOK, failed: (error) => deps.report(error, 'mailing what waits for review') })
}

/** Those who were not told of what has waited since before the last full hour, or before the last morning. */
async function dueReviewers({ mailer, site, now }: ReviewMailDeps, reader: Reader): Promise<Reviewer[]> {
  const waiting = mailer.isConfigured ? await queuedSubmissions(reader) : []
  if (waiting.length === 0) return []
  const hour = utcFromMillis(Math.floor(now() / HOUR) * HOUR)
  const morning = lastMorning(site.zone, now())
  return (await reviewers(reader)).filter(({ choice, told, email }) => {
    const first = waiting.find(({ id }) => id > (told ?? 0))
    const before = choice === 'hourly' || choice === 'once' ? hour : morning
    return choice !== 'never' && canGetMail(email) && first !== undefined && first.at < before
  })
}

/** UTC text. */
function lastMorning(zone: string, now: number): string {
  const today = todayIn(zone, now)
  const morning = toUtc(`${today} ${MORNING}`, zone)
  return morning <= utcFromMillis(now) ? morning : toUtc(`${daysAfter(today, -1)} ${MORNING}`, zone)
}

async function tell(tx: Transaction, mailer: Mailer, { id, told }: Reviewer): Promise<void> {
  const waiting = (await queuedSubmissions(tx)).filter((event) => event.id > (told ?? 0))
  const [last, to] = [waiting.at(-1), await mailer.recipientOf(tx, id)]
  if (last === undefined || to === undefined) return
  const { language } = to
  const say = (text: string): string => translateKnown(language, text)
  const list = waiting.map((event) => `${event.title} · ${whenText({ language, say }, event)}`)
  const mail = { kind: 'arrived', to, values: { count: waiting.length }, list, path: '/admin/queue' } as const
  if (await mailer.queueMail(tx, mail)) await storeTold(tx, { user_id: id, event_id: last.id })
}
