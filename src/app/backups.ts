import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Backups } from '../admin/parts.ts'
import { lastBackup, listBackups } from '../backup/index.ts'
import type { Config } from '../config.ts'

const PROGRAM = fileURLToPath(new URL('../../bin/kalends.js', import.meta.url))

/** How many backups of the administration stay. */
const KEPT = 10

/** What backups need. */
export interface BackupParts {
  readonly config: Config
  /** Of the program: PostgreSQL's own programs read it. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * Backups that the administration makes, in the folder `backups` of the data folder. Another process makes them, so that
 * no request waits for it; it goes on when the page is closed.
 */
export function openBackups({ config, env }: BackupParts): Backups {
  const folder = join(resolve(config.data), 'backups')
  const { data, database, media } = config
  const own = { KALENDS_DATA: data, DATABASE_URL: database, KALENDS_MEDIA: media }
  let isRunning = false
  let failure = ''
  return {
    folder,
    kept: KEPT,
    list: () => listBackups(folder),
    lastMade: () => lastBackup(data),
    state: () => ({ isRunning, failure }),
    start: () => {
      if (isRunning) return
      isRunning = true
      failure = ''
      run([PROGRAM, 'backup', folder, '--keep', String(KEPT)], { ...env, ...own }, (problem) => {
        failure = problem
        isRunning = false
      })
    },
  }
}

/** Runs the command, and tells what went wrong; '' for nothing. */
function run(argv: readonly string[], env: BackupParts['env'], ended: (problem: string) => void): void {
  execFile(process.execPath, argv, { env }, (error, _output, told) => {
    ended(error === null ? '' : told.trim().split('\n').at(-1) || error.message)
  })
}
