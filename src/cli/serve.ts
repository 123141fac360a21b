import { setTimeout as sleep } from 'node:timers/promises'
import { makeLink } from '../accounts/sessions/index.ts'
import { addFirstAdministrator } from '../accounts/users/index.ts'
import { maskSecrets } from '../base/config.ts'
import { flushed, type Logger, logUnexpected } from '../base/log.ts'
import { tighten } from '../storage/file-modes.ts'
import { auditFirstStart } from './audit.ts'
import { assertCalendar } from './calendar-files.ts'
import { CommandSocket } from './cluster/command-socket.ts'
import { supervise } from './cluster/supervise.ts'
import { endWorker, isWorker, JOINS, tellSupervisor } from './cluster/worker.ts'
import { type OwnWriterRole, takeWriterRole } from './cluster/writer-role.ts'
import { type CommandGroup, declare, type Invocation } from './command.ts'
import { prepareDataFolder, takesManyWriters } from './data-folder.ts'
import { listenAt } from './listening.ts'
import { accessLogOf, logOf } from './logs.ts'
import { offerMetrics, tellMetrics } from './metrics.ts'
import { privateFiles } from './private-files.ts'
import { type FirstAdministrator, startedOn, welcome } from './started.ts'
import { type Stopping, watchStopping } from './stopping.ts'
import type { App } from './types.ts'

/** `kalends serve`: answer requests until asked to stop. */
export function declareServe(shell: CommandGroup): void {
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
  const writerRole = await takeWriterRole(config, { isAlone: world.env[JOINS] === undefined })
  const log = logOf(called)
  const accessLog = accessLogOf(called)
  try {
    log.debug({ config: maskSecrets(config) }, 'configuration')
    // One that joins others would make a calendar that they do not have.
    const mayBegin = world.env[JOINS] === undefined
    await assertCalendar(config, { mayBegin })
    const app = await world.openApp(config, {
      now: world.now,
      log,
      role: 'serve',
      writerRole,
      accessLog,
      mayBegin,
      isWorker: isWorker(),
      env: world.env,
    })
    for (const warning of tighten(privateFiles(config))) log.warn(warning)
    await serveUntilAsked(called, { app, log, stopping, writerRole })
    if (accessLog !== undefined) await flushed(accessLog)
  } catch (error) {
    throw logUnexpected(log, error)
  } finally {
    writerRole.release()
  }
}

interface Serving {
  readonly app: App
  readonly log: Logger
  readonly stopping: Stopping
  readonly writerRole: OwnWriterRole
}

async function serveUntilAsked(called: Invocation, serving: Serving): Promise<void> {
  const { app, log, stopping, writerRole } = serving
  const { metrics } = app
  const { host, port } = called.config
  const socket = new CommandSocket({ app, dataFolder: called.config.data, log })
  const listen = (): Promise<void> => openSocket(called, { ...serving, socket })
  let endMetrics: (() => Promise<void>) | undefined
  try {
    if (metrics && !isWorker()) endMetrics = await offerMetrics(called.config, () => metrics.text(), log)
    if (writerRole.isMine()) await listen()
    await app.warm?.()
    const { addresses } = await listenAt({ host, port, option: '--port' }, () => app.listen())
    const administrator = writerRole.isMine() ? await firstAdministrator(called, app, addresses) : undefined
    if (administrator !== undefined) auditFirstStart(log, administrator.name)
    // Workers share one metrics port, that of their supervisor. Metrics start here: earlier writes belong to the start.
    if (metrics && isWorker()) endMetrics = tellMetrics(() => metrics.state())
    const started = startedOn(addresses, administrator ?? null)
    await (isWorker() ? tellSupervisor({ kind: 'started', started }) : called.show(started, welcome))
    writerRole.acquire(listen).catch((error: unknown) => stopping.fail(error))
    log.info({ cause: await stopping.asked }, 'stopping')
    await drain(app, called.config.drainDelay)
  } finally {
    await socket.close()
    await app.close()
    await endMetrics?.()
  }
  log.info('stopped')
}

/** Adds the administrator of the first start, who gets a link to set up the calendar; undefined on later starts. */
async function firstAdministrator(
  { config }: Invocation,
  app: App,
  addresses: readonly string[],
): Promise<FirstAdministrator | undefined> {
  const added = await addFirstAdministrator(app)
  if (added === undefined) return undefined
  const { path } = await makeLink(app, { name: added.name, purpose: 'setup' })
  return { ...added, setup: `${config.baseUrl || addresses[0]}${path}` }
}

/**
 * A request that reaches a port while it is closed is lost, and it is unknown whether it was started. So proxies first
 * learn to go elsewhere: those with health checks from these, all others from 503 responses.
 */
async function drain(app: App, milliseconds: number): Promise<void> {
  app.drain()
  if (milliseconds === 0) return
  await sleep(milliseconds / 2)
  app.refuse?.()
  await sleep(milliseconds / 2)
}

/** Commands go to the database themselves where they may. */
async function openSocket(
  called: Invocation,
  { socket, log }: Serving & { readonly socket: CommandSocket },
): Promise<void> {
  if (takesManyWriters(called.config)) return
  await socket.open()
  if (!isWorker()) return
  log.info('this process writes')
  await tellSupervisor({ kind: 'writes' })
}
