import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { atEnd } from './at-end.ts'
import { createPostgresDatabase, TEST_ENGINE } from './test-engine.ts'

const BIN = fileURLToPath(new URL('../../bin/kalends.js', import.meta.url))

/** Longest time that a server may take to start or to end, and a command to run, on a busy machine; milliseconds. */
const PATIENCE = 60_000

/** Flags of a server that counts no client and gives reads time, for tests that send more than any client may. */
export const UNLIMITED: readonly string[] = [
  ...['reads', 'costly-reads', 'writes', 'log-ins', 'guesses', 'mcp', 'mcp-writes'].flatMap((name) => [
    `--limit-${name}`,
    'none',
  ]),
  ...['--read-timeout', '60000'],
]

/** A server in a process of its own. */
export interface ServerProcess {
  readonly child: ChildProcess
  /** `http://127.0.0.1:PORT` */
  readonly origin: string
  /** Everything printed to standard output so far. */
  output(): string
  /** Everything printed to standard error so far: the log from errors on. */
  problems(): string
  /**
   * Sends a signal and waits for the end; the exit code, or null after a signal that killed.
   * @throws when it does not end in time; it is killed then
   */
  stop(signal: NodeJS.Signals): Promise<number | null>
}

/** Servers that have not ended, and their data folders. */
const running = new Map<ChildProcess, string>()

// Node waits for the end of its children: a server that a test has left over would hold the whole run for ever.
after(() => {
  const left = [...running]
  for (const [child] of left) child.kill('SIGKILL')
  if (left.length > 0) throw new Error(`servers were left over and killed: ${left.map(([, data]) => data).join(', ')}`)
})

/**
 * An empty data folder. After the test its servers are stopped, and then it is removed: a server whose folder vanishes
 * makes another one in its place.
 * @throws after the test, when a server does not end in time
 */
export async function openDataFolder(t: TestContext): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), 'kalends-'))
  atEnd(t, async () => {
    const own = [...running].flatMap(([child, folder]) => (folder === data ? [child] : []))
    await Promise.all(own.map((child) => end(child, 'SIGTERM')))
    await rm(data, { recursive: true, force: true })
  })
  return data
}

const databases = new Map<string, Promise<string>>()

/** Address of the database of a data folder: a file in it, on PostgreSQL a database of its own. */
export async function databaseOf(data: string): Promise<string> {
  if (TEST_ENGINE === 'sqlite') return `sqlite:${join(data, 'kalends.db')}`
  const database = databases.get(data) ?? createPostgresDatabase('nothing')
  databases.set(data, database)
  return database
}

async function environmentFor(data: string | undefined): Promise<NodeJS.ProcessEnv> {
  return data === undefined ? process.env : { ...process.env, DATABASE_URL: await databaseOf(data) }
}

/**
 * Starts `kalends serve` on a free port of 127.0.0.1 and waits until it answers.
 * @throws when it ends instead, or does not answer in time; it is killed then
 */
export async function startServer(data: string, flags: readonly string[] = []): Promise<ServerProcess> {
  const child = spawn(
    process.execPath,
    [BIN, 'serve', '--port', '0', '--data', data, '--log-level', 'error', ...flags],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: await environmentFor(data),
    },
  )
  running.set(child, data)
  child.once('exit', () => running.delete(child))
  let output = ''
  let problems = ''
  child.stderr.on('data', (chunk: Buffer) => {
    problems += chunk.toString()
  })
  const origin = await new Promise<string>((resolve, reject) => {
    const late = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`serve did not start within ${PATIENCE / 1000} s: ${problems}`))
    }, PATIENCE)
    child.once('exit', (code) => reject(new Error(`serve ended with ${code}: ${problems}`)))
    child.once('exit', () => clearTimeout(late))
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0]
      if (found === undefined) return
      clearTimeout(late)
      resolve(found)
    })
  })
  return { child, origin, output: () => output, problems: () => problems, stop: (signal) => end(child, signal) }
}

/** Ends a server with a signal; its exit code, or null after a signal that killed. @throws when it takes too long */
async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (!running.has(child)) return child.exitCode
  return new Promise((resolve, reject) => {
    let isLate = false
    const late = setTimeout(() => {
      isLate = true
      child.kill('SIGKILL')
    }, PATIENCE)
    child.once('exit', (code) => {
      clearTimeout(late)
      if (isLate) reject(new Error(`serve did not end within ${PATIENCE / 1000} s after ${signal}`))
      else resolve(code)
    })
    child.kill(signal)
  })
}

/** Runs a command of the program; standard output. @throws with `code` and `stderr` when it fails or takes too long */
export async function kalends(...argv: readonly string[]): Promise<string> {
  return (await kalendsBoth(...argv)).stdout
}

/** As `kalends`; both outputs. */
export async function kalendsBoth(...argv: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  const data = argv[argv.indexOf('--data') + 1]
  const env = await environmentFor(argv.includes('--data') ? data : undefined)
  return promisify(execFile)(process.execPath, [BIN, ...argv], {
    env,
    timeout: PATIENCE,
    killSignal: 'SIGKILL',
  })
}
