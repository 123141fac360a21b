/** Takes calendars in other forms over: iCalendar, alone or in an archive, and CSV. */

import { fail } from '../../../base/errors.ts'
import { isZone } from '../../../base/time/zones.ts'
import { STATUSES, type Status } from '../../../model/status.ts'
import { COLUMN_FIELDS, type ColumnChoice, LEFT_OUT } from '../readers/csv/columns.ts'
import { DATE_ORDERS, type UndecidedDates } from '../readers/csv/date-order.ts'
import type { ReadFile } from '../readers/icalendar/read-files.ts'
import type { ReadingOptions } from '../readers/icalendar/types.ts'
import { readCalendarFiles } from '../readers/reading.ts'
import { eachKind, type ImportCounts } from '../types.ts'
import type { CalendarDeps } from './calendar-images.ts'
import { type CalendarReport, importCalendar } from './import-calendar.ts'
import { PREVIEWED } from './preview.ts'

/** A file to import, as it came. */
export interface CalendarFile {
  /** For messages. */
  readonly name: string
  readonly bytes: Uint8Array
}

/** How calendar files are to be imported. */
export interface CalendarFilesInput {
  readonly files: readonly CalendarFile[]
  readonly author?: string | undefined
  /** Status of events that are new; `publish` if absent. */
  readonly status?: string | undefined
  /** Names of categories that every event gets. */
  readonly categories?: readonly string[] | undefined
  /** Zone of times that are of none. */
  readonly zone?: string | undefined
  /** What columns of tables are, where their headings do not say it. */
  readonly columns?: readonly ColumnChoice[] | undefined
  /** What dates of tables such as `03/04/2027` start with: `day-first` or `month-first`; found out if absent. */
  readonly dates?: string | undefined
  /** Whether nothing is stored: the report says what would be. */
  readonly isDryRun?: boolean | undefined
}

/** What an import of files did. */
export interface CalendarFilesReport extends CalendarReport {
  /** Dates of tables that can be read in two ways, for each file and each way; `[]` for none. */
  readonly undecided: readonly UndecidedInFile[]
}

/** Dates of a file that can be read in two ways. */
export interface UndecidedInFile extends UndecidedDates {
  readonly file: string
}

/** Imports calendar files: what cannot be read is left out. @throws calendar_not_readable, wrong_usage, no_such_user, no_administrator */
export type CalendarFilesImport = (
  input: CalendarFilesInput,
  onProgress: (progress: { readonly done: number; readonly total: number }) => void,
) => Promise<CalendarFilesReport>

/** Makes the import of calendar files. */
export function openCalendarImport(deps: CalendarDeps): CalendarFilesImport {
  return async ({ files, author, categories = [], isDryRun = false, ...input }, onProgress) => {
    const { reading, status } = readingOf(deps, input)
    const contents: ReadFile[] = []
    for (const { name, bytes } of files) {
      const file = { name, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) }
      contents.push(...(await readCalendarFiles(file, reading)))
    }
    const reports: CalendarReport[] = []
    for (const content of contents)
      reports.push(
        await importCalendar(deps, content, {
          author,
          status,
          categories,
          isDryRun,
          onProgress,
        }),
      )
    const undecided = contents.flatMap(({ file, undecided }) => undecided.map((one) => ({ file, ...one })))
    return { ...reports.reduce(sumOf, NOTHING), undecided }
  }
}

/** How files are read. @throws wrong_usage */
function readingOf(
  { site, recurrenceYears, now }: CalendarDeps,
  { status = 'publish', zone, columns = [], dates }: Pick<CalendarFilesInput, 'status' | 'zone' | 'columns' | 'dates'>,
): { readonly reading: ReadingOptions; readonly status: Status } {
  const known = STATUSES.find((one) => one === status)
  if (known === undefined) throw fail('wrong_usage', { reason: `${status} is no status` })
  if (zone !== undefined && !isZone(zone)) throw fail('wrong_usage', { reason: `${zone} is no time zone` })
  const wrong = columns.find(([, field]) => field !== LEFT_OUT && !COLUMN_FIELDS.includes(field))
  if (wrong !== undefined)
    throw fail('wrong_usage', {
      reason: `${wrong[1].slice(0, 60)} is no field of a table; the fields are ${COLUMN_FIELDS.join(', ')}, and ${LEFT_OUT}`,
    })
  const order = DATE_ORDERS.find((one) => one === dates)
  if (dates !== undefined && order === undefined)
    throw fail('wrong_usage', {
      reason: `${dates.slice(0, 60)} says nothing of dates; what does is ${DATE_ORDERS.join(' and ')}`,
    })
  return { reading: { zone, siteZone: site.zone, now: now(), recurrenceYears, columns, dates: order }, status: known }
}

const NONE: ImportCounts = { created: 0, updated: 0, unchanged: 0 }
const NOTHING: CalendarReport = { ...NONE, counts: eachKind(() => NONE), skipped: [], notes: [] }

function sumOf(one: CalendarReport, other: CalendarReport): CalendarReport {
  return {
    ...sumOfCounts(one, other),
    counts: eachKind((kind) => sumOfCounts(one.counts[kind], other.counts[kind])),
    skipped: [...one.skipped, ...other.skipped],
    notes: [...one.notes, ...other.notes],
    ...(other.preview && { preview: [...(one.preview ?? []), ...other.preview].slice(0, PREVIEWED) }),
  }
}

function sumOfCounts(one: ImportCounts, other: ImportCounts): ImportCounts {
  return {
    created: one.created + other.created,
    updated: one.updated + other.updated,
    unchanged: one.unchanged + other.unchanged,
  }
}
