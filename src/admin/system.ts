import packageFile from '../../package.json' with { type: 'json' }
import { failedMails } from '../accounts/mail/index.ts'
import { utcFromMillis } from '../base/time/zones.ts'
import type { PageResponse } from '../http/html-page.ts'
import { FAILURE_LINES } from '../http/limits/failure-log.ts'
import { HEALTH_ADDRESS } from '../http/route/health.ts'
import { isMadeUpHost } from '../model/site.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import { adminPage, csrfField } from './layout.ts'
import { momentText } from './moments.ts'
import { optionsBox } from './options.ts'
import { type AdminPage, type PageRequest, redirect } from './page-request.ts'
import { PROGRESS_SCRIPT, progressNote } from './progress.ts'
import { rowsTable } from './table.ts'
import { backupProblem, backupProgress, backupTable, lastBackupLine, megabytes } from './work/backups.ts'
import { reportList } from './work/reports.ts'
import { whyFailed } from './work/words.ts'

const PATH = '/admin/system'

/** What runs here, how it is, and its backups. */
export const SYSTEM_PAGE: AdminPage = { path: PATH, role: 'administrator', show: (request) => page(request), submit }

async function submit(request: PageRequest): Promise<PageResponse> {
  const { deps, incoming, sent, t } = request
  if (sent('action') !== 'backup') return redirect(PATH)
  const { id, name } = incoming.caller
  if (!(await deps.backups.start({ id, name }))) return page(request, t('admin.backups.alreadyRunning'))
  deps.log.info({ change: 'backup started', by: name }, 'audit')
  return redirect(PATH)
}

async function page(request: PageRequest, refused?: string): Promise<PageResponse> {
  const { t, deps } = request
  const { storage } = deps
  const facts: readonly (readonly [string, string | Markup])[] = [
    [t('admin.system.version'), packageFile.version],
    ['Node.js', process.version],
    [t('common.health'), await health(request)],
    [t('admin.system.database'), storage.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'],
    [t('admin.system.location'), html`<bdi dir="ltr">${storage.location}</bdi>`],
    [t('admin.system.globalIdHost'), hostOf(request)],
    [t('admin.system.memory'), megabytes(request, process.memoryUsage.rss() / 1024 ** 2)],
  ]
  const rows = facts.map(([label, content]) => html`<dt>${label}</dt><dd>${content}</dd>\n`)
  const body = html`<div class="box"><dl>${rows}</dl></div>\n${await backups(request)}\n${await lostMails(request)}${failedLogIns(request)}\n${optionsBox(request)}`
  const status = refused === undefined ? {} : { status: 409, refused }
  return adminPage(request, { title: t('admin.system'), under: PATH, body, scripts: [PROGRESS_SCRIPT], ...status })
}

/** The host of global identifiers, with a warning where it was made up. */
function hostOf({ t, deps }: PageRequest): Markup {
  const { host } = deps.site
  const warning = isMadeUpHost(host) ? html`<p class="warning">${t('admin.system.madeUpHost')}</p>` : ''
  return html`<bdi>${host}</bdi>${warning}`
}

/** The public health status of the server, in the language of the reader. */
async function health(request: PageRequest): Promise<string> {
  const { t, deps, incoming } = request
  const call = { path: HEALTH_ADDRESS }
  const isWell = () => t('admin.system.healthy')
  return deps.api(incoming, call).then(isWell, (problem) => whyFailed(request, problem))
}

/** Who tried to sign in and could not: whoever looks sees that a password is being guessed. */
function failedLogIns(request: PageRequest): Markup {
  const { t, deps } = request
  const failures = deps.failedLogIns()
  const box = (content: Markup): Markup =>
    html`<section class="box"><h2>${t('admin.system.failedSignIns')}</h2>${content}</section>`
  if (failures.length === 0) return box(html`<p class="quiet-text">${t('admin.system.noFailedSignIns')}</p>`)
  const rows = failures.map(
    ({ at, address, login }) =>
      html`<tr><th scope="row">${momentText(request, utcFromMillis(at))}</th><td><span dir="ltr">${address}</span></td><td><bdi>${login}</bdi></td></tr>\n`,
  )
  const told = t('admin.system.lastFailedSignIns', {
    count: failures.length,
    lines: FAILURE_LINES,
  })
  return box(
    html`${rowsTable([t('admin.when'), t('admin.ipAddress'), t('common.username')], rows)}<p class="quiet-text">${told}</p>`,
  )
}

/** Most mails that are listed. */
const MAIL_LINES = 20

/** The mails that were given up; nothing where there are none. */
async function lostMails(request: PageRequest): Promise<Markup> {
  const { t, deps } = request
  const mails = await failedMails(deps.storage, MAIL_LINES)
  if (mails.length === 0) return NOTHING
  const rows = mails.map(
    ({ created_at: at, address, problem }) =>
      html`<tr><th scope="row">${momentText(request, at)}</th><td><bdi>${address}</bdi></td><td><bdi>${problem}</bdi></td></tr>\n`,
  )
  return html`<section class="box"><h2>${t('admin.system.failedMails')}</h2>${rowsTable([t('admin.when'), t('fields.email'), t('admin.system.problem')], rows)}</section>
`
}

async function backups(request: PageRequest): Promise<Markup> {
  const { t, deps } = request
  const entry = await deps.longWork.latest('backup')
  const isRunning = entry?.state === 'running'
  const state = isRunning
    ? progressNote(request, { text: backupProgress(request, entry), report: PATH })
    : backupProblem(request, entry)
  const button = isRunning
    ? html`<button class="second" name="action" value="stop" formaction="/admin/work/${entry.id}">${t('admin.stop')}</button>`
    : html`<button name="action" value="backup">${t('admin.backups.start')}</button>`
  const { folder, kept } = deps.backups
  return html`<form class="box" method="post" action="${PATH}">${csrfField(request)}<h2>${t('admin.backups.title')}</h2>${state}${await lastBackupLine(request)}${await backupTable(request)}
<p class="quiet-text">${t('admin.backups.newestStay', { count: kept, folder })}</p>${button}
<p class="quiet-text">${t('admin.backups.command')} <code>kalends backup</code></p></form>
${await reportList(request)}`
}
