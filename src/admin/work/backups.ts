import { storedJson } from '../../base/text/stored-json.ts'
import { html, type Markup, NOTHING } from '../../pages/html.ts'
import type { LongWorkEntry } from '../../storage/jobs/index.ts'
import type { MadeBackup } from '../deps.ts'
import { csrfField } from '../layout.ts'
import { momentText } from '../moments.ts'
import type { PageRequest } from '../page-request.ts'
import { progressNote } from '../progress.ts'
import { namedCell, rowsTable } from '../table.ts'
import { lengthText, progressText, whyFailed } from './words.ts'

/** Bytes as megabytes, in the language of the reader. */
export function megabytes({ incoming }: PageRequest, count: number): string {
  const most = { maximumFractionDigits: count < 100 ? 1 : 0 }
  return new Intl.NumberFormat(incoming.language, { style: 'unit', unit: 'megabyte', ...most }).format(count)
}

/** The progress of a backup: how many rows and files are done, and how long it may take. */
export function backupProgress(request: PageRequest, entry: LongWorkEntry): string {
  const { t } = request
  const progress = progressText(request, entry)
  const counted = progress === '' ? '' : t('admin.backups.progress', { progress })
  return `${t('admin.backups.running')} ${counted}`
}

/** A form that ends a backup under way. */
function stopButton(request: PageRequest, { id }: LongWorkEntry): Markup {
  const button = html`<button class="second" name="action" value="stop">${request.t('admin.stop')}</button>`
  return html`<form method="post" action="/admin/work/${id}">${csrfField(request)}<div class="buttons">${button}</div></form>`
}

/** Why the last backup failed; nothing if all is well. */
export function backupProblem(request: PageRequest, entry: LongWorkEntry | undefined): Markup {
  const { t } = request
  if (entry?.state === 'lost') return html`<p class="refused">${t('admin.work.serverEnded')}</p>`
  if (entry?.state === 'stopped') return html`<p class="refused">${t('admin.backups.stopped')}</p>`
  if (entry?.state !== 'failed') return NOTHING
  const { problem } = entry
  const reason = problem?.code === 'backup_failed' ? String(problem.slots['reason']) : whyFailed(request, problem)
  return html`<p class="refused">${t('admin.backups.lastBackupFailedReason', { reason })}</p>`
}

/** When the last backup was made, and where it is. */
export async function lastBackupLine(request: PageRequest): Promise<Markup> {
  const last = await request.deps.backups.lastMade()
  if (last === undefined) return html`<p>${request.t('admin.backups.noneYet')}</p>`
  const slots = { when: momentText(request, last.at), folder: last.folder || '–' }
  return html`<p>${request.t('admin.backups.last', slots)}</p>`
}

/** The backups in the folder, newest first, with who started them and how long that took, if known; nothing for none. */
export async function backupTable(request: PageRequest): Promise<Markup> {
  const { t, deps } = request
  const entries = await deps.backups.list()
  if (entries.length === 0) return NOTHING
  const made = new Map((await deps.longWork.recent('backup')).map((entry) => [outcomeOf(entry)?.name, entry]))
  const heads = [
    t('admin.backups.created'),
    t('admin.backups.size'),
    t('admin.backups.verified'),
    t('admin.duration'),
    t('admin.work.startedBy'),
    t('admin.backups.folder'),
  ]
  const cell = (index: number, content: Markup | string): Markup => namedCell(heads[index] ?? '', content)
  const rows = entries.map(({ name, made_at, bytes }) => {
    const entry = made.get(name)
    const moment = momentText(request, made_at)
    const title =
      entry === undefined ? html`${moment}` : html`<a class="title" href="/admin/work/${entry.id}">${moment}</a>`
    const by = entry === undefined ? '–' : html`<bdi>${entry.by.name}</bdi>`
    // A folder gets its name only once its copy was compared with the calendar.
    return html`<tr><th scope="row">${title}</th>${cell(1, megabytes(request, bytes / 1_000_000))}${cell(2, t('admin.yes'))}${cell(3, entry === undefined ? '–' : lengthText(request, entry))}${cell(4, by)}${cell(5, html`<code>${name}</code>`)}</tr>\n`
  })
  return rowsTable(heads, rows)
}

function outcomeOf({ kind, outcome }: LongWorkEntry): MadeBackup | undefined {
  return kind === 'backup' && outcome !== undefined ? storedJson<MadeBackup>(outcome) : undefined
}

/** What a backup of the administration came to. */
export function backupReport(request: PageRequest, entry: LongWorkEntry): Markup {
  const { t, incoming } = request
  if (entry.state === 'running') {
    const note = progressNote(request, { text: backupProgress(request, entry), report: `/admin/work/${entry.id}` })
    return html`${note}${stopButton(request, entry)}`
  }
  const made = outcomeOf(entry)
  if (made === undefined) return backupProblem(request, entry)
  const number = new Intl.NumberFormat(incoming.language)
  const facts = [
    [t('admin.backups.databaseRows'), number.format(made.rows)],
    [t('common.images'), number.format(made.pictures)],
    [t('admin.backups.size'), megabytes(request, made.bytes / 1_000_000)],
    [t('admin.backups.verified'), t('admin.yes')],
    [t('admin.backups.folder'), html`<code>${made.name}</code>`],
  ] as const
  const lost = t('admin.backups.missingImages', { count: made.missing })
  const key = t('admin.backups.keyNotIncluded')
  return html`<dl>${facts.map(([label, content]) => html`<dt>${label}</dt><dd>${content}</dd>\n`)}</dl>${made.missing === 0 ? NOTHING : html`<p class="refused">${lost}</p>`}${made.hasKey ? NOTHING : html`<p class="quiet-text">${key}</p>`}`
}
