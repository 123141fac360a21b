import { fail } from '../../base/errors.ts'
import { storedJson } from '../../base/text/stored-json.ts'
import { isAtLeast } from '../../http/auth/rights.ts'
import type { PageResponse } from '../../http/page.ts'
import { html, type Markup } from '../../pages/html.ts'
import type { LongWorkEntry } from '../../storage/jobs/index.ts'
import { type AdminPage, type Asking, redirect } from '../asking.ts'
import { bulkAbout } from '../bulk-work.ts'
import { importReport } from '../imports/page.ts'
import { fileImportOf } from '../imports/types.ts'
import { adminPage } from '../layout.ts'
import { momentText } from '../moments.ts'
import { PROGRESS_SCRIPT, progressNote } from '../progress.ts'
import { backupReport } from './backups.ts'
import { bulkReport, listOf, submitBulkWork } from './bulk.ts'
import { workTitle } from './reports.ts'
import { type SiteOutcome, siteReport } from './site-imports.ts'
import { lengthText, progressText, whyFailed, workBadge } from './words.ts'

/** The page of some long work: how far it is, and what it came to. */
export const WORK_PAGE: AdminPage = { path: '/admin/work/:id', role: 'contributor', show: page, submit }

async function submit(asking: Asking): Promise<PageResponse> {
  const entry = await entryAsked(asking)
  if (entry.kind === 'bulk') return submitBulkWork(asking, entry)
  const { parts, incoming, sent } = asking
  if (entry.kind !== 'backup' || sent('action') !== 'stop') return page(asking)
  await parts.longWork.stop(entry.id)
  parts.log.info({ change: 'backup stopped', by: incoming.caller.name }, 'audit')
  return redirect(`/admin/work/${entry.id}`)
}

async function page(asking: Asking): Promise<PageResponse> {
  const entry = await entryAsked(asking)
  const busy = asking.t('admin.bulk.busy')
  return adminPage(asking, {
    title: workTitle(asking, entry),
    under: entry.kind === 'bulk' ? listOf(bulkAbout(entry)).path : '/admin/system',
    body: html`${facts(asking, entry)}${await report(asking, entry)}`,
    scripts: [PROGRESS_SCRIPT],
    ...(asking.query('done') === 'busy' && { refused: busy }),
  })
}

/** The entry that an address names. @throws rest_no_route where there is none that this caller may see */
async function entryAsked({ parts, incoming }: Asking): Promise<LongWorkEntry> {
  const id = incoming.path['id'] ?? ''
  const entry = /^\d{1,15}$/.test(id) ? await parts.longWork.find(Number(id)) : undefined
  const { caller } = incoming
  if (entry === undefined || (entry.by.id !== caller.id && !isAtLeast(caller.role, 'administrator')))
    throw fail('rest_no_route')
  return entry
}

function facts(asking: Asking, entry: LongWorkEntry): Markup {
  const { t } = asking
  const rows = [
    [t('fields.status'), workBadge(asking, entry)],
    [t('admin.work.started'), momentText(asking, entry.startedAt)],
    [t('admin.work.startedBy'), entry.by.name === '' ? '–' : html`<bdi>${entry.by.name}</bdi>`],
    [t('admin.duration'), lengthText(asking, entry)],
  ] as const
  return html`<div class="box"><dl>${rows.map(([label, content]) => html`<dt>${label}</dt><dd>${content}</dd>\n`)}</dl></div>`
}

async function report(asking: Asking, entry: LongWorkEntry): Promise<Markup> {
  if (entry.kind === 'bulk')
    return html`<section class="box"><h2>${asking.t('admin.work.report')}</h2>${await bulkReport(asking, entry)}</section>`
  if (entry.kind === 'file-import') return importReport(asking, fileImportOf(entry))
  const body = entry.kind === 'backup' ? backupReport(asking, entry) : siteImport(asking, entry)
  return html`<section class="box"><h2>${asking.t('admin.work.report')}</h2>${body}</section>`
}

function siteImport(asking: Asking, entry: LongWorkEntry): Markup {
  const { t } = asking
  if (entry.state === 'running')
    return progressNote(asking, { text: progressText(asking, entry), report: `/admin/work/${entry.id}` })
  if (entry.state === 'failed') return html`<p class="refused">${whyFailed(asking, entry.problem)}</p>`
  if (entry.outcome === undefined) return html`<p class="refused">${t('admin.work.serverEnded')}</p>`
  return siteReport(asking, storedJson<SiteOutcome>(entry.outcome))
}
