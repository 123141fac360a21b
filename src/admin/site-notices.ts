import { countMailsOf, type Mailer, type Recipient } from '../accounts/mail/index.ts'
import { listUsers } from '../accounts/users/index.ts'
import { type BackgroundWork, backgroundWork } from '../base/background.ts'
import { translateKnown } from '../base/i18n/translate.ts'
import { millisFromUtc, utcFromMillis } from '../base/time/zones.ts'
import { failingSubscriptions } from '../exchange/subscriptions/index.ts'
import type { Report, Storage, Transaction } from '../storage/engine.ts'
import type { Backups } from './deps.ts'
import { SUBSCRIPTIONS_PATH } from './subscriptions/index.ts'
import { lacksBackup } from './warnings.ts'

/** Milliseconds between two looks, between two mails of failures, and of failures that are worth one. */
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
    if (!deps.mailer.isConfigured) return
    const lacking = await lacksBackup(deps, deps.now())
    const failing = await failingSubscriptions(deps.storage, aDayAgo(deps))
    if (lacking !== undefined || failing.length > 0) await tellAdministrators(deps, lacking)
  }
  return backgroundWork({ round, every: LOOK, failed: (error) => deps.report(error, 'looking for what to mail') })
}

function aDayAgo({ now }: SiteNoticeDeps): string {
  return utcFromMillis(now() - DAY)
}

async function tellAdministrators(
  deps: SiteNoticeDeps,
  lacking: { readonly since: string } | undefined,
): Promise<void> {
  const { storage, mailer } = deps
  const administrators = (await listUsers({ storage })).filter(({ role }) => role === 'administrator')
  await storage.write(async (tx) => {
    for (const { id } of administrators) {
      const to = await mailer.recipientOf(tx, id)
      if (to === undefined) continue
      await tellOfFailing(deps, tx, to)
      // What was queued for a cause is not queued again.
      const cause = `no backup since ${lacking?.since}`
      if (lacking !== undefined) await mailer.queueMail(tx, { kind: 'backup', to, path: '/admin/system', cause })
    }
  })
}

/** One mail names all subscriptions that have failed for a day; another one follows when there are more, at most every hour. */
async function tellOfFailing(deps: SiteNoticeDeps, tx: Transaction, to: Recipient): Promise<void> {
  const failing = await failingSubscriptions(tx, aDayAgo(deps))
  const newest = failing.at(-1)?.failing_since
  if (newest == null) return
  // A mail of the second in which it had failed for a day tells of it.
  const since = utcFromMillis(Math.min(deps.now() - HOUR, millisFromUtc(newest) + DAY - 1000))
  if ((await countMailsOf(tx, { userId: to.userId ?? 0, kind: 'subscription', since })) > 0) return
  const list = failing.map(({ name, problem }) => `${name}: ${translateKnown(to.language, problem)}`)
  const values = { count: failing.length }
  await deps.mailer.queueMail(tx, { kind: 'subscription', to, values, list, path: SUBSCRIPTIONS_PATH })
}
