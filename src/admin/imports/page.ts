import type { PageResponse } from '../../http/html-page.ts'
import { html, type Markup, NOTHING } from '../../pages/html.ts'
import { lineControl, selectControl } from '../controls.ts'
import { FILE_SCRIPT, imageInput } from '../image-input.ts'
import { adminPage, csrfField } from '../layout.ts'
import { type AdminPage, type PageRequest, redirect } from '../page-request.ts'
import { PROGRESS_SCRIPT, progressNote } from '../progress.ts'
import { statusOffers } from '../subscriptions/words.ts'
import { rowsTable } from '../table.ts'
import { progressText } from '../work/words.ts'
import { columnsForm, missingColumns, missingNote, tableSent, undecidedNote } from './columns.ts'
import { previewedEvents } from './preview.ts'
import { type FileImport, fileImportOf, type ImportAbout, type ImportOutcome, LINES_TOLD } from './types.ts'
import { failureText, lineOf } from './words.ts'

const PATH = '/admin/import'

/** Largest file in bytes; larger ones are imported with the command. */
const LARGEST = 32 * 1024 ** 2

/** Events of a file: what it would do, and then the import itself. */
export const IMPORT_PAGE: AdminPage = {
  path: PATH,
  role: 'administrator',
  bodyLimit: LARGEST + 1024 ** 2,
  show: (request) => page(request),
  submit,
}

async function submit(request: PageRequest): Promise<PageResponse> {
  const { deps, sent, incoming, t } = request
  const { upload, caller } = incoming
  const { fileImports, log } = deps
  const busy = t('admin.import.busy')
  if (sent('action') === 'columns') return checkColumns(request, busy)
  if (sent('action') === 'import') {
    const begun = await fileImports.store(sent('id'))
    if (begun === 'busy') return page(request, { summary: busy })
    if (begun === 'gone') return page(request, { summary: t('admin.import.fileGone') })
    log.info({ change: 'file imported', by: caller.name }, 'audit')
    return redirect(PATH)
  }
  if (upload === undefined || upload.bytes.length === 0) return page(request, { file: t('common.required') })
  const status = statusOffers(request).find(([one]) => one === sent('status'))?.[0] ?? 'draft'
  const file = { name: upload.name, bytes: upload.bytes, status, categories: namesIn(sent('categories')) }
  const isBegun = await fileImports.preview({ ...file, by: { id: caller.id, name: caller.name } })
  return isBegun ? redirect(PATH) : page(request, { summary: busy })
}

/** Previews the file again, with the choices for its table. */
async function checkColumns(request: PageRequest, busy: string): Promise<PageResponse> {
  const { deps, sent, t } = request
  const entry = await deps.longWork.latest('file-import')
  const said = entry === undefined ? {} : tableSent(request, fileImportOf(entry).asked)
  const begun = await deps.fileImports.check(sent('id'), said)
  if (begun === 'busy') return page(request, { summary: busy })
  if (begun === 'gone') return page(request, { summary: t('admin.import.fileGone') })
  return redirect(PATH)
}

function namesIn(text: string): readonly string[] {
  const names = text.split(',').map((one) => one.trim().slice(0, 200))
  return names.filter((one) => one !== '').slice(0, 20)
}

/** What was refused: about the file, or about the whole form. */
interface Wrong {
  readonly file?: string
  readonly summary?: string
}

async function page(request: PageRequest, wrong?: Wrong): Promise<PageResponse> {
  const { t, deps } = request
  const entry = await deps.longWork.latest('file-import')
  const last = entry && fileImportOf(entry)
  return adminPage(request, {
    status: wrong === undefined ? 200 : 400,
    title: t('admin.import.importEvents'),
    under: '/admin/events',
    body: html`${last === undefined ? NOTHING : importReport(request, last)}${last?.state === 'running' ? NOTHING : fileForm(request, wrong)}`,
    scripts: [FILE_SCRIPT, PROGRESS_SCRIPT],
    refused: wrong?.summary,
  })
}

function fileForm(request: PageRequest, wrong: Wrong | undefined): Markup {
  const { t, sent } = request
  const file = lineControl(
    {
      name: 'file',
      label: t('admin.import.eventFile'),
      hint: t('admin.import.fileHint'),
      wrong: wrong?.file,
    },
    { ...imageInput(request, LARGEST), accept: '.ics,.vcs,.csv,.tsv,.zip,.gz,text/calendar,text/csv', required: true },
  )
  const status = selectControl(
    { name: 'status', label: t('admin.import.newStatus'), value: sent('status') || 'draft' },
    statusOffers(request),
  )
  const hint = t('admin.form.namesHint')
  const categories = lineControl({ name: 'categories', label: t('fields.categories'), value: sent('categories'), hint })
  return html`<form class="box" method="post" action="${PATH}" enctype="multipart/form-data">${csrfField(request)}${file}<div class="pair">${status}${categories}</div><button>${t('admin.import.previewImport')}</button></form>`
}

/** How an import of a file stands, or its result; a preview can be stored from here. */
export function importReport(request: PageRequest, last: FileImport): Markup {
  const { t } = request
  const { state, came: outcome } = last
  const { file, isPreview, token } = last.asked
  const title = isPreview ? t('admin.previewOfFile', { file }) : t('admin.import.importedFile', { file })
  const body = (content: Markup): Markup => html`<section class="box"><h2>${title}</h2>${content}</section>`
  if (state === 'running') return html`<section class="box">${runningNote(request, last)}</section>`
  const again = t('admin.import.interrupted', {
    file,
  })
  if (state === 'lost')
    return html`<section class="box"><p class="refused">${again}</p>${isPreview ? NOTHING : importForm(request, token)}</section>`
  if (state === 'failed' && isPreview && missingColumns(last.asked).length > 0)
    return body(html`${missingNote(request, last.asked)}${columnsForm(request, last)}`)
  if (state === 'failed' || outcome === undefined)
    return html`<section class="box"><p class="refused">${failureText(request, last.problem)}</p>${isPreview ? columnsForm(request, last) : NOTHING}</section>`
  if (!isPreview)
    return body(
      html`${counts(request, outcome, last.asked)}${undecidedNote(request, outcome)}${lists(request, file, outcome)}<div class="buttons"><a class="button" href="/admin/events">${t('common.events')}</a></div>`,
    )
  const brings = outcome.created + outcome.updated > 0
  return body(
    html`<p>${t('admin.import.previewNote')}</p>${counts(request, outcome, last.asked)}${previewedEvents(request, outcome)}${undecidedNote(request, outcome)}${lists(request, file, outcome)}${brings ? importForm(request, token) : NOTHING}${columnsForm(request, last)}`,
  )
}

/** Stores a file that is kept here. */
function importForm(request: PageRequest, token: string): Markup {
  const button = html`<button name="action" value="import">${request.t('admin.import.startImport')}</button>`
  return html`<form method="post" action="${PATH}">${csrfField(request)}<input type="hidden" name="id" value="${token}"><div class="buttons">${button}</div></form>`
}

function runningNote(request: PageRequest, last: FileImport): Markup {
  const { t } = request
  const text = last.asked.isPreview ? t('admin.import.reading') : t('admin.import.importing')
  return progressNote(request, { text: `${text} ${progressText(request, last)}`, report: PATH })
}

/**
 * Numbers of what the file has lines for: events, or what a table of venues or organizers lists. What comes with events
 * counts for nothing.
 */
function counts({ t, incoming }: PageRequest, { counts: all, left }: ImportOutcome, { table }: ImportAbout): Markup {
  const listed = all[table?.kind ?? 'event']
  const number = new Intl.NumberFormat(incoming.language)
  const facts = [
    [t('admin.new'), listed.created],
    [t('admin.changed'), listed.updated],
    [t('admin.unchanged'), listed.unchanged],
    [t('admin.skipped'), left],
  ] as const
  return html`<dl>${facts.map(([label, count]) => html`<dt>${label}</dt><dd>${number.format(count)}</dd>\n`)}</dl>`
}

function lists(request: PageRequest, file: string, { skipped, left, notes, notesInAll }: ImportOutcome): Markup {
  const { t } = request
  return html`${lineTable(request, t('admin.skipped'), { file, lines: skipped, all: left })}${lineTable(request, t('admin.notes'), { file, lines: notes, all: notesInAll })}`
}

/** What a table of lines shows. */
interface Lines {
  /** Name of the file that was chosen. */
  readonly file: string
  readonly lines: ImportOutcome['skipped']
  /** Of how many these are the first. */
  readonly all: number
}

function lineTable(request: PageRequest, title: string, { file, lines, all }: Lines): Markup {
  const { t, say } = request
  if (lines.length === 0) return NOTHING
  const hasTitles = lines.some(({ title }) => title !== undefined)
  const titled = (markup: Markup): Markup => (hasTitles ? markup : NOTHING)
  const rows = lines.map(
    ({ what, why, title = '' }) =>
      html`<tr><th scope="row" class="wrap"><span class="narrow-only">${t('admin.import.line')}: </span><bdi>${lineOf(what, file)}</bdi></th>${titled(html`<td class="wrap"><bdi>${title}</bdi></td>`)}<td class="wrap" dir="auto">${say(why)}</td></tr>\n`,
  )
  const more =
    all > lines.length ? html`<p class="hint">${t('admin.onlyFirstListed', { count: LINES_TOLD })}</p>` : NOTHING
  return html`<h3>${title}</h3>${rowsTable([t('admin.import.line'), ...(hasTitles ? [t('fields.title')] : []), t('admin.reason')], rows)}${more}`
}
