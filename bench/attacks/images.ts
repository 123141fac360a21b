import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { LOAD_CORE, pinned } from '../pinning.ts'
import type { Attack } from './attack.ts'

const BOMBARD = fileURLToPath(new URL('./bombard.ts', import.meta.url))

/** An author who uploads picture bombs, from a process of its own: making and sending them must not delay the visitors. */
export const IMAGE_ATTACK: Attack = {
  name: 'attack-images',
  run: async ({ origin, ground }, signal) => {
    const [program, ...argv] = pinned(LOAD_CORE, [process.execPath, BOMBARD, origin, ground.authorization ?? ''])
    const attacker = spawn(program, argv, { stdio: ['ignore', 'pipe', 'inherit'] })
    let sent = 0
    attacker.stdout.on('data', (dots: Buffer) => {
      sent += dots.length
    })
    const ended = once(attacker, 'exit')
    signal.addEventListener('abort', () => attacker.kill('SIGKILL'))
    await ended
    return sent
  },
}
