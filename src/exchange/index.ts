/** What goes in and out in other forms than the interface's own responses. */

export { openFormats } from './formats/routes.ts'
export { eventFileAddress, feedAddress } from './icalendar/addresses.ts'
export { calendarRoutes } from './icalendar/routes.ts'
export { COLUMN_FIELDS, COLUMN_LABELS, type ColumnChoice, headingKey, LEFT_OUT } from './imports/csv/columns.ts'
export { DATE_ORDERS, type DateOrder } from './imports/csv/date-order.ts'
export { headOf, type TableHead } from './imports/csv/head.ts'
export { calendarAddress, fetchCalendar } from './imports/fetch-calendar.ts'
export type { CalendarDeps } from './imports/icalendar/images.ts'
export { type CalendarReport, importCalendar } from './imports/icalendar/import-calendar.ts'
export {
  type CalendarFile,
  type CalendarFilesImport,
  type CalendarFilesInput,
  type CalendarFilesReport,
  openCalendarImport,
} from './imports/icalendar/index.ts'
export { followedNames } from './imports/icalendar/plan-events.ts'
export type { ReadCalendar } from './imports/icalendar/read-calendar.ts'
export { readCalendarFile } from './imports/icalendar/reading.ts'
export { openJsonImport } from './imports/json/index.ts'
export type { ImportReport, JsonFile, JsonImport } from './imports/json/types.ts'
export { openSiteImport, type SiteImportDeps } from './imports/site/index.ts'
export type { SiteImport, SiteImportInput, SiteReport } from './imports/site/types.ts'
