import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Report } from '../../engine.ts'
import { sync } from '../../sync.ts'
import type { Connection } from './connection.ts'
import { type FileGuard, makePrivate } from './files.ts'

/** What is rescued, and who is told. */
export interface Rescue {
  /** To the file that no path leads to. */
  readonly connection: Connection
  /** Knows where it was. */
  readonly guard: Pick<FileGuard, 'location' | 'log'>
  readonly report: Report
  /** Unix milliseconds. */
  readonly now: () => number
}

/**
 * Copies an open database that was deleted or replaced into a new file beside where it was, such as
 * `kalends.db.rescued-20260314T150926Z`; the name is there when the file is whole. Reports where it is. False where it could not
 * be written, which is reported: then the log is put aside, because SQLite would apply it to whatever database is there next.
 */
export async function rescue({ connection, guard, report, now }: Rescue): Promise<boolean> {
  const path = guard.location
  const moment = new Date(now()).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const target = `${path}.rescued-${moment}`
  const partial = `${target}.partial`
  report(
    new Error(`${path} was deleted or replaced: its contents are written to ${target}`),
    'rescuing what was written',
  )
  try {
    makePrivate(partial)
    await connection.copyTo(partial)
    await rename(partial, target)
    await sync(dirname(path))
    report(
      new Error(`all that was written is in ${target}: put it in the place of ${path} to go on with it`),
      'rescued',
    )
    return true
  } catch (error) {
    report(error, `rescuing what was written to ${path}`)
    await rm(partial, { force: true }).catch(() => undefined)
    const { log } = guard
    if (log !== undefined) await rename(log, `${target}-wal`).catch(() => undefined)
    return false
  }
}
