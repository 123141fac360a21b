import type { Mailer, NewMail, Recipient } from '../accounts/mail/index.ts'
import { listUsers } from '../accounts/users/index.ts'
import { type BackgroundWork, backgroundWork } from '../base/background.ts'
import { translateKnown } from '../base/i18n/translate.ts'
import { utcFromMillis } from '../base/time/zones.ts'
import { failingSubscriptions } from '../exchange/subscriptions/index.ts'
import type { Report, Storage } from '../storage/engine.ts'
import type { Backups } from './deps.ts'
import { SUBSCRIPTIONS_PATH } from './subscriptions/index.ts'
import { lacksBackup } from './warnings.ts'

/** Milliseconds between two looks, and of failures that are worth a mail. */
const [LOOK, HOUR, DAY] = [600_000, 3_600_000, 86_400_000] as const

/** What notices need. */
export interface SiteNoticeDeps {
  readonly storage: Storage
  readonly mailer: Mailer
  readonly backups: Pick<Backups, 'lastMade' | 'list'>
  readonly report: Report
  /** Unix milliseconds. */
  now(): number
}

/** Tells administrators in the background of subscriptions that have failed for a day, and of a missing backup. */
export function openSiteNotices(deps: SiteNoticeDeps): BackgroundWork {
  const round = async (): Promise<void> => {
    const { storage, mailer, now } = deps
    if (!mailer.isConfigured) return
    const lacking = await lacksBackup(deps, now())
    // Those of whole hours, so that one mail names all that began in an hour.
    const began = Math.floor((now() - DAY) / HOUR) * HOUR - 1000
    const failing = await failingSubscriptions(storage, utcFromMillis(began))
    if (lacking === undefined && failing.length === 0) return
    const administrators = (await listUsers({ storage })).filter(({ role }) => role === 'administrator')
    await storage.write(async (tx) => {
      for (const { id } of administrators) {
        const to = await mailer.recipientOf(tx, id)
        // What was queued for a cause is not queued again.
        for (const notice of to === undefined ? [] : noticesOf(to, lacking, failing)) await mailer.queueMail(tx, notice)
      }
    })
  }
  return backgroundWork({ round, every: LOOK, failed: (error) => deps.report(error, 'looking for what to mail') })
}

/** One mail names all subscriptions that have failed for a day; another one follows for those that began in a later hour. */
function noticesOf(
  to: Recipient,
  lacking: { readonly since: string } | undefined,
  failing: Awaited<ReturnType<typeof failingSubscriptions>>,
): NewMail[] {
  const list = failing.map(({ name, problem }) => `${name}: ${translateKnown(to.language, problem)}`)
  const [values, hour] = [{ count: failing.length }, failing.at(-1)?.failing_since?.slice(0, 13)]
  const cause = `subscriptions failing since ${hour}`
  const notices: NewMail[] = []
  if (hour !== undefined) notices.push({ kind: 'subscription', to, values, list, path: SUBSCRIPTIONS_PATH, cause })
  if (lacking !== undefined)
    notices.push({ kind: 'backup', to, path: '/admin/system', cause: `no backup since ${lacking.since}` })
  return notices
}
