import { setTimeout as sleep } from 'node:timers/promises'
import { makeLink } from '../accounts/sessions/index.ts'
import { addFirstAdministrator } from '../accounts/users/index.ts'
import { maskSecrets } from '../base/config.ts'
import { type Logger, logUnexpected } from '../base/log.ts'
import { tighten } from '../storage/file-modes.ts'
import { auditFirstStart } from './audit.ts'
import { assertCalendar } from './calendar-files.ts'
import { type CommandGroup, declare, type Invocation } from './command.ts'
import { prepareDataFolder, takesManyWriters } from './data-folder.ts'
import { listenAt } from './listening.ts'
import { logOf } from './logs.ts'
import { offerMetrics } from './metrics.ts'
import { privateFiles } from './private-files.ts'
import { CommandSocket } from './running-server/command-socket.ts'
import { lockForServer } from './running-server/server-lock.ts'
import { type FirstAdministrator, startedOn, welcome } from './started.ts'
import { type Stopping, watchStopping } from './stopping.ts'
import type { App } from './types.ts'

/** `kalends serve`: answer requests until asked to stop. */
export function declareServe(shell: CommandGroup): void {
  const declared = { usage: 'serve', summary: 'start the server; stop it with Ctrl-C or SIGTERM' }
  declare(shell, declared, async (called) => {
    const stopping = watchStopping(called.world)
    try {
      await serve(called, stopping)
    } finally {
      stopping.release()
    }
  })
}

async function serve(called: Invocation, stopping: Stopping): Promise<void> {
  const { config, world } = called
  await prepareDataFolder(config.data)
  const lock = await lockForServer(config)
  const log = logOf(called)
  try {
    log.debug({ config: maskSecrets(config) }, 'configuration')
    await assertCalendar(config, { mayBegin: true })
    const opening = { now: world.now, log, env: world.env, isOnlyWriter: true }
    const app = await world.openApp(config, { ...opening, role: 'serve' })
    for (const warning of tighten(privateFiles(config))) log.warn(warning)
    await serveUntilAsked(called, { app, log, stopping })
  } catch (error) {
    throw logUnexpected(log, error)
  } finally {
    lock.release()
  }
}

interface Serving {
  readonly app: App
  readonly log: Logger
  readonly stopping: Stopping
}

async function serveUntilAsked(called: Invocation, { app, log, stopping }: Serving): Promise<void> {
  const { config } = called
  const { metrics } = app
  const { host, port, data: dataFolder } = config
  const socket = new CommandSocket({ app, dataFolder, log })
  let endMetrics: (() => Promise<void>) | undefined
  try {
    if (metrics) endMetrics = await offerMetrics(config, () => metrics.text(), log)
    // Commands go to the database themselves where they may.
    if (!takesManyWriters(config)) await socket.open()
    await app.warm?.()
    const { addresses } = await listenAt({ host, port, option: '--port' }, () => app.listen())
    const administrator = await firstAdministrator(called, app, addresses)
    if (administrator !== undefined) auditFirstStart(log, administrator.name)
    called.show(startedOn(addresses, administrator ?? null), welcome)
    log.info({ cause: await stopping.asked }, 'stopping')
    await drain(app, config.drainDelay)
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
