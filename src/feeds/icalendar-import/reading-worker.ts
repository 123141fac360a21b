import { parentPort } from 'node:worker_threads'
import { type ErrorCode, Failure, type Slots } from '../../errors.ts'
import { type ReadFile, readFiles } from './read-files.ts'
import type { ReadingOptions, SourceCalendarEvent } from './types.ts'

/** A file for the thread. */
export interface FileToRead {
  readonly name: string
  readonly bytes: Uint8Array
  readonly options: ReadingOptions & { readonly isCalendar: boolean }
}

/** What the thread says: what it found, then events, part by part as they are asked for. */
export type ReadingMessage =
  | { readonly kind: 'found'; readonly files: readonly (Omit<ReadFile, 'events'> & { readonly count: number })[] }
  | { readonly kind: 'events'; readonly events: readonly SourceCalendarEvent[] }
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly slots: Slots }

/** Events of a message: the one who takes it is not held up by them for long. */
const PART = 50

let rest: Iterator<SourceCalendarEvent> | undefined

// The body of the thread that reads calendars: a file, then nothing in return for `more` but the next of its events.
parentPort?.on('message', (message: FileToRead | 'more') => {
  if (message !== 'more') void begin(message)
  else say({ kind: 'events', events: part() })
})

function say(message: ReadingMessage): void {
  parentPort?.postMessage(message)
}

async function begin({ name, bytes, options }: FileToRead): Promise<void> {
  try {
    const file = { name, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) }
    const files = await readFiles(file, options)
    rest = files.flatMap(({ events }) => events)[Symbol.iterator]()
    say({ kind: 'found', files: files.map(({ events, ...file }) => ({ ...file, count: events.length })) })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    say({ kind: 'failed', code: error.code, slots: error.slots })
  }
}

function part(): SourceCalendarEvent[] {
  const events: SourceCalendarEvent[] = []
  for (let next = rest?.next(); next?.done === false; next = rest?.next()) {
    events.push(next.value)
    if (events.length === PART) return events
  }
  rest = undefined
  return events
}
