import assert from 'node:assert/strict'
import type { CalendarReport } from '../../src/exchange/imports/importer/import-calendar.ts'
import type { CalendarFilesInput } from '../../src/exchange/imports/importer/import-files.ts'
import type { TestApp } from './app.ts'

const HEAD = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Harbour//Diary//EN']

/** A calendar of these lines. */
export function calendar(...lines: readonly string[]): Buffer {
  return Buffer.from([...HEAD, ...lines, 'END:VCALENDAR', ''].join('\r\n'))
}

/** A VEVENT of these lines. */
export function event(uid: string, ...lines: readonly string[]): string[] {
  return ['BEGIN:VEVENT', `UID:${uid}`, 'DTSTAMP:20270101T000000Z', ...lines, 'END:VEVENT']
}

/** Imports a file, `diary.ics` by default; what that did. @throws what the import refuses */
export function send(
  app: TestApp,
  bytes: Buffer,
  more: Partial<CalendarFilesInput> & { readonly name?: string } = {},
): Promise<CalendarReport> {
  assert.ok(app.app.importCalendars)
  const { name = 'diary.ics', ...options } = more
  return app.app.importCalendars({ files: [{ name, bytes }], ...options }, () => undefined)
}

/** The events of 2027 and 2028 that a filter finds, 50 at most. */
export async function listed(app: TestApp, query: Record<string, string | number> = {}) {
  const sent = { query: { start_date: '2027-01-01', end_date: '2029-01-01', per_page: 50, ...query } }
  return (await app.call('administrator', 'GET', '/events', sent)).body.events
}
