import type { Attack } from './attack.ts'
import { attackFrom } from './own-process.ts'

const CONNECTIONS = 800

/** Bodies that are held on many connections, see `hold.ts`. */
export const HELD_BODIES: readonly Attack[] = [
  attackBy('anonymous-2mb', 2_000_000, false),
  attackBy('anonymous-64k', 65_536, false),
  attackBy('signed-in-2mb', 2_000_000, true),
]

function attackBy(name: string, bytes: number, isKnown: boolean): Attack {
  return {
    name: `held-bodies-${name}`,
    run: ({ origin, ground }, course) => {
      const authorization = isKnown ? (ground.authorization ?? '') : ''
      return attackFrom('./hold.ts', [origin, `${CONNECTIONS}`, `${bytes}`, authorization], course)
    },
  }
}
