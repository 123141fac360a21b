import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import project from '../package.json' with { type: 'json' }
import { type DataFolder, SITE } from './data.ts'
import { everywhere, pinned, SERVER_CORE } from './pinning.ts'

/** A server in a process of its own, on the core of the server. */
export interface BenchServer {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string
  readonly pid: number
  stop(): Promise<void>
}

const BIN = fileURLToPath(new URL('../bin/kalends.js', import.meta.url))

/** What the start command of the project says to Node itself. */
const NODE_FLAGS: readonly string[] = project.scripts.start.split(' ').filter((word) => word.startsWith('--'))

/** One address asks for more than any client may. Nothing else is left out: with limits a request costs a microsecond more. */
const NO_LIMITS: readonly string[] = ['reads', 'costly-reads', 'writes', 'log-ins', 'guesses'].flatMap((name) => [
  `--limit-${name}`,
  'none',
])

/** Cores of a server: ratios are measured on one; what processes of its own are good for shows on all. */
export type Cores = 'one core' | 'all cores'

/** Starts the calendar on a seeded folder and waits until it listens, without limits for clients. */
export function startKalends(
  folder: DataFolder,
  flags: readonly string[],
  cores: Cores = 'one core',
): Promise<BenchServer> {
  const settings = ['--port', '0', '--data', folder.path, '--log-level', 'error']
  const site = ['--site-name', SITE.name, '--site-zone', SITE.zone, '--site-host', SITE.host]
  return startScript([...NODE_FLAGS, BIN], ['serve', ...settings, ...site, ...NO_LIMITS, ...flags], cores)
}

/** Starts another script of the benchmark, which prints its address when it listens. */
export function startBeside(name: 'raw' | 'floor', argv: readonly string[]): Promise<BenchServer> {
  return startScript([fileURLToPath(new URL(`./${name}.ts`, import.meta.url))], argv, 'one core')
}

async function startScript(script: readonly string[], argv: readonly string[], cores: Cores): Promise<BenchServer> {
  const command = [process.execPath, ...script, ...argv] as const
  const [program, ...parameters] = cores === 'one core' ? pinned(SERVER_CORE, command) : everywhere(command)
  const child = spawn(program, parameters, { stdio: ['ignore', 'pipe', 'inherit'] })
  const origin = await addressOf(child, script.join(' '))
  return {
    origin,
    pid: child.pid ?? 0,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

function addressOf(child: ChildProcess, script: string): Promise<string> {
  let output = ''
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}: ${output}`)))
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0]
      if (address !== undefined) resolve(address)
    })
  })
}

/** Ticks of a second in /proc; every Linux of today. */
const TICKS = 100

/**
 * Microseconds of processor time that a process, with those that it has started, uses during a step; undefined where the
 * system does not report it.
 */
export async function processorTime(pid: number, step: () => Promise<void>): Promise<number | undefined> {
  const before = await cpuSeconds(pid)
  await step()
  const after = await cpuSeconds(pid)
  return before === undefined || after === undefined ? undefined : (after - before) * 1e6
}

async function cpuSeconds(pid: number): Promise<number | undefined> {
  return sumOver(pid, async (one) => {
    const stat = await readProc(one, 'stat')
    // The name of the program stands in parentheses and may contain anything: what counts comes after the last one.
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
    // Of the process itself, and of those that it has started and that have ended.
    return fields && [11, 12, 13, 14].reduce((sum, place) => sum + Number(fields[place]), 0) / TICKS
  })
}

/**
 * Resident memory of a process and of those that it has started, in megabytes; undefined where the system does not tell.
 * The latter run the same program and map the same files: of what several processes have in memory they count their share
 * alone (https://docs.kernel.org/filesystems/proc.html, Pss), or each of them would cost the 50 MB of Node's program again.
 */
export async function residentMegabytes(pid: number): Promise<number | undefined> {
  return sumOver(pid, async (one) => {
    const text = one === pid ? await readProc(one, 'status') : await readProc(one, 'smaps_rollup')
    const found = /^(?:VmRSS|Pss):\s+(\d+) kB/m.exec(text ?? '')?.[1]
    return found === undefined ? undefined : Number(found) / 1024
  })
}

/** The sum of a number of a process and of all below it; undefined when it has none itself. */
async function sumOver(pid: number, read: (pid: number) => Promise<number | undefined>): Promise<number | undefined> {
  const own = await read(pid)
  if (own === undefined) return undefined
  const children = ((await readProc(pid, `task/${pid}/children`)) ?? '').split(' ').filter((one) => one.trim() !== '')
  const below = await Promise.all(children.map((one) => sumOver(Number(one), read)))
  return below.reduce<number>((sum, one) => sum + (one ?? 0), own)
}

async function readProc(pid: number, name: string): Promise<string | undefined> {
  try {
    return await readFile(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return undefined
  }
}
