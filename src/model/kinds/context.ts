import { choice } from './choice.ts'
import { field } from './field.ts'
import type { ValueOf } from './kind.ts'

const contexts = choice(['view', 'embed', 'edit'])

/** How much of an item to answer: `embed` as little as a link to it needs, `edit` what only its writers are shown. */
export type Context = ValueOf<typeof contexts>

/** The parameter of the routes for writers that says so. */
export const CONTEXT_FIELD = field('context', contexts, 'api.levelDetailEmbedReturns', {
  default: 'view',
})
