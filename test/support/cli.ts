import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { runCli } from '../../src/cli/run.ts'
import type { App, JsonImport, World } from '../../src/cli/types.ts'
import { loadSecret } from '../../src/http/auth/secret.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { openStorage } from '../../src/storage/open.ts'

/** The moment at which test commands run: 2026-05-01 10:30:00 UTC. */
export const NOW = Date.UTC(2026, 4, 1, 10, 30)

/** An application with real storage and a bare HTTP server, for tests of what the commands do around it. */
export async function openBareApp(...[config, { now }]: Parameters<World['openApp']>): Promise<App> {
  const storage = await openStorage({ database: config.database, synchronous: 'NORMAL', offloadWorkers: 0 })
  await migrate(storage, { now })
  const http = createServer((_request, response) => response.end('{}'))
  return {
    storage,
    now,
    secret: await loadSecret(config.secret, config.data),
    listen: async () => {
      http.listen(config.port, config.host)
      await once(http, 'listening')
      return { addresses: [`http://${config.host}:${(http.address() as AddressInfo).port}`] }
    },
    drain: () => undefined,
    close: async () => {
      http.close()
      await storage.close()
    },
    importJson,
  }
}

/** Stands for the import: counts the files, reports progress for each and leaves out the empty ones. */
const importJson: JsonImport = async (files, { author, onProgress }) => {
  for (const [index] of files.entries()) onProgress({ done: index + 1, total: files.length })
  const empty = files.filter((file) => file.bytes.length === 0)
  const skipped = empty.map((file) => ({ what: file.name, why: `empty, for ${author ?? 'nobody'}` }))
  const none = { created: 0, updated: 0, unchanged: 0 }
  const event = { ...none, created: files.length - empty.length }
  return { ...event, counts: { category: none, tag: none, venue: none, organizer: none, event }, skipped, notes: [] }
}

/** The result of a command. */
export interface CommandResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command in this process with a bare application; `data` is its data folder. */
export async function runHere(data: string, ...command: string[]): Promise<CommandResult> {
  const written = { stdout: '', stderr: '' }
  const world: World = {
    env: { KALENDS_DATA: data },
    now: () => NOW,
    openApp: openBareApp,
    stdout: { write: (text) => (written.stdout += text) },
    stderr: { write: (text) => (written.stderr += text) },
  }
  const code = await runCli(['node', 'kalends', ...command], world)
  return { code, ...written }
}
