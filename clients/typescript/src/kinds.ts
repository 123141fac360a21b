import type { Kind } from './types.ts'

export const KINDS = ['events', 'venues', 'organizers', 'categories', 'tags'] as const satisfies readonly Kind[]
