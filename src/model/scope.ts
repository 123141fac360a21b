import { exactChoice } from './kinds/choice.ts'
import { field } from './kinds/field.ts'

/** Which dates of a recurring event a write is about. */
export const SCOPES = ['this', 'following', 'all'] as const

/** One of them. */
export type SeriesScope = (typeof SCOPES)[number]

/** The parameter that says it. */
export const SCOPE_FIELD = field('scope', exactChoice(SCOPES, 'bad_choice'), 'api.events.scope', { unlisted: true })
