import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startPostgres } from '../test/support/postgres.ts'
import { copyOf, type DataFolder, newDatabase } from './data.ts'

const BIN = fileURLToPath(new URL('../bin/kalends.js', import.meta.url))

/** As a new installation has it: durable, with statistics and cleaning in the background. */
const SETTINGS = [
  ['shared_buffers', '128MB'],
  ['listen_addresses', '127.0.0.1'],
  ['unix_socket_directories', ''],
] as const

/** A PostgreSQL of the benchmark. */
export interface BenchPostgres {
  /** A calendar in a new database, moved from a seeded one; its folder has the key, and goes with `stop`. */
  moved(folder: DataFolder): Promise<DataFolder>
  stop(): Promise<void>
}

/**
 * Starts a PostgreSQL with the settings of an installation; its data go when it stops. It is that of this system, which
 * `pg_dump` of this system can read, or that of the tests where there is none.
 */
export async function startBenchPostgres(): Promise<BenchPostgres> {
  const installed = globSync('/usr/lib/postgresql/*/bin').sort().at(-1)
  const server = await startPostgres(installed, SETTINGS)
  const folders: string[] = []
  return {
    moved: async (folder) => {
      const source = await copyOf(folder)
      const path = `${source.path}.moved`
      folders.push(path)
      try {
        const database = await newDatabase(server.address)
        await mkdir(path, { mode: 0o700 })
        await kalends('migrate', '--data', source.path)
        await kalends('move', '--data', source.path, '--to', database, '--to-data', path)
        return { ...folder, path, database }
      } finally {
        await rm(source.path, { recursive: true, force: true })
      }
    },
    stop: async () => {
      for (const path of folders) await rm(path, { recursive: true, force: true })
      await server.stop()
    },
  }
}

async function kalends(...argv: readonly string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [BIN, ...argv], { maxBuffer: 2 ** 26 })
}
