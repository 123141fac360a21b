import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createPostgresDatabase, TEST_ENGINE } from '../../src/storage/engines/testing.ts'

const BIN = fileURLToPath(new URL('../../bin/kalends.js', import.meta.url))

/** A server in a process of its own. */
export interface ServerProcess {
  readonly child: ChildProcess
  /** `http://127.0.0.1:PORT` */
  readonly origin: string
  /** Everything printed to standard output so far. */
  output(): string
  /** Everything printed to standard error so far: the log from errors on. */
  problems(): string
  /** Sends a signal and waits for the end; the exit code, or null after a signal that killed. */
  stop(signal: NodeJS.Signals): Promise<number | null>
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

/** Starts `kalends serve` on a free port of 127.0.0.1 and waits until it answers. */
export async function startServer(data: string, flags: readonly string[] = []): Promise<ServerProcess> {
  const child = spawn(
    process.execPath,
    [BIN, 'serve', '--port', '0', '--data', data, '--log-level', 'error', ...flags],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: await environmentFor(data),
    },
  )
  let output = ''
  let problems = ''
  child.stderr.on('data', (chunk: Buffer) => {
    problems += chunk.toString()
  })
  const origin = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`serve ended with ${code}: ${problems}`)))
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0]
      if (found !== undefined) resolve(found)
    })
  })
  const stop = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
    const ended = once(child, 'exit')
    child.kill(signal)
    const [code] = (await ended) as [number | null]
    return code
  }
  return { child, origin, output: () => output, problems: () => problems, stop }
}

/** Runs a command of the program; standard output. @throws with `code` and `stderr` when it fails */
export async function kalends(...argv: readonly string[]): Promise<string> {
  const data = argv[argv.indexOf('--data') + 1]
  const env = await environmentFor(argv.includes('--data') ? data : undefined)
  const { stdout } = await promisify(execFile)(process.execPath, [BIN, ...argv], { env })
  return stdout
}
