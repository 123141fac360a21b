import { utcFromMillis } from '../base/time/zones.ts'
import { isAtLeast } from '../http/auth/rights.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import type { Reader } from '../storage/engine.ts'
import type { Backups } from './deps.ts'
import type { PageRequest } from './page-request.ts'
import { problemText, SUBSCRIPTIONS_PATH, subscriptionsOf } from './subscriptions/index.ts'

/** Milliseconds without a backup that are worth a warning. */
const WEEK = 7 * 86_400_000

/** What is wrong and an administrator can fix; nothing for others, and where all is well. */
export async function warnings(request: PageRequest): Promise<Markup> {
  if (!isAtLeast(request.incoming.caller.role, 'administrator')) return NOTHING
  const all = [...(await failingSubscriptions(request)), ...(await missingBackup(request))]
  if (all.length === 0) return NOTHING
  return html`<section class="warnings" aria-label="${request.t('admin.subscriptions.attention')}">${all}</section>`
}

async function failingSubscriptions(request: PageRequest): Promise<readonly Markup[]> {
  const { t } = request
  const failing = (await subscriptionsOf(request)).filter(
    ({ failures, paused }) => Number(failures) > 0 && paused !== true,
  )
  return failing.map(({ id, name, problem }) => {
    const text = t('admin.subscriptions.cannotSync', { name: String(name), problem: problemText(request, problem) })
    return html`<p class="note"><a href="${SUBSCRIPTIONS_PATH}/${String(id)}">${text}</a></p>\n`
  })
}

async function missingBackup({ deps, incoming, t }: PageRequest): Promise<readonly Markup[]> {
  if ((await lacksBackup(deps, incoming.now)) === undefined) return []
  const text = t('admin.backups.noneForAWeek')
  return [html`<p class="note">${text} <a href="/admin/system">${t('admin.backups.start')}</a></p>\n`]
}

/**
 * Since when a calendar has no backup, where that is longer than a week: since the last one, or since its start. A calendar that
 * is new need not have one yet. `now` is in Unix milliseconds.
 */
export async function lacksBackup(
  { backups, storage }: { readonly backups: Pick<Backups, 'lastMade' | 'list'>; readonly storage: Reader },
  now: number,
): Promise<{ readonly since: string } | undefined> {
  const made = [(await backups.lastMade())?.at, (await backups.list())[0]?.made_at].filter((at) => at !== undefined)
  const first = await storage.first(storage.db.selectFrom('journal').select('at').orderBy('seq').limit(1))
  const since = made.toSorted().at(-1) ?? first?.at
  return since === undefined || since > utcFromMillis(now - WEEK) ? undefined : { since }
}
