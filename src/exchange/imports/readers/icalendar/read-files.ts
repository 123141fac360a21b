import { Failure } from '../../../../base/errors.ts'
import type { UndecidedDates } from '../csv/date-order.ts'
import { readCsv } from '../csv/read-csv.ts'
import type { TableEntry } from '../csv/read-entries.ts'
import { isTable } from '../csv/table.ts'
import { filesIn, type PlainFile } from './archive.ts'
import { type ReadCalendar, readCalendar } from './read-calendar.ts'
import type { ReadingOptions } from './types.ts'

/** What a file, or one of an archive, holds. */
export interface ReadFile extends ReadCalendar {
  /** For messages. */
  readonly file: string
  /** The fields that a table has columns for; undefined for calendars. */
  readonly fields: ReadonlySet<string> | undefined
  /** Dates of a table that can be read in two ways; `[]` for calendars. */
  readonly undecided: readonly UndecidedDates[]
  /** Venues and organizers, where it is a table of such; `[]` for others. */
  readonly entries: readonly TableEntry[]
}

/** Reads the calendars of a file: iCalendar, CSV, or an archive of such. @throws calendar_not_readable */
export async function readFiles(
  { name, bytes }: PlainFile,
  options: ReadingOptions & { readonly isCalendar: boolean },
): Promise<ReadFile[]> {
  const read: ReadFile[] = []
  const files = options.isCalendar ? [{ name, bytes }] : filesIn(name, bytes)
  const refused: Failure[] = []
  for (const file of files) {
    try {
      read.push(await readFile(file, options))
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'calendar_not_readable') throw error
      refused.push(error)
      read.push(nothingIn(file, error))
    }
  }
  const [first] = refused
  if (first !== undefined && refused.length === files.length) throw first
  return read
}

/** What the report says of a file of an archive that is not a calendar; the others are imported. */
function nothingIn({ name }: PlainFile, { slots }: Failure): ReadFile {
  const problems = [{ line: 1, why: String(slots['reason']) }]
  return { file: name, events: [], problems, ...OF_TABLES, ...NO_TABLE, isWhole: false }
}

/** What calendars say and tables do not. */
const OF_TABLES = { mentioned: new Set<string>(), isWhole: true, refresh: undefined, name: '' } as const

/** What tables say and calendars do not. */
const NO_TABLE = { entries: [], undecided: [], fields: undefined } as const

/** What a file holds: iCalendar where it starts like that, whatever its name is, else a table. */
async function readFile(
  { name, bytes }: PlainFile,
  reading: ReadingOptions & { readonly isCalendar: boolean },
): Promise<ReadFile> {
  if (reading.isCalendar || !isTable(name, bytes))
    return { file: name, ...(await readCalendar(name, bytes, reading)), ...NO_TABLE }
  const { columns = [], dates } = reading
  const table = readCsv(name, bytes, { zone: reading.zone ?? reading.siteZone, columns, dates })
  return { file: name, ...table, ...OF_TABLES }
}
