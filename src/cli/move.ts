import { access, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Config } from '../base/config.ts'
import { fail } from '../base/errors.ts'
import { type CopiedPictures, copyPictures } from '../calendar/media/index.ts'
import { KEY_FILE } from '../http/auth/secret.ts'
import type { Storage } from '../storage/engine.ts'
import { migrate } from '../storage/migrate.ts'
import { type MoveReport, moveCalendar } from '../storage/move/move.ts'
import { addressForMove, isServed } from '../storage/move/servers.ts'
import { engineOf, openStorage, sqlitePath } from '../storage/open.ts'
import { storageOptions } from '../storage/options.ts'
import type { WriterLock } from '../storage/writer-lock.ts'
import { auditCalendar, auditLog } from './audit.ts'
import { assertCalendar } from './calendar-files.ts'
import { type CommandGroup, declare, type Invocation } from './command.ts'
import { lockDataFolder, prepareDataFolder } from './data-folder.ts'
import { progressOn, table } from './output.ts'

/** `kalends move`: copy the calendar into another database. */
export function declareMove(shell: CommandGroup): void {
  const declared = {
    usage: 'move',
    summary: 'copy the calendar into an empty database; stop its servers first',
    required: { '--to <URL>': 'where it goes: postgres://... or sqlite:PATH; what was interrupted is continued' },
    optional: { '--to-data <FOLDER>': 'data folder that gets a copy of the pictures and of the key of the passwords' },
  }
  declare(shell, declared, async (called) => {
    called.show(await move(called), (moved) => describe(moved, called.config))
  })
}

/** Milliseconds. */
const DAY = 86_400_000

interface Moved extends MoveReport {
  /** Files in the new data folder; null when none was named. */
  readonly pictures: CopiedPictures | null
}

async function move(called: Invocation): Promise<Moved> {
  // Counting the rows of a large table takes longer than any answer may.
  const config = { ...called.config, databaseRead: '', statementTimeout: DAY, readTimeout: DAY }
  const to = absolute(called.option('to') ?? '')
  const toData = called.option('toData')
  const target = { ...config, database: to, data: resolve(toData ?? folderOf(to, config)) }
  const source = { ...config, database: absolute(config.database) }
  await assertThere(source)
  const locks = [await lock(source), ...(target.data === source.data ? [] : [await lock(target)])]
  try {
    return await between(called, { source, target, copiesFiles: toData !== undefined })
  } finally {
    for (const one of locks) one.release()
  }
}

interface Places {
  readonly source: Config
  readonly target: Config
  readonly copiesFiles: boolean
}

async function between({ world }: Invocation, { source, target, copiesFiles }: Places): Promise<Moved> {
  const from = await open(source, world.now)
  try {
    if (await isServed(from)) throw fail('move_source_in_use', { database: from.location })
    const to = await open(target, world.now)
    try {
      // Images come before the rows that name them, as everywhere.
      const pictures = copiesFiles ? await copyFiles(from, { source, target }) : null
      const report = await moveCalendar({ from, to, onProgress: progressOn(world.stderr, world.now) })
      auditCalendar(auditLog({ world, config: target }), 'calendar moved')
      return { ...report, pictures }
    } finally {
      await to.close()
    }
  } finally {
    await from.close()
  }
}

async function open(config: Config, now: () => number): Promise<Storage> {
  const storage = await openStorage({ ...storageOptions(config), database: addressForMove(config.database) })
  try {
    await migrate(storage, { now })
    return storage
  } catch (error) {
    await storage.close()
    throw error
  }
}

/** @throws wrong_usage */
function absolute(database: string): string {
  const engine = engineOf(database)
  if (engine === undefined) throw fail('wrong_usage', { reason: '--to must be postgres://... or sqlite:PATH' })
  return engine === 'sqlite' ? `sqlite:${resolve(sqlitePath(database))}` : database
}

/** The data folder of a server that is going to use the file; PostgreSQL has none. */
function folderOf(database: string, { data }: Config): string {
  return engineOf(database) === 'sqlite' ? dirname(sqlitePath(database)) : data
}

/** Opening a file makes it when it is missing. */
async function assertThere(config: Config): Promise<void> {
  const path = sqlitePath(config.database)
  if (path === '') return
  await access(path).catch(() => {
    throw fail('move_source_missing', { database: path })
  })
  await assertCalendar(config, { mayBegin: false })
}

async function lock(config: Config): Promise<WriterLock> {
  await prepareDataFolder(config.data)
  const taken = lockDataFolder(config)
  if (taken === undefined) throw fail('move_source_in_use', { database: config.data })
  return taken
}

async function copyFiles(from: Storage, { source, target }: Omit<Places, 'copiesFiles'>): Promise<CopiedPictures> {
  if (source.secret === '') await copyKey(join(source.data, KEY_FILE), join(target.data, KEY_FILE))
  return copyPictures(from, { from: source.media, to: join(target.data, 'media') })
}

/** Passwords that are stored under one key are worth nothing under another. */
async function copyKey(key: string, copy: string): Promise<void> {
  const [ours, theirs] = await Promise.all([key, copy].map((path) => readFile(path, 'utf8').catch(() => undefined)))
  if (ours === undefined || ours === theirs) return
  if (theirs !== undefined) throw fail('secret_not_usable', { path: copy, reason: 'it is the key of another calendar' })
  await writeFile(copy, ours, { mode: 0o600, flag: 'wx', flush: true })
}

function describe({ from, to, rows, tables, began, pictures }: Moved, { data, media }: Config): string {
  const lines = tables.map((one) => [one.table, String(one.rows), one.checksum.slice(0, 16)])
  const how = { first: '', continued: ', continuing an earlier move', anew: ', beginning anew' }[began]
  const files =
    pictures === null
      ? `The files of pictures stay in ${media}, the key of the passwords in ${data}.`
      : `${pictures.files} files of pictures were copied${missing(pictures)}.`
  const heading = ['table', 'rows', 'checksum of both']
  return `${table(heading, lines)}Moved ${rows} rows from ${from} to ${to}${how}. ${files}\n`
}

function missing({ missing }: CopiedPictures): string {
  return missing.length === 0 ? '' : `, ${missing.length} were missing: ${missing.join(', ')}`
}
