/** What goes in and out in other forms than the interface's own answers. */

export { eventFileAddress, feedAddress } from './icalendar/addresses.ts'
export { calendarRoutes } from './icalendar/routes.ts'
export { recordedImport } from './recorded/index.ts'
export type { ImportRecorded, ImportReport, RecordedFile } from './recorded/types.ts'
