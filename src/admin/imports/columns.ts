import { COLUMN_FIELDS, COLUMN_LABELS, type ColumnChoice, DATE_ORDERS, LEFT_OUT } from '../../exchange/index.ts'
import { html, type Markup, NOTHING } from '../../pages/html.ts'
import { flag, selectControl } from '../controls.ts'
import { csrfField } from '../layout.ts'
import type { PageRequest } from '../page-request.ts'
import { rowsTable } from '../table.ts'
import type { FileImport, ImportAbout, ImportOutcome, SubmittedTable } from './types.ts'

/** The fields assigned to the columns of a table, as a form that changes them; nothing for other files. */
export function columnsForm(request: PageRequest, { asked, state, came }: FileImport): Markup {
  const { t, say } = request
  const { token, table } = asked
  const columns = table?.columns ?? []
  if (columns.length === 0) return NOTHING
  const offers = COLUMN_FIELDS.map((field) => [field, say(COLUMN_LABELS.get(field) ?? field)] as const)
  const rows = columns.map(({ heading, field, sample }, index) => {
    if (heading === '') return NOTHING
    const options = [[LEFT_OUT, t('admin.import.dontImport')] as const, ...offers].map(
      ([value, text]) =>
        html`<option value="${value}"${flag('selected', value === (field || LEFT_OUT))}>${text}</option>\n`,
    )
    const name = `column-${index}`
    return html`<tr><th scope="row" class="wrap" id="${name}-name"><bdi>${heading}</bdi></th><td class="wrap"><bdi>${sample}</bdi></td><td><select name="${name}" aria-labelledby="${name}-name">\n${options}</select></td></tr>\n`
  })
  const isOpen =
    state === 'failed' ||
    (came?.undecided ?? []).length > 0 ||
    columns.some((one) => one.field === '' && one.heading !== '')
  const heads = [t('admin.import.column'), t('admin.import.example'), t('admin.import.importAs')]
  return html`<details${flag('open', isOpen)}><summary>${t('admin.import.columnsFile')}</summary><form method="post" action="/admin/import">${csrfField(request)}<input type="hidden" name="id" value="${token}">${rowsTable(heads, rows)}${datesControl(request, asked)}<div class="buttons"><button name="action" value="columns" class="quiet">${t('admin.import.updatePreview')}</button></div></form></details>`
}

/** The fields without which a table has no events, as far as none of its columns is one; `[]` for other files. */
export function missingColumns({ table }: Pick<ImportAbout, 'table'>): readonly ('title' | 'start_date')[] {
  if (table?.kind !== 'event') return []
  return (['title', 'start_date'] as const).filter((field) => table.columns.every((one) => one.field !== field))
}

/** Asks for the columns that a table lacks. */
export function missingNote({ t }: PageRequest, about: ImportAbout): Markup {
  const texts = { title: t('admin.import.chooseTitle'), start_date: t('admin.import.chooseStart') }
  return html`${missingColumns(about).map((field) => html`<p><strong>${texts[field]}</strong></p>\n`)}`
}

/** Where people say what the dates of a table of events start with. */
function datesControl({ t }: PageRequest, { table, dates }: ImportAbout): Markup {
  if (table?.kind !== 'event') return NOTHING
  const [day, month] = DATE_ORDERS
  return selectControl(
    { name: 'dates', label: t('admin.import.datesLikeExample', { example: '03/04/2027' }), value: dates ?? '' },
    [
      ['', t('admin.import.detect')],
      [day, t('admin.import.dayFirst')],
      [month, t('admin.import.monthFirst')],
    ],
  )
}

/** Reports dates that can be read in two ways, and how they were read. */
export function undecidedNote({ t }: PageRequest, { undecided = [] }: ImportOutcome): Markup {
  const notes = undecided.map(({ order, count, example }) => {
    const slots = { example, count }
    const text = order === 'day-first' ? t('admin.import.readDayFirst', slots) : t('admin.import.readMonthFirst', slots)
    return html`<p>${text}</p>\n`
  })
  return html`${notes}`
}

/** What a form says of a table. */
export function tableSent(request: Pick<PageRequest, 'sent'>, about: Pick<ImportAbout, 'table'>): SubmittedTable {
  const order = DATE_ORDERS.find((one) => one === request.sent('dates'))
  return { columns: columnsSent(request, about), ...(order !== undefined && { dates: order }) }
}

function columnsSent({ sent }: Pick<PageRequest, 'sent'>, { table }: Pick<ImportAbout, 'table'>): ColumnChoice[] {
  const columns = table?.columns ?? []
  return columns.flatMap(({ heading }, index): ColumnChoice[] => {
    const field = sent(`column-${index}`)
    return COLUMN_FIELDS.includes(field) || field === LEFT_OUT ? [[heading, field]] : []
  })
}
