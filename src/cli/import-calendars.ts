import { readFile } from 'node:fs/promises'
import { fail } from '../base/errors.ts'
import { addressGate } from '../base/outgoing/addresses.ts'
import { type ColumnChoice, calendarAddress, fetchCalendar, headingKey, headOf, LEFT_OUT } from '../exchange/index.ts'
import type { Invocation } from './command.ts'
import { describeCounts } from './import-counts.ts'
import type { CalendarFile, CalendarFilesReport } from './types.ts'

/** The options of `import` that are for calendar files alone. */
export const CALENDAR_OPTIONS = {
  '--status <STATUS>': 'status of new events from calendar files: publish, pending, draft, private',
  '--category <NAMES>': 'categories for all events from calendar files, separated by commas',
  '--zone <ZONE>': 'time zone of times without one in calendar files',
  '--dates <day-first|month-first>': 'order of dates such as 03/04/2027 in CSV files (default: detected)',
} as const

/** The assignment of the columns of CSV files. */
export const COLUMN_OPTIONS = {
  '--map <COLUMN=FIELD>': `field of a CSV column, such as "Name=title", or ${LEFT_OUT} to skip it`,
} as const

/** Milliseconds to see whether an address leads to a calendar. */
const LOOK = 15_000

/** Imports calendar files (.ics, .zip, .csv) or the calendar at an address; whether the arguments named any. */
export async function importCalendars(called: Invocation): Promise<boolean> {
  const files = await filesOf(called)
  if (files.length === 0) return false
  const columns = called.repeated('map').map(choiceIn)
  const ignored = columnsLeft(files, columns)
  const categories = (called.option('category') ?? '').split(',').map((one) => one.trim())
  const input = {
    files,
    author: called.option('author'),
    status: called.option('status'),
    categories: categories.filter((one) => one !== ''),
    zone: called.option('zone'),
    columns,
    dates: called.option('dates'),
    isDryRun: called.option('dryRun') !== undefined,
  }
  called.show({ ...(await called.operate('importCalendars', input)), ignored }, describe)
  return true
}

/** The calendar files that the arguments name; `[]` when they name something else. @throws wrong_usage, file_not_readable */
async function filesOf(called: Invocation): Promise<readonly CalendarFile[]> {
  const paths = called.arguments(0)
  if (!paths.some(isCalendar)) return await unnamedCalendar(called, paths)
  const other = paths.find((path) => !isCalendar(path))
  if (other !== undefined) throw fail('wrong_usage', { reason: `${other} is not a calendar file` })
  const files: CalendarFile[] = []
  for (const path of paths) files.push(await read(called, path))
  return files
}

/** Options of whoever means a site. */
const OF_SITES = ['user', 'api', 'vanished'] as const

/** The calendar at an address that does not look like that of one, such as `/export?form=ical`; `[]` where there is a site. */
async function unnamedCalendar(called: Invocation, paths: readonly string[]): Promise<readonly CalendarFile[]> {
  const [path = '', ...others] = paths
  const isSite = others.length > 0 || OF_SITES.some((name) => called.option(name) !== undefined)
  if (isSite || !/^https?:\/\//i.test(path) || /\.json$/i.test(URL.parse(path)?.pathname ?? '')) return []
  const address = calendarAddress(path)
  if (address === undefined) return []
  // The API of a site may be asked for calendars, too, and is not meant.
  const headers = { accept: 'text/html, */*;q=0.1' }
  // What is wrong with it is reported by the import of a site.
  const sent = await fetchCalendar(address, { gate: addressGate(called.config.fetchAllow), headers, patience: LOOK })
  if (!sent.ok) return []
  const { bytes } = sent.response
  return /^\s*BEGIN:VCALENDAR\s/i.test(bytes.subarray(0, 200).toString()) ? [{ name: address.url, bytes }] : []
}

/** The assignment of a column. @throws wrong_usage */
function choiceIn(text: string): ColumnChoice {
  const at = text.lastIndexOf('=')
  if (at < 1) throw fail('wrong_usage', { reason: `--map ${text} does not name a field: use --map COLUMN=FIELD` })
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()]
}

/** A column that was not imported, although nobody skipped it. */
interface ColumnLeft {
  readonly file: string
  readonly column: string
}

/** The columns of tables that are not imported. @throws wrong_usage if a column is assigned that no file has */
function columnsLeft(files: readonly CalendarFile[], said: readonly ColumnChoice[]): readonly ColumnLeft[] {
  const tables = files.flatMap(({ name, bytes }) => {
    const head = headOf({ name, bytes }, said)
    return head === undefined ? [] : [{ name, columns: head.columns }]
  })
  const has = (key: string): boolean =>
    tables.some(({ columns }) => columns.some((one) => headingKey(one.heading) === key))
  const unknown = said.find(([heading]) => !has(headingKey(heading)))
  // What is in archives is not known here.
  if (unknown !== undefined && tables.length === files.length)
    throw fail('wrong_usage', { reason: `--map: no file has a column ${unknown[0]}` })
  const chosen = new Set(said.map(([heading]) => headingKey(heading)))
  return tables.flatMap(({ name, columns }) =>
    columns
      .filter(({ field, heading }) => field === '' && heading !== '' && !chosen.has(headingKey(heading)))
      .map(({ heading }) => ({ file: name, column: heading })),
  )
}

/** By its name: calendars are also at addresses without one, which `webcal:` shows. */
function isCalendar(path: string): boolean {
  if (/^webcals?:/i.test(path)) return true
  const name = /^https?:/i.test(path) ? (URL.parse(path)?.pathname ?? '') : path
  return /\.(?:(?:ics|ical|ifb|csv|tsv)(?:\.gz)?|zip)$/i.test(name)
}

async function read({ config }: Invocation, path: string): Promise<CalendarFile> {
  if (!/^(?:https?|webcals?):/i.test(path)) {
    const bytes = await readFile(path).catch((error: unknown) => {
      throw fail('file_not_readable', { path, reason: error instanceof Error ? error.message : String(error) })
    })
    return { name: path, bytes }
  }
  const address = calendarAddress(path)
  if (address === undefined) throw fail('wrong_usage', { reason: 'the URL of a calendar is not valid' })
  const sent = await fetchCalendar(address, { gate: addressGate(config.fetchAllow) })
  if (!sent.ok) throw fail('file_not_readable', { path: address.url, reason: sent.reason })
  return { name: address.url, bytes: sent.response.bytes }
}

/** What an import did, in words. */
function describe({
  counts,
  skipped,
  notes,
  ignored,
  undecided,
}: CalendarFilesReport & { readonly ignored: readonly ColumnLeft[] }): string {
  return (
    describeCounts(counts, skipped.length) +
    [...skipped, ...notes].map(describeLine).join('') +
    ignored.map(({ file, column }) => `  ${file}: the column ${column} is not imported\n`).join('') +
    undecided.map(describeUndecided).join('')
  )
}

function describeLine({ what, why, title }: CalendarFilesReport['skipped'][number]): string {
  return `  ${what}${title === undefined ? '' : ` (${title})`}: ${why}\n`
}

function describeUndecided({ file, order, count, example }: CalendarFilesReport['undecided'][number]): string {
  const [taken, other] = order === 'day-first' ? ['day', 'month-first'] : ['month', 'day-first']
  const open = `the order of day and month in dates such as ${example} is unclear`
  return `  ${file}: ${open}; read with the ${taken} first (dates: ${count}; to change: --dates ${other})\n`
}
