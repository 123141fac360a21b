import type { Attack } from './attack.ts'
import { attackFrom } from './own-process.ts'

/** Searches that cost as much as possible and that nobody waits for, see `flood.ts`. */
export const SEARCH_ATTACK: Attack = {
  name: 'attack-search',
  run: ({ origin, ground }, course) => attackFrom('./flood.ts', [origin, ground.base], course),
}
