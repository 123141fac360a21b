import { fail } from '../../base/errors.ts'
import { storedJson } from '../../base/text/stored-json.ts'
import { isAtLeast } from '../../http/auth/rights.ts'
import type { PageResponse } from '../../http/html-page.ts'
import { html, type Markup } from '../../pages/html.ts'
import type { LongWorkEntry } from '../../storage/jobs/index.ts'
import { bulkAbout } from '../bulk-work.ts'
import { importReport } from '../imports/page.ts'
import { fileImportOf } from '../imports/types.ts'
import { adminPage } from '../layout.ts'
import { momentText } from '../moments.ts'
import { type AdminPage, type PageRequest, redirect } from '../page-request.ts'
import { PROGRESS_SCRIPT, progressNote } from '../progress.ts'
import { backupReport } from './backups.ts'
import { bulkReport, listOf, submitBulkWork } from './bulk.ts'
import { workTitle } from './reports.ts'
import { type SiteOutcome, siteReport } from './site-imports.ts'
import { lengthText, progressText, whyFailed, workBadge } from './words.ts'

/** The page of some long work: how far it is, and what it came to. */
export const WORK_PAGE: AdminPage = { path: '/admin/work/:id', role: 'contributor', show: page, submit }

async function submit(request: PageRequest): Promise<PageResponse> {
  const entry = await entryAsked(request)
  if (entry.kind === 'bulk') return submitBulkWork(request, entry)
  const { deps, incoming, sent } = request
  if (entry.kind !== 'backup' || sent('action') !== 'stop') return page(request)
  await deps.longWork.stop(entry.id)
  deps.log.info({ change: 'backup stopped', by: incoming.caller.name }, 'audit')
  return redirect(`/admin/work/${entry.id}`)
}

async function page(request: PageRequest): Promise<PageResponse> {
  const entry = await entryAsked(request)
  const busy = request.t('admin.bulk.busy')
  return adminPage(request, {
    title: workTitle(request, entry),
    under: entry.kind === 'bulk' ? listOf(bulkAbout(entry)).path : '/admin/system',
    body: html`${facts(request, entry)}${await report(request, entry)}`,
    scripts: [PROGRESS_SCRIPT],
    status: 200,
    refused: request.query('done') === 'busy' ? busy : undefined,
  })
}

/** The entry that an address names. @throws rest_no_route if there is none that this caller may see */
async function entryAsked({ deps, incoming }: PageRequest): Promise<LongWorkEntry> {
  const id = incoming.path['id'] ?? ''
  const entry = /^\d{1,15}$/.test(id) ? await deps.longWork.find(Number(id)) : undefined
  const { caller } = incoming
  if (entry === undefined || (entry.by.id !== caller.id && !isAtLeast(caller.role, 'administrator')))
    throw fail('rest_no_route')
  return entry
}

function facts(request: PageRequest, entry: LongWorkEntry): Markup {
  const { t } = request
  const rows = [
    [t('fields.status'), workBadge(request, entry)],
    [t('admin.work.started'), momentText(request, entry.startedAt)],
    [t('admin.work.startedBy'), entry.by.name === '' ? '–' : html`<bdi>${entry.by.name}</bdi>`],
    [t('admin.duration'), lengthText(request, entry)],
  ] as const
  return html`<div class="box"><dl>${rows.map(([label, content]) => html`<dt>${label}</dt><dd>${content}</dd>\n`)}</dl></div>`
}

async function report(request: PageRequest, entry: LongWorkEntry): Promise<Markup> {
  if (entry.kind === 'bulk')
    return html`<section class="box"><h2>${request.t('admin.work.report')}</h2>${await bulkReport(request, entry)}</section>`
  if (entry.kind === 'file-import') return importReport(request, fileImportOf(entry))
  const body = entry.kind === 'backup' ? backupReport(request, entry) : siteImport(request, entry)
  return html`<section class="box"><h2>${request.t('admin.work.report')}</h2>${body}</section>`
}

function siteImport(request: PageRequest, entry: LongWorkEntry): Markup {
  const { t } = request
  if (entry.state === 'running')
    return progressNote(request, { text: progressText(request, entry), report: `/admin/work/${entry.id}` })
  if (entry.state === 'failed') return html`<p class="refused">${whyFailed(request, entry.problem)}</p>`
  if (entry.outcome === undefined) return html`<p class="refused">${t('admin.work.serverEnded')}</p>`
  return siteReport(request, storedJson<SiteOutcome>(entry.outcome))
}
