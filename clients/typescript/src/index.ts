export { kalends } from './client.ts'
export { Conflict, CursorExpired, KalendsError, Unsupported } from './errors.ts'
export type * from './types.ts'
export { plain, venuesOf, when } from './values.ts'
