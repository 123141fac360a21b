import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { LOAD_CORE, pinned } from '../pinning.ts'
import type { AttackCourse } from './attack.ts'

/**
 * Runs a script beside this one until its end is told: making and sending an attack must not delay the visitors, who are timed
 * here. It writes a character for each request that it sends; how many there were.
 */
export async function attackFrom(
  script: string,
  argv: readonly string[],
  { signal, begun }: AttackCourse,
): Promise<number> {
  const path = fileURLToPath(new URL(script, import.meta.url))
  const [program, ...parameters] = pinned(LOAD_CORE, [process.execPath, path, ...argv])
  const attacker = spawn(program, parameters, { stdio: ['ignore', 'pipe', 'inherit'] })
  let sent = 0
  attacker.stdout.on('data', (dots: Buffer) => {
    if (sent === 0) begun()
    sent += dots.length
  })
  const ended = once(attacker, 'exit')
  signal.addEventListener('abort', () => attacker.kill('SIGKILL'))
  await ended
  return sent
}
