/** Everything that a calendar has as a folder of files that any program can read, and back. */

export { type ExportReport, exportCalendar } from './export.ts'
export { isExport } from './header.ts'
export { importCalendar, type RestoredCalendar } from './import.ts'
