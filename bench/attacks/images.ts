import type { Attack } from './attack.ts'
import { attackFrom } from './own-process.ts'

/** An author who uploads image bombs. */
export const IMAGE_ATTACK: Attack = {
  name: 'attack-images',
  run: ({ origin, ground }, course) => attackFrom('./bombard.ts', [origin, ground.authorization ?? ''], course),
}
