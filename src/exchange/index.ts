/** What goes in and out in other forms than the interface's own responses. */

export { openFormats } from './formats/routes.ts'
export { eventFileAddress, feedAddress } from './icalendar/addresses.ts'
export { calendarRoutes } from './icalendar/routes.ts'
export type { CalendarDeps } from './imports/importer/calendar-images.ts'
export { type CalendarReport, importCalendar } from './imports/importer/import-calendar.ts'
export {
  type CalendarFile,
  type CalendarFilesImport,
  type CalendarFilesInput,
  type CalendarFilesReport,
  openCalendarImport,
} from './imports/importer/import-files.ts'
export { openJsonImport } from './imports/importer/import-items.ts'
export { openSiteImport, type SiteImportDeps } from './imports/importer/import-site.ts'
export { followedNames } from './imports/importer/plan-events.ts'
export { COLUMN_FIELDS, COLUMN_LABELS, type ColumnChoice, headingKey, LEFT_OUT } from './imports/readers/csv/columns.ts'
export { DATE_ORDERS, type DateOrder } from './imports/readers/csv/date-order.ts'
export { headOf, type TableHead } from './imports/readers/csv/read-csv.ts'
export { calendarAddress, fetchCalendar } from './imports/readers/fetch-calendar.ts'
export { readCalendarFile } from './imports/readers/reading.ts'
export type { SiteImport, SiteImportInput, SiteReport } from './imports/readers/site/types.ts'
export type { ImportReport, JsonFile, JsonImport } from './imports/types.ts'
