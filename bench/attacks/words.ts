import type { Attack } from './attack.ts'
import { attackFrom } from './own-process.ts'

/** A writer who stores long texts, see `texts.ts`. */
export const WORDS_ATTACK: Attack = {
  name: 'attack-words',
  run: ({ origin, ground }, course) =>
    attackFrom('./texts.ts', [origin, ground.base, ground.authorization ?? ''], course),
}
