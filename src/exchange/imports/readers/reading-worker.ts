import { parentPort } from 'node:worker_threads'
import { type ErrorCode, Failure } from '../../../base/errors.ts'
import type { MessageValues } from '../../../base/i18n/translate.ts'
import type { JsonFile } from '../types.ts'
import { type ReadFile, readFiles } from './icalendar/read-files.ts'
import type { ReadingOptions } from './icalendar/types.ts'
import { itemsOf } from './json/items.ts'
import { withDates } from './json/series-dates.ts'

/** Files for the thread: a calendar, a table or an archive of such, or recorded responses, which are read together. */
export type ReadingJob =
  | { readonly kind: 'calendars'; readonly file: JsonFile; readonly options: ReadingOptions }
  | { readonly kind: 'recorded'; readonly files: readonly JsonFile[] }

/** What is known of each calendar of a file beside its lists. */
export type FileFacts = Omit<ReadFile, 'events' | 'entries'>

/** What a thread says: items of one of its lists as long as they are asked for, then what else it found. */
export type ReadingMessage =
  | { readonly kind: 'items'; readonly list: number; readonly items: readonly unknown[] }
  | { readonly kind: 'found'; readonly facts: readonly FileFacts[] }
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly slots: MessageValues }

/** Items of a message: the one who takes it is not held up by them for long. */
const PART = 50

function* answerTo(job: ReadingJob): Generator<ReadingMessage> {
  if (job.kind === 'recorded') {
    yield* partsOf(withDates(job.files.flatMap(itemsOf)), 0)
    yield { kind: 'found', facts: [] }
    return
  }
  const { bytes, name } = job.file
  const files = readFiles({ name, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) }, job.options)
  const facts: FileFacts[] = []
  for (const [index, { events, entries, ...more }] of files.entries()) {
    yield* partsOf(events, 2 * index)
    yield* partsOf(entries, 2 * index + 1)
    facts.push(more)
  }
  yield { kind: 'found', facts }
}

function* partsOf(items: readonly unknown[], list: number): Generator<ReadingMessage> {
  for (let at = 0; at < items.length; at += PART) yield { kind: 'items', list, items: items.slice(at, at + PART) }
}

let answer: Generator<ReadingMessage> | undefined

// The body of the threads that read: a job, then `more` until everything was said.
parentPort?.on('message', (message: ReadingJob | 'more') => {
  if (message !== 'more') answer = answerTo(message)
  try {
    const next = answer?.next().value
    if (next?.kind === 'found') answer = undefined
    parentPort?.postMessage(next)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    parentPort?.postMessage({ kind: 'failed', code: error.code, slots: error.slots })
  }
})
