import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../base/config.ts'
import { fail } from '../../base/errors.ts'
import { createLog, logUnexpected } from '../../base/log.ts'
import { tighten } from '../../storage/file-modes.ts'
import { engineOf } from '../../storage/open.ts'
import type { WriterLock } from '../../storage/writer-lock.ts'
import { audit, auditLog } from '../audit.ts'
import { assertCalendar, hasLock } from '../calendar-files.ts'
import { lockDataFolder, prepareDataFolder } from '../data-folder.ts'
import { logFormatOf } from '../logs.ts'
import { privateFiles } from '../private-files.ts'
import type { World } from '../types.ts'
import { handOver } from './operation-client.ts'
import type { OnProgress, OperationCall, OperationInput, OperationName, OperationResult } from './operations.ts'

/** How long to wait for the holder of the data folder, and how often to try, milliseconds. */
const PATIENCE = { attempts: 50, pause: 100 }

/** What an operation needs. */
export interface OperationContext {
  readonly world: World
  readonly config: Config
  readonly onProgress?: OnProgress
}

/**
 * Runs an operation on the data, whether or not a server uses them: if nobody holds the lock of the data folder this
 * process takes it and does the work; otherwise the server that holds it does it through its socket. A holder without a
 * socket is starting, stopping or another command, so both ways are retried for five seconds.
 * @throws data_not_writable, writer_silent, no_calendar, database_lost, and what the operation throws
 */
export async function operate<Name extends OperationName>(
  operating: OperationContext,
  name: Name,
  input: OperationInput<Name>,
): Promise<OperationResult<Name>> {
  const { data } = operating.config
  const { onProgress = () => undefined } = operating
  const call: OperationCall = { name, input }
  const begins = { mayBegin: name === 'addUser' }
  // Nothing is created for a command that would find nothing in it; a running server knows its files itself.
  if (!(await hasLock(data))) await assertCalendar(operating.config, begins)
  await prepareDataFolder(data)
  for (let attempt = 1; attempt <= PATIENCE.attempts; attempt += 1) {
    const lock = lockDataFolder(operating.config)
    if (lock !== undefined) return (await runHere(operating, call, lock)) as OperationResult<Name>
    const reply = await handOver(data, call, onProgress)
    if (reply.kind === 'done') return reply.result as OperationResult<Name>
    await sleep(PATIENCE.pause)
  }
  throw fail('writer_silent', { path: data })
}

async function runHere(operating: OperationContext, call: OperationCall, lock: WriterLock): Promise<unknown> {
  const { world, config, onProgress = () => undefined } = operating
  // On PostgreSQL the tables may be created before the first server starts.
  const mayBegin = call.name === 'addUser' || (call.name === 'migrate' && engineOf(config.database) === 'postgres')
  // Log lines of a server would only clutter the output of a command.
  const level = config.logLevel === 'info' ? 'warn' : config.logLevel
  const log = createLog({ level, now: world.now, format: logFormatOf(operating) })
  try {
    await assertCalendar(config, { mayBegin })
    const app = await world.openApp(config, { now: world.now, log, role: 'operator', mayBegin })
    for (const warning of tighten(privateFiles(config))) log.warn(warning)
    try {
      // Loaded only here: a running server does the work of most commands.
      const { runOperation } = await import('./operations.ts')
      const result = await runOperation(app, call, onProgress)
      audit(auditLog(operating), call, result)
      return result
    } finally {
      await app.close()
    }
  } catch (error) {
    throw logUnexpected(log, error)
  } finally {
    lock.release()
  }
}
