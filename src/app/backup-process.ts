/**
 * The process that runs a backup of the administration: it gets one order from the server, reports its progress and
 * what came of it, and ends with the server.
 */

import type { Config } from '../base/config.ts'
import { Failure } from '../base/errors.ts'
import { type BackupReport, makeBackup } from '../ops/backup/index.ts'
import type { WorkProblem } from '../storage/jobs/index.ts'

/** The order. */
export interface BackupOrder {
  readonly config: Config
  readonly target: string
  readonly keep: number
  readonly version: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** When it is started, Unix milliseconds on the clock of the server: the moment of the backup. */
  readonly now: number
}

/** What the process says. */
export type BackupMessage =
  | { readonly done: number; readonly total: number }
  | { readonly report: BackupReport }
  | { readonly problem: WorkProblem }

/** Milliseconds between two messages of how far it is. */
const PAUSE = 500

process.once('message', (order: BackupOrder) => void work(order))
process.once('disconnect', () => {
  // The server has gone: nobody would stop what this process has started.
  process.kill(-process.pid, 'SIGTERM')
  process.exit(1)
})

async function work({ now, ...order }: BackupOrder): Promise<void> {
  let present: { readonly done: number; readonly total: number } | undefined
  const telling = setInterval(() => {
    if (present !== undefined) say(present)
    present = undefined
  }, PAUSE)
  const onProgress = (progress: typeof present): void => {
    present = progress
  }
  try {
    say({ report: await makeBackup({ ...order, now: () => now, onProgress }) })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const { code, slots } = error instanceof Failure ? error : { code: 'backup_failed', slots: { reason } }
    say({ problem: { code, slots } })
  } finally {
    clearInterval(telling)
  }
}

function say(message: BackupMessage): void {
  process.send?.(message)
}
