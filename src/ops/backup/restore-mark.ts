import { readFile, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Config } from '../../base/config.ts'
import { readPostgresAddress } from '../../storage/engines/postgres/address.ts'
import { sqlitePath } from '../../storage/open.ts'
import { digestOf, writeNew } from './files.ts'
import { MANIFEST } from './manifest.ts'
import { RESTORING } from './restoring.ts'

/** Which restore has started in a data folder, as the mark there says. */
export interface RestoreMark {
  /** Folder of the backup, for messages. */
  readonly source: string
  /** SHA-256 of its manifest: the same backup may lie elsewhere the next time. */
  readonly backup: string
  /** A name in the data folder, which may be moved, another path, or an address without user and password. */
  readonly database: string
}

/** The mark of a restore that is to start, or to continue. */
export async function markOf({ data, database }: Config, source: string): Promise<RestoreMark> {
  const path = sqlitePath(database)
  const file = dirname(resolve(path)) === data ? basename(path) : resolve(path)
  const location = path === '' ? readPostgresAddress(database).location : file
  return { source, backup: await digestOf(join(source, MANIFEST)), database: location }
}

/** Whether two marks are of the same restore. */
export function isSameRestore(one: RestoreMark, other: RestoreMark): boolean {
  return one.backup === other.backup && one.database === other.database
}

/**
 * The mark in a data folder; undefined if there is none that can be read, such as one that was being written when its
 * process ended: nothing was restored then.
 */
export async function readMark(data: string): Promise<RestoreMark | undefined> {
  try {
    const found = JSON.parse(await readFile(join(data, RESTORING), 'utf8')) as Partial<RestoreMark> | null
    const isWhole = [found?.source, found?.backup, found?.database].every((one) => typeof one === 'string')
    return isWhole ? (found as RestoreMark) : undefined
  } catch {
    return undefined
  }
}

/** Sets the mark in an empty data folder, durably but for its name. */
export async function setMark(data: string, mark: RestoreMark): Promise<void> {
  const path = join(data, RESTORING)
  await rm(path, { force: true })
  const about = 'A restore into this folder has not ended: run it again.'
  await writeNew(path, `${JSON.stringify({ about, ...mark }, undefined, 2)}\n`)
}
