import type { Attack } from './attack.ts'
import { attackFrom } from './own-process.ts'

const CONNECTIONS = 800

/** Bytes of each body. */
const BYTES = 2_000_000

/** Bodies that are held on many connections, see `hold.ts`. */
export const HELD_BODIES: readonly Attack[] = [attackBy('anonymous', false), attackBy('signed-in', true)]

function attackBy(name: string, isKnown: boolean): Attack {
  return {
    name: `held-bodies-${name}`,
    run: ({ origin, ground }, course) => {
      const authorization = isKnown ? (ground.authorization ?? '') : ''
      return attackFrom('./hold.ts', [origin, `${CONNECTIONS}`, `${BYTES}`, authorization], course)
    },
  }
}
