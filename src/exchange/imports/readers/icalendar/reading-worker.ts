import type { TableEntry } from '../csv/read-entries.ts'
import { serveReading } from '../thread/worker.ts'
import { type ReadFile, readFiles } from './read-files.ts'
import type { ReadingOptions, SourceCalendarEvent } from './types.ts'

/** A file for the thread. */
export interface FileToRead {
  readonly name: string
  readonly bytes: Uint8Array
  readonly options: ReadingOptions & { readonly isCalendar: boolean }
}

/** What was found in a file, and how much: its events follow, then its entries, those of one file after those of the other. */
export type FoundFile = Omit<ReadFile, 'events' | 'entries'> & {
  readonly count: { readonly events: number; readonly entries: number }
}

// The body of the thread that reads calendars.
serveReading<FileToRead, readonly FoundFile[], SourceCalendarEvent | TableEntry>(async ({ name, bytes, options }) => {
  const file = { name, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) }
  const files = await readFiles(file, options)
  return {
    found: files.map(({ events, entries, ...facts }) => ({
      ...facts,
      count: { events: events.length, entries: entries.length },
    })),
    items: files.flatMap(({ events, entries }) => [...events, ...entries]),
  }
})
