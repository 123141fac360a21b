import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { maskSecrets } from '../config.ts'
import { fail } from '../errors.ts'
import { createLog, type Logger, logUnexpected } from '../log.ts'
import { addFirstAdministrator } from '../users/index.ts'
import { declare, type Invocation, type Shell } from './command.ts'
import { prepareDataFolder, takesManyWriters } from './data-folder.ts'
import { type OperationServer, serveOperations } from './operation-server.ts'
import { type HeldSeat, takeSeat } from './seat.ts'
import { startedOn, welcome } from './started.ts'
import { type Stopping, watchStopping } from './stopping.ts'
import { supervise } from './supervise.ts'
import type { App } from './types.ts'
import { endWorker, isWorker, JOINS, tellSupervisor } from './worker.ts'

/** `kalends serve`: answer requests until asked to stop. */
export function declareServe(shell: Shell): void {
  const declared = { usage: 'serve', summary: 'start the server; stop it with Ctrl-C or SIGTERM' }
  declare(shell, declared, async (called) => {
    const stopping = watchStopping(called.world)
    try {
      await (isWorker() ? work(called, stopping) : serve(called, stopping))
    } finally {
      stopping.release()
    }
  })
}

async function serve(called: Invocation, stopping: Stopping): Promise<void> {
  await prepareDataFolder(called.config.data)
  await (called.config.workers > 1 ? supervise(called, stopping) : serveHere(called, stopping))
}

/** What `serve` does in a process that a supervisor has started and speaks for. */
async function work(called: Invocation, stopping: Stopping): Promise<never> {
  try {
    await serveHere(called, stopping)
  } catch (error) {
    return endWorker({ error })
  }
  return endWorker()
}

async function serveHere(called: Invocation, stopping: Stopping): Promise<void> {
  const { config, world } = called
  const seat = await takeSeat(config, { isAlone: world.env[JOINS] === undefined })
  const log = logOf(called)
  try {
    log.debug({ config: maskSecrets(config) }, 'configuration')
    const app = await world.openApp(config, { now: world.now, log, role: 'serve', seat })
    await serveUntilAsked(called, { app, log, stopping, seat })
  } catch (error) {
    throw logUnexpected(log, error)
  } finally {
    seat.release()
  }
}

/** Several processes write one log: each line says which. */
function logOf({ config, world }: Invocation): Logger {
  const log = createLog({ level: config.logLevel, now: world.now })
  return isWorker() ? log.child({ pid: process.pid }) : log
}

interface Serving {
  readonly app: App
  readonly log: Logger
  readonly stopping: Stopping
  readonly seat: HeldSeat
}

async function serveUntilAsked(called: Invocation, serving: Serving): Promise<void> {
  const { app, log, stopping, seat } = serving
  const ear = new Ear(called.config, serving)
  try {
    if (seat.isMine()) await ear.open()
    const addresses = await listen(app, called.config)
    const administrator = seat.isMine() ? await addFirstAdministrator(app) : undefined
    const started = startedOn(addresses, administrator ?? null)
    await (isWorker() ? tellSupervisor({ kind: 'started', started }) : called.show(started, welcome))
    seat.contend(() => ear.open()).catch((error: unknown) => stopping.fail(error))
    log.info({ cause: await stopping.asked }, 'stopping')
    app.drain()
    await refuseFor(called.config.drainDelay, app)
  } finally {
    await ear.close()
    await app.close()
  }
  log.info('stopped')
}

/**
 * What reaches a port in the moment in which it is closed is lost, and nobody knows whether it was begun. So a proxy first
 * learns from refusals that it has to go elsewhere.
 */
async function refuseFor(milliseconds: number, app: App): Promise<void> {
  if (milliseconds === 0) return
  app.refuse?.()
  await sleep(milliseconds)
}

/** Where the process that writes hears of operations of commands, and of requests of other workers. */
class Ear {
  readonly #config: Config
  readonly #serving: Serving
  #server: OperationServer | undefined
  #opening: Promise<void> | undefined

  constructor(config: Config, serving: Serving) {
    this.#config = config
    this.#serving = serving
  }

  /** Commands go to the database themselves where they may. */
  open(): Promise<void> {
    this.#opening ??= takesManyWriters(this.#config) ? Promise.resolve() : this.#listen()
    return this.#opening
  }

  async close(): Promise<void> {
    await this.#opening?.catch(() => undefined)
    await this.#server?.close()
  }

  async #listen(): Promise<void> {
    const { app, log } = this.#serving
    this.#server = await serveOperations(app, { dataFolder: this.#config.data, log })
    if (!isWorker()) return
    log.info('this process writes')
    await tellSupervisor({ kind: 'writes' })
  }
}

async function listen(app: App, { host, port }: Config): Promise<readonly string[]> {
  try {
    return (await app.listen()).addresses
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE') throw fail('port_in_use', { host, port })
    if (typeof code !== 'string' || !/^E[A-Z]+$/.test(code)) throw error
    throw fail('cannot_listen', { host, port, reason: code })
  }
}
