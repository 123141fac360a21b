import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** Core of the server under test. */
export const SERVER_CORE = 0

/** Core of the load. */
export const LOAD_CORE = 1

const found = new Map<string, boolean>()

/** Whether a program is installed. */
export function hasProgram(name: string): boolean {
  const known = found.get(name) ?? spawnSync(name, ['--version']).error === undefined
  found.set(name, known)
  return known
}

// Asked once: this process is put on one core itself, and has one from then on.
const isPinnable = hasProgram('taskset') && availableParallelism() > 1

/** Whether processes can be kept on one core each. */
export function canPin(): boolean {
  return isPinnable
}

/** A command line that runs on one core where the system can do that; as it is elsewhere. */
export function pinned(core: number, command: readonly [string, ...string[]]): readonly [string, ...string[]] {
  return canPin() ? ['taskset', '-c', String(core), ...command] : command
}
