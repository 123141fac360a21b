import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type FileImport, type FileImports, LINES_TOLD } from '../admin/imports/types.ts'
import type { Config } from '../config.ts'
import { Failure } from '../errors.ts'
import type { CalendarFilesImport, CalendarReport } from '../feeds/index.ts'
import { forTheCalendar } from '../requester.ts'
import type { Reader, Report, Storage, Transaction } from '../storage/engine.ts'
import { storedJson } from '../text/stored-json.ts'
import { utcFromMillis } from '../time/zones.ts'

/** Row of `meta` with the last import. */
const KEY = 'import.latest'

/** Milliseconds between two signs of life, and after which a process is taken for dead. */
const [BEAT, LOST] = [5_000, 60_000]

/** What file imports need. */
interface FileImportParts {
  readonly storage: Storage
  readonly config: Pick<Config, 'data'>
  readonly importCalendars: CalendarFilesImport
  readonly report: Report
  /** Unix milliseconds. */
  now(): number
}

/**
 * Files with events that the administration takes: their work goes on when the page is closed, and any process can say how
 * far it is. A file that was looked at is kept in the folder `imports` of the data folder until it is stored or another comes.
 */
export function openFileImports(parts: FileImportParts): FileImports {
  const { storage, config, now } = parts
  const folder = join(resolve(config.data), 'imports')
  const fileOf = (id: string): string => join(folder, id)
  return {
    latest: () => latest(storage, now()),
    preview: async ({ name, bytes, ...how }) => {
      const id = randomBytes(16).toString('hex')
      const begun = begin({ ...how, id, file: tidyName(name), isPreview: true }, now())
      if (!(await storage.write((tx) => claim(tx, begun, now())))) return false
      goOn(parts, begun, async () => {
        await rm(folder, { recursive: true, force: true })
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await writeFile(fileOf(id), bytes, { mode: 0o600 })
        return Buffer.from(bytes)
      })
      return true
    },
    store: async (id) => {
      const shown = await latest(storage, now())
      if (shown?.state === 'running') return 'busy'
      if (shown?.id !== id || !shown.isPreview || !existsSync(fileOf(shown.id))) return 'gone'
      const begun = begin({ ...shown, isPreview: false }, now())
      if (!(await storage.write((tx) => claim(tx, begun, now())))) return 'busy'
      goOn(parts, begun, async () => {
        const bytes = await readFile(fileOf(id))
        await rm(fileOf(id))
        return bytes
      })
      return 'begun'
    },
  }
}

type Begun = Pick<FileImport, 'id' | 'file' | 'status' | 'categories' | 'by' | 'isPreview'>

function begin({ id, file, status, categories, by, isPreview }: Begun, now: number): FileImport {
  const at = utcFromMillis(now)
  const progress = { state: 'running', done: 0, total: 0, started_at: at, seen_at: at } as const
  return { id, file, status, categories, by, isPreview, ...progress }
}

/** The name of a file without folders and without what no line of text has. */
function tidyName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? ''
  return last.replace(/\p{C}/gu, ' ').trim().slice(-200)
}

async function latest(reader: Reader, now: number): Promise<FileImport | undefined> {
  const row = await reader.first(reader.db.selectFrom('meta').select('value').where('key', '=', KEY))
  if (row === undefined) return undefined
  const one = storedJson<FileImport>(row.value)
  return one.state === 'running' && one.seen_at < utcFromMillis(now - LOST) ? { ...one, state: 'lost' } : one
}

/** Whether nothing else is under way; then this is. */
async function claim(tx: Transaction, begun: FileImport, now: number): Promise<boolean> {
  if ((await latest(tx, now))?.state === 'running') return false
  await keep(tx, begun)
  return true
}

async function keep(tx: Transaction, one: FileImport): Promise<void> {
  const value = JSON.stringify(one)
  const entry = tx.db.insertInto('meta').values({ key: KEY, value })
  await tx.run(entry.onConflict((conflict) => conflict.column('key').doUpdateSet({ value })))
}

/** Does the work, which nobody waits for, and says every few seconds how far it is. */
function goOn(parts: FileImportParts, begun: FileImport, bytesOf: () => Promise<Buffer>): void {
  const { storage, now, report } = parts
  let present = begun
  let last: Promise<unknown> = Promise.resolve()
  const tell = (change: Partial<FileImport>): Promise<unknown> => {
    present = { ...present, ...change, seen_at: utcFromMillis(now()) }
    const told = present
    last = last.then(() => storage.write((tx) => keep(tx, told))).catch((error: unknown) => report(error, 'an import'))
    return last
  }
  const beat = setInterval(() => void tell({}), BEAT).unref()
  const work = async (): Promise<void> => {
    try {
      const outcome = await importFile(parts, begun, {
        bytes: await bytesOf(),
        onProgress: (progress) => (present = { ...present, ...progress }),
      })
      clearInterval(beat)
      await tell({ state: 'done', outcome })
    } catch (error) {
      clearInterval(beat)
      if (!(error instanceof Failure)) report(error, 'importing a file')
      const { code, slots } = error instanceof Failure ? error : { code: 'internal_server_error', slots: {} }
      await tell({ state: 'failed', problem: { code, slots } })
    }
  }
  // It belongs to no request: it goes on when its client is gone.
  void forTheCalendar(work)
}

async function importFile(
  { importCalendars }: FileImportParts,
  { file, by, status, categories, isPreview }: FileImport,
  { bytes, onProgress }: { readonly bytes: Buffer; readonly onProgress: Parameters<CalendarFilesImport>[1] },
): Promise<NonNullable<FileImport['outcome']>> {
  const files = [{ name: file, bytes }]
  const input = { files, author: by, status, categories, isDryRun: isPreview }
  return told(await importCalendars(input, onProgress))
}

/** A report that is short enough to be kept. */
function told({ skipped, kept, ...counts }: CalendarReport): NonNullable<FileImport['outcome']> {
  const short = (all: CalendarReport['skipped']): CalendarReport['skipped'] =>
    all.slice(0, LINES_TOLD).map(({ what, why }) => ({ what: what.slice(0, 300), why: why.slice(0, 300) }))
  return { ...counts, skipped: short(skipped), kept: short(kept), left: skipped.length, keptInAll: kept.length }
}
