import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import {
  COLUMNS_SHOWN,
  type FileImports,
  type FileToImport,
  type ImportAbout,
  type ImportOutcome,
  LINES_TOLD,
  linesKept,
} from '../admin/imports/types.ts'
import type { Config } from '../base/config.ts'
import { storedJson } from '../base/text/stored-json.ts'
import { type CalendarFilesImport, type CalendarFilesReport, type ColumnChoice, headOf } from '../exchange/index.ts'
import type { LongWork, NewLongWork } from '../storage/jobs/index.ts'

/** What file imports need. */
export interface FileImportDeps {
  readonly config: Pick<Config, 'data'>
  readonly importCalendars: CalendarFilesImport
  readonly longWork: LongWork
}

/**
 * Files with events that the administration takes, as long work. A file that was looked at is kept in the folder `imports`
 * of the data folder until it is stored or another comes.
 */
export function openFileImports({ config, importCalendars, longWork }: FileImportDeps): FileImports {
  const folder = join(resolve(config.data), 'imports')
  const fileOf = (token: string): string => join(folder, token)
  const begin = (about: ImportAbout, by: NewLongWork['by'], readBytes: () => Promise<Buffer>) =>
    longWork.begin({
      kind: 'file-import',
      lane: 'file-import',
      by,
      about,
      run: async ({ progress }) => {
        const { file, status, categories, columns, dates, isPreview: isDryRun } = about
        const how = { author: by.name, status, categories, columns, dates, isDryRun }
        const outcome = told(
          await importCalendars({ files: [{ name: file, bytes: await readBytes() }], ...how }, progress),
        )
        // Not before: an import that is broken off can be started again.
        if (!isDryRun) await rm(fileOf(about.token), { force: true })
        return outcome
      },
    })
  const shownAs = (token: string) => lookedAt({ longWork, fileOf }, token)
  return {
    preview: async ({ name, bytes, by, ...how }: FileToImport) => {
      const token = randomBytes(16).toString('hex')
      const file = tidyName(name)
      const about = { ...how, ...tableIn(file, bytes, []), token, file, isPreview: true }
      const id = await begin(about, by, async () => {
        await rm(folder, { recursive: true, force: true })
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await writeFile(fileOf(token), bytes, { mode: 0o600 })
        return Buffer.from(bytes)
      })
      return id !== undefined
    },
    check: async (token, tableSaid) => {
      const shown = await shownAs(token)
      if (typeof shown === 'string') return shown
      const { bytes, by } = shown
      const { table: _before, columns: _columns, dates: _dates, ...about } = shown.about
      const said = { ...about, isPreview: true, ...tableIn(about.file, bytes, tableSaid.columns ?? []), ...tableSaid }
      return begunOrBusy(await begin(said, by, () => Promise.resolve(bytes)))
    },
    store: async (token) => {
      const shown = await shownAs(token)
      if (typeof shown === 'string') return shown
      const { about, by, bytes } = shown
      return begunOrBusy(await begin({ ...about, isPreview: false }, by, () => Promise.resolve(bytes)))
    },
  }
}

function begunOrBusy(id: number | undefined): 'begun' | 'busy' {
  return id === undefined ? 'busy' : 'begun'
}

/** A file that is stored; undefined where it no longer exists. */
async function bytesOf(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** A file that waits for being stored. */
interface KeptFile {
  readonly about: ImportAbout
  readonly by: NewLongWork['by']
  readonly bytes: Buffer
}

/** The file that was looked at last, if that is it; or whose import was broken off. */
async function lookedAt(
  { longWork, fileOf }: Pick<FileImportDeps, 'longWork'> & { fileOf(token: string): string },
  token: string,
): Promise<KeptFile | 'busy' | 'gone'> {
  const shown = await longWork.latest('file-import')
  if (shown?.state === 'running') return 'busy'
  const about = shown && storedJson<ImportAbout>(shown.about)
  const isOpen = about?.isPreview === true || shown?.state === 'lost' || shown?.state === 'failed'
  if (shown === undefined || about?.token !== token || !isOpen) return 'gone'
  // Read at once: a file that someone else looks at takes its place.
  const bytes = await bytesOf(fileOf(token))
  return bytes === undefined ? 'gone' : { about, by: shown.by, bytes }
}

/** The fields assigned to the columns of a file, as far as they are shown; nothing for one that is not a table. */
function tableIn(name: string, bytes: Uint8Array, said: readonly ColumnChoice[]): Pick<ImportAbout, 'table'> {
  const table = headOf({ name, bytes }, said)
  return table === undefined ? {} : { table: { ...table, columns: table.columns.slice(0, COLUMNS_SHOWN) } }
}

/** The name of a file without folders and without what no line of text has. */
function tidyName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? ''
  return last.replace(/\p{C}/gu, ' ').trim().slice(-200)
}

/** A report that is short enough to be stored. */
function told({ skipped, notes, ...counts }: CalendarFilesReport): ImportOutcome {
  const undecided = counts.undecided.slice(0, LINES_TOLD)
  return {
    ...counts,
    undecided,
    skipped: linesKept(skipped),
    notes: linesKept(notes),
    left: skipped.length,
    notesInAll: notes.length,
  }
}
