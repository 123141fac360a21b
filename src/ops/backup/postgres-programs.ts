import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { fail } from '../../base/errors.ts'

/** Environment of this process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A program of PostgreSQL that was found. */
export interface FoundProgram {
  readonly path: string
  /** Major version. */
  readonly version: number
}

/**
 * The program of the lowest version that is new enough: the one in PATH if it will do, or else one where Debian
 * installs them.
 * @throws program_missing
 */
export async function findProgram(name: string, oldest: number): Promise<FoundProgram> {
  const places = globSync(`/usr/lib/postgresql/*/bin/${name}`).map((path) => ({ path, version: versionIn(path) }))
  const others = places.filter(({ version }) => version >= oldest).sort((one, other) => one.version - other.version)
  const inPath = await versionOf(name)
  const found = inPath !== undefined && inPath >= oldest ? { path: name, version: inPath } : others[0]
  if (found === undefined) throw fail('program_missing', { program: name, version: oldest })
  return found
}

/** The program beside another one. */
export function beside({ path, version }: FoundProgram, name: string): FoundProgram {
  return { path: path.includes('/') ? join(dirname(path), name) : name, version }
}

function versionIn(path: string): number {
  return Number(/postgresql\/(\d+)/.exec(path)?.[1] ?? 0)
}

async function versionOf(program: string): Promise<number | undefined> {
  try {
    const { stdout } = await promisify(execFile)(program, ['--version'])
    return Number(/\) (\d+)/.exec(stdout)?.[1] ?? 0)
  } catch {
    return undefined
  }
}

/** Parameters of an address and the variables that programs of PostgreSQL read them from. */
const VARIABLES: Readonly<Record<string, string>> = {
  host: 'PGHOST',
  port: 'PGPORT',
  user: 'PGUSER',
  password: 'PGPASSWORD',
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  options: 'PGOPTIONS',
  application_name: 'PGAPPNAME',
}

/** An address as variables: a command line, which everybody on the machine can read, is no place for a password. */
export function environmentFor(address: string, env: Environment): Record<string, string | undefined> {
  const { hostname, port, username, password, pathname, searchParams } = new URL(address)
  const given: Record<string, string> = {
    PGHOST: decodeURIComponent(hostname).replace(/^\[|\]$/g, ''),
    PGPORT: port,
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
  }
  for (const [name, value] of searchParams) if (VARIABLES[name] !== undefined) given[VARIABLES[name]] = value
  return { ...env, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '')) }
}

type Failed = 'backup_failed' | 'restore_failed'

/** How a program is run. */
export interface ProgramRun {
  readonly env: Environment
  /** The error that it is when it fails. */
  readonly failure: Failed
  /** Takes each line that it says. */
  onLine?(line: string): void
}

/** Runs a program to its end. @throws its `failure`, with the line that says why */
export async function runProgram(
  { path }: FoundProgram,
  options: readonly string[],
  { env, failure, onLine }: ProgramRun,
): Promise<void> {
  // What it says is read here.
  const child = spawn(path, [...options], { env: { ...env, LC_ALL: 'C' }, stdio: ['ignore', 'ignore', 'pipe'] })
  if (onLine !== undefined) createInterface({ input: child.stderr as Readable }).on('line', onLine)
  await ended(child, path, failure)
}

/** The lines that a program writes. @throws backup_failed when it ends with an error */
export async function* linesOf({ path }: FoundProgram, options: readonly string[]): AsyncGenerator<string> {
  const child = spawn(path, [...options], { stdio: ['ignore', 'pipe', 'pipe'] })
  const end = ended(child, path, 'backup_failed')
  end.catch(() => undefined)
  yield* createInterface({ input: child.stdout as Readable, crlfDelay: Number.POSITIVE_INFINITY })
  await end
}

/** Stored characters of the output of a program: the end, which may quote a long statement. */
const KEPT = 20_000

async function ended(child: ChildProcess, program: string, failure: Failed): Promise<void> {
  let said = ''
  child.stderr?.on('data', (text: Buffer) => {
    said = (said + text.toString()).slice(-KEPT)
  })
  try {
    const [code] = (await once(child, 'close')) as [number | null]
    if (code === 0) return
  } catch (error) {
    said = (error as Error).message
  }
  throw fail(failure, { reason: `${program}: ${reasonIn(said)}` })
}

/** The line with the reason: hints and the statement that failed come after it. */
function reasonIn(said: string): string {
  const lines = said.split('\n').filter((line) => line.trim() !== '')
  const reasons = lines.map((line) => /^pg_\w+: error: (.+)/.exec(line)?.[1])
  return reasons.find((reason) => reason !== undefined) ?? lines.at(-1) ?? 'it was ended'
}
