/** What goes in and out in other forms than the interface's own responses. */

export { COLUMN_FIELDS, type ColumnChoice, headingKey, LEFT_OUT } from './csv-import/columns.ts'
export { DATE_ORDERS, type DateOrder } from './csv-import/date-order.ts'
export { headOf, type TableHead } from './csv-import/head.ts'
export { openFormats } from './formats/routes.ts'
export { eventFileAddress, feedAddress } from './icalendar/addresses.ts'
export { calendarRoutes } from './icalendar/routes.ts'
export { type CalendarReport, importCalendar } from './icalendar-import/import-calendar.ts'
export {
  type CalendarFile,
  type CalendarFilesImport,
  type CalendarFilesInput,
  type CalendarFilesReport,
  openCalendarImport,
} from './icalendar-import/index.ts'
export type { CalendarParts } from './icalendar-import/pictures.ts'
export { followedNames } from './icalendar-import/plan-events.ts'
export type { ReadCalendar } from './icalendar-import/read-calendar.ts'
export { readCalendarFile } from './icalendar-import/reading.ts'
export { openJsonImport } from './json-import/index.ts'
export type { ImportReport, JsonFile, JsonImport } from './json-import/types.ts'
export { openSiteImport, type SiteImportParts } from './site-import/index.ts'
export type { SiteImport, SiteImportInput, SiteReport } from './site-import/types.ts'
