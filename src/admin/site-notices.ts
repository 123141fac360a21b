import type { Mailer, NewMail } from '../accounts/mail/index.ts'
import { listUsers } from '../accounts/users/index.ts'
import { type BackgroundWork, backgroundWork } from '../base/background.ts'
import { utcFromMillis } from '../base/time/zones.ts'
import { allSubscriptions, failingSince } from '../exchange/subscriptions/index.ts'
import type { Report, Storage } from '../storage/engine.ts'
import type { Backups } from './deps.ts'
import { SUBSCRIPTIONS_PATH } from './subscriptions/index.ts'
import { lacksBackup } from './warnings.ts'

/** Milliseconds between two looks, and of failures that are worth a mail. */
const [LOOK, DAY] = [600_000, 86_400_000] as const

/** What notices need. */
export interface SiteNoticeDeps {
  readonly storage: Storage
  readonly mailer: Mailer
  readonly backups: Pick<Backups, 'lastMade' | 'list'>
  readonly report: Report
  /** Unix milliseconds. */
  now(): number
}

/** A mail to every administrator. */
type SiteNotice = Omit<NewMail, 'to'>

/** Tells administrators in the background of subscriptions that have failed for a day, and of a missing backup. */
export function openSiteNotices(deps: SiteNoticeDeps): BackgroundWork {
  const round = async (): Promise<void> => {
    if (!deps.mailer.isConfigured) return
    const notices = [...(await failingSubscriptions(deps)), ...(await missingBackup(deps))]
    if (notices.length > 0) await queueAll(deps, notices)
  }
  return backgroundWork({ round, every: LOOK, failed: (error) => deps.report(error, 'looking for what to mail') })
}

async function failingSubscriptions({ storage, now }: SiteNoticeDeps): Promise<SiteNotice[]> {
  const before = utcFromMillis(now() - DAY)
  const notices: SiteNotice[] = []
  for (const { id, name, problem, failures, paused } of await allSubscriptions(storage)) {
    const since = failures > 0 && paused === 0 ? await failingSince(storage, id) : undefined
    if (since === undefined || since > before) continue
    const values = { subscription: name, problem }
    notices.push({ kind: 'subscription', values, path: `${SUBSCRIPTIONS_PATH}/${id}`, cause: `failing ${id} ${since}` })
  }
  return notices
}

async function missingBackup(deps: SiteNoticeDeps): Promise<SiteNotice[]> {
  const lacking = await lacksBackup(deps, deps.now())
  return lacking === undefined
    ? []
    : [{ kind: 'backup', path: '/admin/system', cause: `no backup since ${lacking.since}` }]
}

/** What was queued for a cause is not queued again. */
async function queueAll({ storage, mailer }: SiteNoticeDeps, notices: readonly SiteNotice[]): Promise<void> {
  const administrators = (await listUsers({ storage })).filter(
    ({ role, disabledAt }) => role === 'administrator' && disabledAt === null,
  )
  await storage.write(async (tx) => {
    for (const { id } of administrators) {
      const to = await mailer.recipientOf(tx, id)
      if (to !== undefined) for (const notice of notices) await mailer.queueMail(tx, { ...notice, to })
    }
  })
}
