import { latestSyncs } from '../../exchange/subscriptions/index.ts'
import { html, type Markup } from '../../pages/html.ts'
import type { LongWorkEntry } from '../../storage/jobs/index.ts'
import { fieldLabels } from '../bulk-inputs.ts'
import { type BulkAbout, bulkAbout } from '../bulk-work.ts'
import { fileImportOf } from '../imports/types.ts'
import { KINDS } from '../item-kinds.ts'
import { momentText } from '../moments.ts'
import type { PageRequest } from '../page-request.ts'
import { problemText, SUBSCRIPTIONS_PATH } from '../subscriptions/index.ts'
import { rowsTable } from '../table.ts'
import { siteOf } from './site-imports.ts'
import { workBadge } from './words.ts'

/** Most syncs of subscriptions that are listed. */
const VISITS = 25

/** A line of the list. */
interface Line {
  /** UTC text. */
  readonly at: string
  readonly what: Markup
  readonly state: Markup
  readonly by: string
}

/** Long work as far as a list shows it. */
type Listed = Omit<LongWorkEntry, 'outcome'>

/** What some work is, in a few words. */
export function workTitle(request: PageRequest, entry: Listed): string {
  const { t } = request
  if (entry.kind === 'backup') return t('admin.work.backupFromDate', { date: momentText(request, entry.startedAt) })
  if (entry.kind === 'site-import') return t('admin.work.importOfName', { name: siteOf(entry) })
  if (entry.kind === 'bulk') return bulkTitle(request, bulkAbout(entry))
  const { file, isPreview } = fileImportOf(entry).asked
  return isPreview ? t('admin.previewOfFile', { file }) : t('admin.work.importOfName', { name: file })
}

function bulkTitle(request: PageRequest, { collection, action }: BulkAbout): string {
  const { t } = request
  const actions = {
    ...{
      publish: t('admin.publish'),
      draft: t('admin.changeToDraft'),
      trash: t('admin.moveToTrash'),
      delete: t('admin.deletePermanently'),
    },
    restore: t('admin.restore'),
    ...fieldLabels(request),
  }
  const title = KINDS.find((one) => one.collection === collection)?.title ?? 'common.events'
  return `${t(title)}: ${actions[action]}`
}

/** The reports of imports, backups and syncs, newest first, each with a link to its page. */
export async function reportList(request: PageRequest): Promise<Markup> {
  const { t, deps } = request
  const works = (await deps.longWork.recentOfAll()).map((entry) => lineOf(request, entry))
  const visits = (await latestSyncs(deps.storage, VISITS)).map((visit): Line => {
    const texts = { changed: t('admin.synced'), unchanged: t('admin.noChanges') } as const
    const text = Object.entries(texts).find(([name]) => name === visit.outcome)?.[1]
    return {
      at: visit.last_at,
      what: html`<a class="title" href="${SUBSCRIPTIONS_PATH}/${visit.source_id}">${t('admin.work.syncOfName', { name: visit.name })}</a>`,
      state: html`${text ?? problemText(request, visit.problem)}`,
      by: '–',
    }
  })
  const lines = [...works, ...visits].sort((one, other) => (one.at < other.at ? 1 : -1))
  const heads = [t('admin.when'), t('admin.what'), t('admin.result'), t('admin.work.startedBy')]
  const table = rowsTable(
    heads,
    lines.map((line) => rowOf(request, line)),
  )
  return html`<section class="box"><h2>${t('admin.work.reports')}</h2>${lines.length === 0 ? html`<p class="quiet-text">${t('admin.work.noReportsYet')}</p>` : table}</section>`
}

function lineOf(request: PageRequest, entry: Listed): Line {
  const what = html`<a class="title" href="/admin/work/${entry.id}">${workTitle(request, entry)}</a>`
  return { at: entry.startedAt, what, state: workBadge(request, entry), by: entry.by.name || '–' }
}

function rowOf(request: PageRequest, { at, what, state, by }: Line): Markup {
  return html`<tr><td>${momentText(request, at)}</td><th scope="row" class="wrap">${what}</th><td>${state}</td><td><bdi>${by}</bdi></td></tr>\n`
}
