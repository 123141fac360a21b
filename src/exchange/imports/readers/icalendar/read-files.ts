import { gunzipSync } from 'node:zlib'
import { unzipSync } from 'fflate'
import { Failure, fail } from '../../../../base/errors.ts'
import { withValues } from '../../../../base/i18n/translate.ts'
import type { UndecidedDates } from '../csv/date-order.ts'
import { readCsv } from '../csv/read-csv.ts'
import type { TableEntry } from '../csv/read-entries.ts'
import { isTable } from '../csv/table.ts'
import { isGzip, isTooLarge } from '../unpack.ts'
import { type ReadCalendar, readCalendar } from './read-calendar.ts'
import type { ReadingOptions } from './types.ts'

/** A file of an archive, or the file itself where it is none. */
interface PlainFile {
  /** For messages: no path is made of it. */
  readonly name: string
  readonly bytes: Buffer
}

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
export function readFiles(file: PlainFile, options: ReadingOptions): ReadFile[] {
  const files = options.isCalendar === true ? [file] : filesIn(file)
  const refused: Failure[] = []
  const read = files.map((one) => {
    try {
      return readFile(one, options)
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'calendar_not_readable') throw error
      refused.push(error)
      // The others of the archive are imported.
      const problems = [{ line: 1, why: String(error.slots['reason']) }]
      return { file: one.name, events: [], problems, ...OF_TABLES, ...NO_TABLE, isWhole: false }
    }
  })
  const [first] = refused
  if (first !== undefined && refused.length === files.length) throw first
  return read
}

/** What calendars say and tables do not. */
const OF_TABLES = { mentioned: new Set<string>(), isWhole: true, refresh: undefined, name: '' } as const

/** What tables say and calendars do not. */
const NO_TABLE = { entries: [], undecided: [], fields: undefined } as const

/** What a file holds: iCalendar where it starts like that, whatever its name is, else a table. */
function readFile({ name, bytes }: PlainFile, reading: ReadingOptions): ReadFile {
  if (reading.isCalendar === true || !isTable(name, bytes))
    return { file: name, ...readCalendar(name, bytes, reading), ...NO_TABLE }
  const { columns = [], dates } = reading
  const table = readCsv(name, bytes, { zone: reading.zone ?? reading.siteZone, columns, dates })
  return { file: name, ...table, ...OF_TABLES }
}

/** Most bytes of a calendar. */
const LARGEST_CALENDAR = 33_554_432
/** Of an archive: bytes of all its calendars, and its files. */
const MOST = { bytes: 2 * LARGEST_CALENDAR, files: 1_000 } as const

const TOO_LARGE = withValues('import.problem.tooLarge', { most: LARGEST_CALENDAR / 2 ** 20 })

/**
 * The calendars of an archive, such as the export of Google Calendar; other files in it do not matter. Nothing is
 * written, so the names in it lead nowhere.
 */
function filesIn({ name, bytes }: PlainFile): readonly PlainFile[] {
  if (bytes.length > LARGEST_CALENDAR) throw unreadable(name, TOO_LARGE)
  if (bytes.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004') return unpacked(name, bytes)
  return [isGzip(bytes) ? { name: name.replace(/\.gz$/i, ''), bytes: gunzipped(name, bytes) } : { name, bytes }]
}

function gunzipped(name: string, bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: LARGEST_CALENDAR })
  } catch (error) {
    throw unreadable(name, isTooLarge(error) ? TOO_LARGE : 'import.problem.compressed')
  }
}

function unpacked(name: string, bytes: Buffer): PlainFile[] {
  let [files, size] = [0, 0]
  try {
    // What an entry really holds is cut at the size that it says, so the sizes that are added up here are the bound.
    const found = unzipSync(bytes, {
      filter: (entry) => {
        files += 1
        if (files > MOST.files) throw unreadable(name, withValues('import.problem.tooManyFiles', { count: MOST.files }))
        if (!/\.(?:ics|ical|vcs|csv)$/i.test(entry.name)) return false
        size += entry.originalSize
        if (entry.originalSize > LARGEST_CALENDAR || size > MOST.bytes) throw unreadable(name, TOO_LARGE)
        return true
      },
    })
    const calendars = Object.entries(found).map(([path, content]) => ({
      name: `${name}: ${path.replace(/\p{C}/gu, '').slice(-100)}`,
      bytes: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
    }))
    if (calendars.length === 0) throw unreadable(name, 'import.problem.notCalendar')
    return calendars
  } catch (error) {
    if (error instanceof Failure) throw error
    throw unreadable(name, 'import.problem.brokenArchive')
  }
}

function unreadable(file: string, reason: string): Error {
  return fail('calendar_not_readable', { file, reason })
}
