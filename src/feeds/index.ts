/** What goes in and out in other forms than the interface's own answers. */

export { eventFileAddress, feedAddress } from './icalendar/addresses.ts'
export { calendarRoutes } from './icalendar/routes.ts'
export { openJsonImport } from './json-import/index.ts'
export type { ImportReport, JsonFile, JsonImport } from './json-import/types.ts'
