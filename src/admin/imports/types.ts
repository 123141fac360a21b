import { storedJson } from '../../base/text/stored-json.ts'
import type { CalendarFilesReport, ColumnChoice, DateOrder, TableHead } from '../../exchange/index.ts'
import type { LongWorkEntry } from '../../storage/jobs/index.ts'

/** A file with events that someone wants to import, and how. */
export interface FileToImport {
  /** As its sender called it. */
  readonly name: string
  readonly bytes: Uint8Array
  /** Status of events that are new. */
  readonly status: string
  /** Names of categories that every event gets; `[]` for none. */
  readonly categories: readonly string[]
  /** The user who gets the events. */
  readonly by: LongWorkEntry['by']
}

/** What an import did, or would do; of its lists the first `LINES_TOLD` entries. */
export interface ImportOutcome extends Omit<CalendarFilesReport, 'undecided'> {
  /** Absent in reports of earlier versions. */
  readonly undecided?: CalendarFilesReport['undecided']
  /** Number of all entries of `skipped`, and of `notes`. */
  readonly left: number
  readonly notesInAll: number
}

/** What people say of a table. */
export interface SubmittedTable {
  /** Of its columns; absent for nothing. */
  readonly columns?: readonly ColumnChoice[]
  /** What dates such as `03/04/2027` start with; absent to find out. */
  readonly dates?: DateOrder
}

/** The order for an import of a file, as its entry of long work stores it. */
export interface ImportAbout extends Pick<FileToImport, 'status' | 'categories'>, SubmittedTable {
  readonly file: string
  /** Random letters that name a preview when it is stored. */
  readonly token: string
  /** Whether nothing is stored and the result is only a preview. */
  readonly isPreview: boolean
  /** The fields assigned to the first `COLUMNS_SHOWN` columns; absent for a file that is not a table. */
  readonly table?: TableHead
}

/** An import of a file as it is shown. */
export interface FileImport extends LongWorkEntry {
  readonly asked: ImportAbout
  /** Absent before the end. */
  readonly came?: ImportOutcome
}

/** Columns of a table that are shown, and asked about. */
export const COLUMNS_SHOWN = 100

/** Lines of a file that are named because something is wrong with them. */
export const LINES_TOLD = 200

/** The first `LINES_TOLD` lines of a report, each short enough to be stored. */
export function linesKept(lines: CalendarFilesReport['skipped']): CalendarFilesReport['skipped'] {
  return lines.slice(0, LINES_TOLD).map(({ what, why, title = '' }) => ({
    ...{ what: what.slice(0, 300), why: why.slice(0, 300) },
    ...(title !== '' && { title: title.slice(0, 100) }),
  }))
}

/** Files with events that come in through the administration, one at a time, as long work of the kind `file-import`. */
export interface FileImports {
  /** Starts to find out what a file would do; false where another one is going on. */
  preview(file: FileToImport): Promise<boolean>
  /** Starts to find out what the file that was shown would do if that is right; `gone` as below. */
  check(token: string, said: SubmittedTable): Promise<'begun' | 'busy' | 'gone'>
  /** Starts to store what was shown, by its token; `gone` where that file no longer exists. */
  store(token: string): Promise<'begun' | 'busy' | 'gone'>
}

/** An entry of the kind `file-import` with what it says. */
export function fileImportOf(entry: LongWorkEntry): FileImport {
  const asked = storedJson<ImportAbout>(entry.about)
  return { ...entry, asked, ...(entry.outcome !== undefined && { came: storedJson<ImportOutcome>(entry.outcome) }) }
}
