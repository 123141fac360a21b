/** Reads calendars in a thread of its own: the server answers meanwhile, and a file that takes too much ends with it. */

import { extname } from 'node:path'
import { fail } from '../../../../base/errors.ts'
import { inParts } from '../../slices.ts'
import type { TableEntry } from '../csv/read-entries.ts'
import { ReadingThread } from '../thread/thread.ts'
import type { PlainFile } from './archive.ts'
import type { ReadCalendar } from './read-calendar.ts'
import type { ReadFile } from './read-files.ts'
import type { FileToRead, FoundFile } from './reading-worker.ts'
import type { ReadingOptions, SourceCalendarEvent } from './types.ts'

const THREAD = new ReadingThread<FileToRead, readonly FoundFile[], SourceCalendarEvent | TableEntry>({
  program: new URL(`./reading-worker${extname(import.meta.filename)}`, import.meta.url),
  name: 'kalends-calendars',
  memory: 320,
  sizeOf: ({ bytes }) => bytes.length,
  refusal: ({ name }, reason) => fail('calendar_not_readable', { file: name, reason }),
})

/** Reads the calendars of a file or an archive, with the name of each. @throws calendar_not_readable, rest_unavailable */
export function readCalendarFiles(file: PlainFile, options: ReadingOptions): Promise<readonly ReadFile[]> {
  return readInThread({ ...file, options: { ...options, isCalendar: false } })
}

/** Reads an iCalendar file. @throws calendar_not_readable, rest_unavailable */
export async function readCalendarFile(file: PlainFile, options: ReadingOptions): Promise<ReadCalendar> {
  const [read] = await readInThread({ ...file, options: { ...options, isCalendar: true } })
  if (read === undefined) throw new Error('a file is read as one')
  return read
}

async function readInThread(file: FileToRead): Promise<ReadFile[]> {
  const { found, items } = await THREAD.read(file)
  const files: ReadFile[] = []
  let at = 0
  for (const { count, ...facts } of found) {
    const events: SourceCalendarEvent[] = []
    const entries: TableEntry[] = []
    const end = at + count.events + count.entries
    for await (const part of inParts(items.slice(at, end), 2000))
      for (const one of part)
        if ('kind' in one) entries.push(one)
        else events.push(one)
    files.push({ ...facts, events, entries })
    at = end
  }
  return files
}
