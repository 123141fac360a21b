import { spawn, spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** Core of the server under test. */
export const SERVER_CORE = 0

/** Core of the load. */
export const LOAD_CORE = 1

const found = new Map<string, boolean>()

/** Whether a program is installed. */
function hasProgram(name: string): boolean {
  const known = found.get(name) ?? spawnSync(name, ['--version']).error === undefined
  found.set(name, known)
  return known
}

// Asked once: this process is put on one core itself, and has one from then on.
const CORES = availableParallelism()
/** All of them, as `taskset` names them. */
const ALL_CORES = `0-${CORES - 1}`
const isPinnable = hasProgram('taskset') && CORES > 1

/** Whether processes can be kept on one core each. */
export function canPin(): boolean {
  return isPinnable
}

/** A command line that runs on one core where the system can do that; as it is elsewhere. */
export function pinned(core: number, command: readonly [string, ...string[]]): readonly [string, ...string[]] {
  return canPin() ? ['taskset', '-c', String(core), ...command] : command
}

/** A command line that runs on all cores, also when this process was put on one. */
export function everywhere(command: readonly [string, ...string[]]): readonly [string, ...string[]] {
  return canPin() ? ['taskset', '-c', ALL_CORES, ...command] : command
}

/** Puts this process, and what it starts from now on, on the core of the load where the system can do that. */
export function stayOnLoadCore(): void {
  if (canPin()) spawnSync('taskset', ['-cp', String(LOAD_CORE), String(process.pid)])
}

/** Whether the core of the load can be kept awake. */
export function canKeepAwake(): boolean {
  return canPin() && hasProgram('chrt')
}

/** Ends by itself with the benchmark, whatever ends that. */
const SPIN = 'const parent = process.ppid; while (process.ppid === parent) for (let turn = 0; turn < 1e7; turn += 1);'

/**
 * Keeps the core of the load from going to sleep, at a priority that takes nothing from the load; returns how to end that.
 * A load that has nothing to do between two answers lets its core sleep. On a virtual machine the server then pays for
 * waking it, tens of microseconds for each answer, and raw `node:http`, whose load never rests, does not.
 */
export function keepAwake(): () => void {
  if (!canKeepAwake()) return () => undefined
  const [program, ...argv] = pinned(LOAD_CORE, ['chrt', '-i', '0', process.execPath, '-e', SPIN])
  const child = spawn(program, argv, { stdio: 'ignore' })
  const end = (): void => void child.kill('SIGKILL')
  process.once('exit', end)
  return end
}
