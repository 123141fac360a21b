import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fail } from '../../base/errors.ts'
import { pathOfFile, readFileName } from '../../calendar/media/index.ts'
import { TABLES, type TableName } from '../../storage/export/tables.ts'
import { digestOf } from '../backup/files.ts'
import { isLeftOut } from './format-1.ts'
import { type FormerTable, isFormer } from './former-tables.ts'

/** Name of the file that describes an export; a folder without it is none. */
export const HEADER = 'export.json'

/** Name of the key of passwords in an export that has secrets. */
export const KEY = 'secret.key'

/** A file of an export. */
interface ExportedFile {
  readonly bytes: number
  /** Hexadecimal. */
  readonly sha256: string
}

/** A table of an export: `tables/NAME.jsonl`, one line for each row. */
export interface ExportedTable extends ExportedFile {
  readonly table: TableName | FormerTable
  readonly rows: number
}

/** A file of an image: `media/ab/abcdef....jpg`. */
export interface ExportedImage extends ExportedFile {
  readonly name: string
}

/** The description of an export. Equal calendars have equal headers, so it names neither engine nor time. */
export interface ExportHeader {
  /** 1: of a version before the first release, see `format-1.ts`. */
  readonly format: 1 | 2
  readonly program: 'kalends'
  /** Of the program. */
  readonly version: string
  /** Number of the last migration of the database. */
  readonly schema: number
  /** Number of the last change in the journal. */
  readonly journal: number
  /** Whether it has the hashes of passwords, sessions and the key that they need. */
  readonly secrets: boolean
  /** The key, when it is one of the files: with secrets, unless it was set in the environment. */
  readonly key: ExportedFile | null
  /** In an order in which they can be filled. */
  readonly tables: readonly ExportedTable[]
  /** In the order of their names. */
  readonly media: readonly ExportedImage[]
  /** Names of images that the calendar had lost before. */
  readonly missing: readonly string[]
}

/** Where the rows of a table are in the folder of an export. */
export function pathOfTable(folder: string, table: ExportedTable['table']): string {
  return join(folder, 'tables', `${table}.jsonl`)
}

/** Where a file of an image is in the folder of an export. */
export function pathOfImage(folder: string, name: string): string {
  return pathOfFile(join(folder, 'media'), name)
}

/** Whether a path is the folder of an export. */
export async function isExport(path: string): Promise<boolean> {
  return (await stat(join(path, HEADER)).catch(() => undefined))?.isFile() === true
}

/**
 * The header of an export whose files are all there, unchanged, and no others named. `onFile` is called for each.
 * @throws export_not_usable
 */
export async function verifiedHeader(folder: string, onFile: () => void): Promise<ExportHeader> {
  const header = await readHeader(folder)
  for (const { path, file } of filesOf(folder, header)) {
    const problem = await problemOf(path, file)
    if (problem !== undefined) throw notUsable(folder, `${path.slice(folder.length + 1)} ${problem}`)
    onFile()
  }
  const named = new Set<string>(header.tables.map(({ table }) => `${table}.jsonl`))
  const stranger = (await readdir(join(folder, 'tables'))).find((name) => !named.has(name))
  if (stranger !== undefined) throw notUsable(folder, `tables/${stranger} does not belong to it`)
  return header
}

/** The failure of an export that cannot be imported. */
export function notUsable(path: string, reason: string) {
  return fail('export_not_usable', { path, reason })
}

function filesOf(folder: string, header: ExportHeader): { readonly path: string; readonly file: ExportedFile }[] {
  return [
    ...header.tables.map((file) => ({ path: pathOfTable(folder, file.table), file })),
    ...header.media.map((file) => ({ path: pathOfImage(folder, file.name), file })),
    ...(header.key === null ? [] : [{ path: join(folder, KEY), file: header.key }]),
  ]
}

async function problemOf(path: string, { bytes, sha256 }: ExportedFile): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) return 'is missing'
  if (found.size !== bytes) return `has ${found.size} bytes instead of ${bytes}`
  return (await digestOf(path)) === sha256 ? undefined : 'has another checksum than it was made with'
}

/** Names become paths and identifiers, so only those that this program could have written are taken. */
async function readHeader(folder: string): Promise<ExportHeader> {
  const text = await readFile(join(folder, HEADER), 'utf8').catch(() => '')
  const header = parsed(text)
  if (header?.program !== 'kalends') throw notUsable(folder, `its ${HEADER} is not one of Kalends`)
  const { format } = header
  if (format !== 1 && format !== 2) throw notUsable(folder, 'it was made by a newer version of Kalends')
  const { tables = [], media = [] } = header
  const isKnown = (one: ExportedTable) =>
    TABLES.some((name) => name === one.table) || isLeftOut({ format }, one.table) || isFormer(one.table)
  const table = tables.find((one, index) => !isKnown(one) || tables.indexOf(one) !== index)
  if (table !== undefined) throw notUsable(folder, `there is no table ${JSON.stringify(table.table)}`)
  const picture = media.find(({ name }) => typeof name !== 'string' || readFileName(name) === undefined)
  if (picture !== undefined) throw notUsable(folder, `${JSON.stringify(picture.name)} is no name of a picture`)
  return header as ExportHeader
}

function parsed(text: string): Partial<ExportHeader> | undefined {
  try {
    return (JSON.parse(text) ?? undefined) as Partial<ExportHeader> | undefined
  } catch {
    return undefined
  }
}
