import type { CalendarReport } from '../../feeds/index.ts'

/** A file with events that somebody wants to import, and how. */
export interface FileToImport {
  /** As its sender called it. */
  readonly name: string
  readonly bytes: Uint8Array
  /** Status of events that are new. */
  readonly status: string
  /** Names of categories that every event gets; `[]` for none. */
  readonly categories: readonly string[]
  /** Name of the user who gets the events. */
  readonly by: string
}

/** What an import did, or would do; of its lists the first `LINES_TOLD` entries. */
export interface ImportOutcome extends CalendarReport {
  /** Number of all entries of `skipped`, and of `kept`. */
  readonly left: number
  readonly keptInAll: number
}

/** The last file that was imported, or is to be. Moments are UTC text. */
export interface FileImport extends Omit<FileToImport, 'name' | 'bytes'> {
  readonly id: string
  readonly file: string
  /** Whether nothing is stored: what it would do is told. */
  readonly isPreview: boolean
  /** `lost`: its process ended before the work did. */
  readonly state: 'running' | 'done' | 'failed' | 'lost'
  /** Items that were dealt with, and all of them; 0 and 0 while the file is read. */
  readonly done: number
  readonly total: number
  readonly started_at: string
  /** When its process last said that it goes on. */
  readonly seen_at: string
  /** Absent before the end. */
  readonly outcome?: ImportOutcome
  /** Why it failed: a code and its slots; absent where it did not. */
  readonly problem?: { readonly code: string; readonly slots: Readonly<Record<string, string | number>> }
}

/** Lines of a file that are named because something is wrong with them. */
export const LINES_TOLD = 200

/** Files with events that come in through the administration, one at a time. */
export interface FileImports {
  /** The last one, by this process or another; undefined when there was none. */
  latest(): Promise<FileImport | undefined>
  /** Begins to find out what a file would do; false where another one is going on. */
  preview(file: FileToImport): Promise<boolean>
  /** Begins to store what was shown; `gone` where that file is there no longer. */
  store(id: string): Promise<'begun' | 'busy' | 'gone'>
}
