import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { freePort, NOBODY, UNTIL_LEFT_ALONE, untilReached } from './postgres.ts'

/** A PostgreSQL server of a pair. */
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

/** A primary and a replica that follows it by streaming. */
export interface Pair {
  readonly primary: Cluster
  readonly replica: Cluster
  /** Ends both and removes their files. */
  close(): Promise<void>
}

/** What `programsForReplicas` looks for, in words. */
export const REPLICA_PROGRAMS = 'the programs of PostgreSQL, such as those of the Debian package postgresql'

/** The folder of the newest PostgreSQL that has all the programs; the one of the tests has no pg_basebackup. */
export function programsForReplicas(): string | undefined {
  const found = globSync('/usr/lib/postgresql/*/bin/pg_basebackup').map(dirname)
  return found.sort((one, other) => versionOf(other) - versionOf(one))[0]
}

function versionOf(programs: string): number {
  return Number(/postgresql\/(\d+)/.exec(programs)?.[1] ?? 0)
}

/** Starts two servers on free ports of 127.0.0.1; `programs` is the folder of theirs. */
export async function startPair(programs: string): Promise<Pair> {
  const folder = await mkdtemp(join(tmpdir(), 'kalends-replica-'))
  await chmod(folder, 0o755)
  const password = randomBytes(12).toString('hex')
  const owner = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  const run = (name: string, options: readonly string[]) =>
    promisify(execFile)(join(programs, name), options, { ...owner, env: { ...process.env, PGPASSWORD: password } })
  const folderOf = async (name: string): Promise<string> => {
    await mkdir(join(folder, name), { mode: 0o700 })
    if (owner.uid !== undefined) await chown(join(folder, name), NOBODY, NOBODY)
    return join(folder, name)
  }
  const clusterIn = (data: string) => openCluster({ server: join(programs, 'postgres'), data, password, owner })
  const data = await folderOf('primary')
  await writeFile(join(folder, 'password'), password, { mode: 0o644 })
  const access = ['--username=kalends', '--auth=password', `--pwfile=${join(folder, 'password')}`]
  await run('initdb', ['-D', data, '--no-sync', '--locale=C', '--encoding=UTF8', ...access])
  const primary = await clusterIn(data)
  await primary.ask('create database calendar')
  const copy = await folderOf('replica')
  const { hostname, port } = new URL(primary.database)
  const source = ['-h', hostname, '-p', port, '-U', 'kalends']
  await run('pg_basebackup', ['-D', copy, ...source, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'])
  const replica = await clusterIn(copy)
  const close = async (): Promise<void> => {
    await Promise.all([replica.signal('SIGQUIT'), primary.signal('SIGQUIT')])
    await rm(folder, { recursive: true, force: true })
  }
  return { primary, replica, close }
}

interface ClusterParts {
  readonly server: string
  readonly data: string
  readonly password: string
  readonly owner: { readonly uid?: number; readonly gid?: number }
}

const SETTINGS = ['fsync=off', 'autovacuum=off', 'listen_addresses=127.0.0.1', 'unix_socket_directories=']

async function openCluster({ server, data, password, owner }: ClusterParts): Promise<Cluster> {
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
  if (isForGood) shell.stdin?.end()
  else for (const pid of await descendants(shell.pid)) process.kill(pid, name)
  if (isForGood) await ended
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
