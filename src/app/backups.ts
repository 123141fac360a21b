import { type ChildProcess, fork } from 'node:child_process'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import packageFile from '../../package.json' with { type: 'json' }
import type { Backups, MadeBackup } from '../admin/deps.ts'
import type { Config } from '../base/config.ts'
import { Failure, fail, isErrorCode } from '../base/errors.ts'
import { type BackupReport, lastBackup, listBackups, removeLeftovers } from '../ops/backup/index.ts'
import type { LongWork, NewLongWork, WorkProblem } from '../storage/jobs/index.ts'
import { programFile } from '../storage/program-file.ts'
import type { BackupMessage, BackupOrder } from './backup-process.ts'

/** How many backups of the administration stay. */
const KEPT = 10

/** Milliseconds in which a backup deals with no further row or file until it is ended. */
const STILLNESS = 3_600_000

type Task = Parameters<NewLongWork['run']>[0]

/** What backups need. */
export interface BackupDeps {
  readonly config: Config
  /** Of the program: PostgreSQL's own programs read it. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly longWork: LongWork
  /** Unix milliseconds. */
  readonly now: () => number
  /** Milliseconds in which nothing may move; an hour if absent. */
  readonly stillness?: number
}

/**
 * Backups that the administration makes, in the folder `backups` of the data folder, as long work. Another process makes
 * them, so that no request waits for it.
 */
export function openBackups({ config, env, longWork, now, stillness = STILLNESS }: BackupDeps): Backups {
  const target = join(resolve(config.data), 'backups')
  const { version } = packageFile
  return {
    folder: target,
    kept: KEPT,
    list: () => listBackups(target),
    lastMade: () => lastBackup(config.data),
    start: async (by) => {
      const order = { config, target, keep: KEPT, version, env }
      const run = async (task: Task): Promise<MadeBackup> =>
        toMadeBackup(await runBackup({ ...order, now: now() }, task, stillness))
      return (await longWork.begin({ kind: 'backup', lane: 'backup', by, about: {}, run })) !== undefined
    },
  }
}

/** A report that is short enough to be stored. */
function toMadeBackup({ folder, rows, pictures, bytes, missing, key }: BackupReport): MadeBackup {
  return { name: basename(folder), rows, pictures, bytes, missing: missing.length, hasKey: key === 'file' }
}

function failureOf({ code, slots }: WorkProblem): Failure {
  return new Failure(isErrorCode(code) ? code : 'backup_failed', slots, {})
}

/** Has another process make a backup. @throws what it says, backup_failed when it ends before that or nothing moves any more */
async function runBackup(order: BackupOrder, { signal, progress }: Task, stillness: number): Promise<BackupReport> {
  const file = fileURLToPath(programFile('./backup-process', import.meta.url))
  const child = fork(file, [], {
    env: { ...order.env },
    execArgv: ['--no-warnings'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // With the programs that it runs it is a group of processes, which is ended as a whole.
    detached: true,
  })
  let said = ''
  child.stderr?.on('data', (text: Buffer) => {
    said = (said + text.toString()).slice(-2000)
  })
  const end = Promise.withResolvers<BackupReport>()
  const still = setTimeout(() => {
    end.reject(fail('backup_failed', { reason: `nothing has moved for ${Math.round(stillness / 1000)} seconds` }))
    endGroup(child)
  }, stillness).unref()
  child.on('message', (message: BackupMessage) => {
    if ('report' in message) end.resolve(message.report)
    else if ('problem' in message) end.reject(failureOf(message.problem))
    else {
      progress(message)
      still.refresh()
    }
  })
  child.on('error', (error) => end.reject(fail('backup_failed', { reason: error.message })))
  child.on('close', (_code, killedBy) => {
    // Where that fails the next backup does it.
    if (killedBy !== null) removeLeftovers(order.target).catch(() => undefined)
    const reason = said.trim().split('\n').at(-1) || 'its process was ended'
    end.reject(fail('backup_failed', { reason }))
  })
  const stop = (): void => endGroup(child)
  signal.addEventListener('abort', stop, { once: true })
  child.send(order)
  try {
    return await end.promise
  } finally {
    clearTimeout(still)
    signal.removeEventListener('abort', stop)
    if (child.connected) child.disconnect()
  }
}

/** Ends a process and those that it has started. */
function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGTERM')
  } catch {
    // It has ended.
  }
}
