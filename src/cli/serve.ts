import { setTimeout as sleep } from 'node:timers/promises'
import { groupPassword } from '../auth/passwords.ts'
import { NAMESPACE } from '../config/namespaces.ts'
import { type Config, maskSecrets } from '../config.ts'
import { fail } from '../errors.ts'
import { createLog, type Logger, logUnexpected } from '../log.ts'
import type { WriterLock } from '../storage/writer-lock.ts'
import { addFirstAdministrator } from '../users/index.ts'
import { declare, type Invocation, type Shell } from './command.ts'
import { lockDataFolder, prepareDataFolder, takesManyWriters } from './data-folder.ts'
import { isServing } from './operation-client.ts'
import { type OperationServer, serveOperations } from './operation-server.ts'
import { type Stopping, watchStopping } from './stopping.ts'
import type { App } from './types.ts'

/** How long to wait for a command that is just using the data folder, and how often to try, milliseconds. */
const PATIENCE = { attempts: 50, pause: 100 }

/** `kalends serve`: answer requests until asked to stop. */
export function declareServe(shell: Shell): void {
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
  const lock = await lockForServing(config)
  const log = createLog({ level: config.logLevel, now: world.now })
  try {
    log.debug({ config: maskSecrets(config) }, 'configuration')
    const app = await world.openApp(config, { now: world.now, log, role: 'serve' })
    await serveUntilAsked(called, { app, log, stopping })
  } catch (error) {
    throw logUnexpected(log, error)
  } finally {
    lock.release()
  }
}

/** Only one server writes to a data folder; a command that holds the lock for a moment is waited for. */
async function lockForServing(config: Config): Promise<WriterLock> {
  const { data } = config
  for (let attempt = 1; attempt <= PATIENCE.attempts; attempt += 1) {
    const lock = lockDataFolder(config)
    if (lock !== undefined) return lock
    if (await isServing(data)) throw fail('already_running', { path: data })
    await sleep(PATIENCE.pause)
  }
  throw fail('writer_silent', { path: data })
}

interface Serving {
  readonly app: App
  readonly log: Logger
  readonly stopping: Stopping
}

async function serveUntilAsked(called: Invocation, { app, log, stopping }: Serving): Promise<void> {
  try {
    const operations = await listenToCommands(app, called.config, log)
    try {
      const addresses = await listen(app, called.config)
      const administrator = await addFirstAdministrator(app)
      called.show({ ...placesOf(addresses), administrator: administrator ?? null }, welcome)
      log.info({ cause: await stopping.asked }, 'stopping')
    } finally {
      await operations.close()
    }
  } finally {
    await app.close()
  }
  log.info('stopped')
}

/** Commands go to the database themselves where they may. */
async function listenToCommands(app: App, config: Config, log: Logger): Promise<OperationServer> {
  if (takesManyWriters(config)) return { close: async () => undefined }
  return serveOperations(app, { dataFolder: config.data, log })
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

interface Places {
  readonly addresses: readonly string[]
  /** Address of the interface. */
  readonly api: string
  /** Address of its description. */
  readonly document: string
}

function placesOf(addresses: readonly string[]): Places {
  const api = `${addresses[0] ?? ''}/${NAMESPACE}`
  return { addresses: addresses.map((address) => `${address}/`), api, document: `${api}/doc` }
}

type Started = Places & { readonly administrator: { readonly name: string; readonly password: string } | null }

function welcome({ addresses, api, document, administrator }: Started): string {
  const lines = addresses.map((address) => `Kalends is listening on ${address}`)
  lines.push(`  API       ${api}`, `  Document  ${document}`)
  if (administrator !== null) {
    lines.push('', 'This is the first start: an administrator was added. The password is shown only now.')
    lines.push(`  User      ${administrator.name}`, `  Password  ${groupPassword(administrator.password)}`, '')
  }
  return `${lines.join('\n')}\n`
}
