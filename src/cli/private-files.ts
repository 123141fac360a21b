import { readdirSync, realpathSync } from 'node:fs'
import { join, parse, relative } from 'node:path'
import type { Config } from '../base/config.ts'
import { KEY_FILE } from '../http/auth/secret.ts'
import type { PrivateFile } from '../storage/file-modes.ts'
import { engineOf, sqlitePath } from '../storage/open.ts'

/** Names in a data folder beside those of the database. */
const OWN = [KEY_FILE, 'kalends.lock', 'kalends.lock-journal', 'kalends.sock', 'kalends.sock.path']

/**
 * The files of a calendar that are private to its owner, whether or not they exist: the data folder and its files, and
 * the database wherever it is. An image folder elsewhere may be shared by several machines and users, so its owner
 * decides who may enter it.
 */
export function privateFiles({ data, media, database }: Pick<Config, 'data' | 'media' | 'database'>): PrivateFile[] {
  const file = (path: string): PrivateFile => ({ path, mode: 0o600 })
  const folder = (path: string): PrivateFile => ({ path, mode: 0o700 })
  const path = engineOf(database) === 'sqlite' ? realPath(sqlitePath(database)) : undefined
  return [
    // A whole disk is never the data folder of a calendar.
    ...(parse(data).root === data ? [] : [folder(data)]),
    ...OWN.map((name) => file(join(data, name))),
    ...(path === undefined ? [] : ['', '-wal', '-shm'].map((ending) => file(path + ending))),
    ...(isWithin(data, media) ? [folder(media), ...groupsIn(media).map(folder)] : []),
  ]
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function isWithin(data: string, media: string): boolean {
  const way = relative(data, media)
  return way !== '' && !way.startsWith('..') && way !== media
}

/** The folders that images lie in. */
function groupsIn(media: string): string[] {
  try {
    return readdirSync(media, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [join(media, entry.name)] : [],
    )
  } catch {
    return []
  }
}
