import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Report } from '../../engine.ts'
import type { Connection } from './connection.ts'
import { makePrivate } from './files.ts'

/** What is rescued, and who is told. */
export interface Rescue {
  /** To the file that is no longer in its place. */
  readonly connection: Connection
  /** Where that file was. */
  readonly path: string
  readonly notice: (sentence: string) => void
  readonly report: Report
  /** Unix milliseconds. */
  readonly now: () => number
}

/**
 * Copies an open database, of which no path is left, into a new file beside where it was: `kalends.db.rescued-20260314T150926Z`.
 * Says where it is; false where it could not be written, which is reported.
 */
export async function rescue({ connection, path, notice, report, now }: Rescue): Promise<boolean> {
  const moment = new Date(now()).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const target = join(realpathSync(dirname(path)), `${basename(path)}.rescued-${moment}`)
  try {
    makePrivate(target)
    await connection.copyTo(target)
    notice(
      `the database ${path} was removed, replaced or moved away while it was in use; all that was written to it is in ` +
        `${target}: to go on with that, put it in the place of ${path} before the next start`,
    )
    return true
  } catch (error) {
    report(error, `rescuing what was written to ${path}, which was removed, replaced or moved away`)
    return false
  }
}
