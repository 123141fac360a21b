import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { hasProgram, LOAD_CORE, pinned } from './pinning.ts'

/** A request of a load. */
export interface LoadRequest {
  readonly method: 'GET' | 'POST'
  /** Path and query; whatever the server, without origin. */
  readonly path: string
  readonly authorization?: string
  /** JSON. */
  readonly body?: string
  readonly ifNoneMatch?: string
}

/** Requests that are sent in turn, again from the beginning after the last one, over connections that stay open. */
export interface Load {
  readonly requests: readonly LoadRequest[]
  readonly connections: number
  readonly seconds: number
}

/** What came of a load; latencies in milliseconds. */
export interface Measure {
  /** Answers a second. */
  readonly rate: number
  readonly p50: number
  readonly p99: number
  readonly max: number
  /** Answers of status 400 and above, and requests without an answer. */
  readonly errors: number
}

/** Sends the load with wrk where it is installed, else with autocannon; on the core of the load. */
export async function sendLoad(origin: string, load: Load): Promise<Measure> {
  const folder = await mkdtemp(join(tmpdir(), 'kalends-load-'))
  try {
    return hasProgram('wrk') ? await sendWithWrk(origin, load, folder) : await sendWithCannon(origin, load, folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Which program sends the load. */
export function loadProgram(): 'wrk' | 'autocannon' {
  return hasProgram('wrk') ? 'wrk' : 'autocannon'
}

const SCRIPT = fileURLToPath(new URL('./wrk.lua', import.meta.url))
const CANNON = fileURLToPath(new URL('./cannon.ts', import.meta.url))

async function sendWithWrk(origin: string, { requests, connections, seconds }: Load, folder: string): Promise<Measure> {
  const list = join(folder, 'requests')
  await writeFile(list, requests.map(lineOf).join('\n'))
  const flags = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', SCRIPT, origin, '--', list]
  const [program, ...argv] = pinned(LOAD_CORE, ['wrk', ...flags])
  const { stdout } = await promisify(execFile)(program, argv)
  return measureOfWrk(stdout)
}

/** A request as the script for wrk reads it: fields between tabs, none of which contains one. */
function lineOf({ method, path, authorization = '', body = '', ifNoneMatch = '' }: LoadRequest): string {
  return [method, path, authorization, ifNoneMatch, body].join('\t')
}

/** Reads the line that the script prints at the end. @throws Error when there is none */
export function measureOfWrk(output: string): Measure {
  const line = /^RESULT (.*)$/m.exec(output)?.[1]
  if (line === undefined) throw new Error(`wrk printed no result: ${output}`)
  const { requests, microseconds, errors, ...latency } = JSON.parse(line) as Record<
    'requests' | 'microseconds' | 'errors' | 'p50' | 'p99' | 'max',
    number
  >
  const milliseconds = (micro: number): number => micro / 1_000
  return {
    rate: requests / (microseconds / 1e6),
    p50: milliseconds(latency.p50),
    p99: milliseconds(latency.p99),
    max: milliseconds(latency.max),
    errors,
  }
}

/** Sends the load with autocannon, on the core of the load. */
export async function sendWithCannon(origin: string, load: Load, folder: string): Promise<Measure> {
  const list = join(folder, 'load.json')
  await writeFile(list, JSON.stringify({ origin, load }))
  const [program, ...argv] = pinned(LOAD_CORE, [process.execPath, CANNON, list])
  const { stdout } = await promisify(execFile)(program, argv)
  return JSON.parse(stdout) as Measure
}
