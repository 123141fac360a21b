import type { CalendarReport, ColumnChoice, TableHead } from '../../feeds/index.ts'
import type { LongWorkEntry } from '../../long-work/index.ts'
import { storedJson } from '../../text/stored-json.ts'

/** A file with events that somebody wants to import, and how. */
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
export interface ImportOutcome extends CalendarReport {
  /** Number of all entries of `skipped`, and of `kept`. */
  readonly left: number
  readonly keptInAll: number
}

/** What is asked of an import of a file, as its entry of long work keeps it. */
export interface ImportAbout extends Pick<FileToImport, 'status' | 'categories'> {
  readonly file: string
  /** Random letters by which what was looked at is stored. */
  readonly token: string
  /** Whether nothing is stored: what it would do is told. */
  readonly isPreview: boolean
  /** What was said of the columns of a table; absent for nothing. */
  readonly columns?: readonly ColumnChoice[]
  /** What the columns are taken for, the first 100 of them; absent for a file that is no table. */
  readonly table?: TableHead
}

/** An import of a file as it is shown. */
export interface FileImport extends LongWorkEntry {
  readonly asked: ImportAbout
  /** Absent before the end. */
  readonly came?: ImportOutcome
}

/** Lines of a file that are named because something is wrong with them. */
export const LINES_TOLD = 200

/** Files with events that come in through the administration, one at a time, as long work of the kind `file-import`. */
export interface FileImports {
  /** Begins to find out what a file would do; false where another one is going on. */
  preview(file: FileToImport): Promise<boolean>
  /** Begins to find out what the file that was shown would do if its columns are these; `gone` as below. */
  check(token: string, columns: readonly ColumnChoice[]): Promise<'begun' | 'busy' | 'gone'>
  /** Begins to store what was shown, by its token; `gone` where that file is there no longer. */
  store(token: string): Promise<'begun' | 'busy' | 'gone'>
}

/** An entry of the kind `file-import` with what it says. */
export function fileImportOf(entry: LongWorkEntry): FileImport {
  const asked = storedJson<ImportAbout>(entry.about)
  return { ...entry, asked, ...(entry.outcome !== undefined && { came: storedJson<ImportOutcome>(entry.outcome) }) }
}
