import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'

/** Why a test of an example in Python is skipped, even in CI, where nothing is installed for them; false if it runs. */
export function skipWithoutPython(module?: string): string | false {
  const run = spawnSync('python3', ['-c', module === undefined ? '' : `import ${module}`])
  if (run.status === 0) return false
  return run.error === undefined ? `needs the Python package ${module}` : 'needs python3'
}

/** How a script ended. */
export interface PythonRun {
  /** Exit code. */
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a script, with its arguments and more environment variables. */
export async function runPython(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<PythonRun> {
  try {
    const { stdout, stderr } = await promisify(execFile)('python3', words, { env: { ...process.env, ...env } })
    return { code: 0, stdout, stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: unknown; stdout: string; stderr: string }
    if (typeof code !== 'number') throw error
    return { code, stdout, stderr }
  }
}
