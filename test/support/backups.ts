import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, before, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { readConfig } from '../../src/base/config.ts'
import type { BackupReport } from '../../src/ops/backup/index.ts'
import { skipWithout } from './missing.ts'
import { programsForReplicas, REPLICA_PROGRAMS, startInstalled } from './replica.ts'
import { openDataFolder, type ServerProcess, startServer } from './server.ts'
import { TEST_ENGINE } from './test-engine.ts'

/** The program. */
export const BIN = join(import.meta.dirname, '../../bin/kalends.js')

// The PostgreSQL of the other tests comes without pg_dump, and one of another version may be too old for it.
const programs = TEST_ENGINE === 'postgres' ? programsForReplicas() : undefined
/** Why tests of backups are skipped; false where they are not. */
export const NO_PROGRAMS = TEST_ENGINE === 'postgres' && skipWithout(programs !== undefined, REPLICA_PROGRAMS)

/** A server of PostgreSQL whose version is that of the programs; undefined with SQLite. */
let cluster: Awaited<ReturnType<typeof startInstalled>> | undefined
before(async () => {
  if (programs !== undefined) cluster = await startInstalled(programs)
})
after(() => cluster?.close())

let databases = 0

/** A data folder with a database of its own, and a way to run commands on both. */
export async function openPlace(t: TestContext) {
  const data = await openDataFolder(t)
  databases += 1
  const database = cluster && Object.assign(new URL(cluster.database), { pathname: `/place${databases}` }).href
  await cluster?.ask(`create database place${databases}`)
  const env = { ...process.env, ...(database !== undefined && { DATABASE_URL: database }), KALENDS_DATA: data }
  const run = async (...argv: readonly string[]): Promise<string> =>
    (await promisify(execFile)(process.execPath, [BIN, ...argv], { env, timeout: 120_000 })).stdout
  const start = (): Promise<ServerProcess> => startServer(data, database === undefined ? [] : ['--database', database])
  const config = readConfig({ data, database }, {})
  return { data, run, start, config, env }
}

/** See `openPlace`. */
export type Place = Awaited<ReturnType<typeof openPlace>>

/** What a command that has to fail prints to standard error. */
export async function refusal(place: Place, ...argv: readonly string[]): Promise<string> {
  return place.run(...argv).then(
    (stdout) => assert.fail(`did not fail: ${stdout}`),
    (error: { stderr: string }) => error.stderr,
  )
}

/** Makes a backup into a folder. */
export async function backUp(place: Place, target: string, ...more: readonly string[]): Promise<BackupReport> {
  return JSON.parse(await place.run('backup', target, '--json', ...more)) as BackupReport
}
