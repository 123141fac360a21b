/** The module for ways in: what people can sign in with, and which of it must stay. */

export { keepAnAdministrator, keepAWayIn } from './keep.ts'
export { type OpenWays, openWaysOf } from './open.ts'
export { waysInOf } from './store.ts'
