/** Reads calendars in a thread of its own: the server answers meanwhile, and a file that takes too much ends with it. */

import { extname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { Failure, fail } from '../../errors.ts'
import type { PlainFile } from './archive.ts'
import type { ReadCalendar } from './read-calendar.ts'
import type { ReadFile } from './read-files.ts'
import type { FileToRead, ReadingMessage } from './reading-worker.ts'
import type { ReadingOptions, SourceCalendarEvent } from './types.ts'

/** Milliseconds for a file, memory in MiB, and files that wait. */
const MOST = { time: 300_000, memory: 384, waiting: 32 } as const

/** Bytes of a file after which the thread gives its memory back. */
const LARGE = 1_048_576

/** The thread that has nothing to do; undefined when there is none. */
let idle: Worker | undefined
let last: Promise<unknown> = Promise.resolve()
let waiting = 0

/** Reads the calendars of a file or an archive, with the name of each. @throws calendar_not_readable, rest_unavailable */
export function readCalendarFiles(file: PlainFile, options: ReadingOptions): Promise<readonly ReadFile[]> {
  return inTurn(() => readInThread({ ...file, options: { ...options, isCalendar: false } }))
}

/** Reads an iCalendar file. @throws calendar_not_readable, rest_unavailable */
export async function readCalendarFile(file: PlainFile, options: ReadingOptions): Promise<ReadCalendar> {
  const [read] = await inTurn(() => readInThread({ ...file, options: { ...options, isCalendar: true } }))
  if (read === undefined) throw new Error('a file is read as one')
  return read
}

/** One file is read at a time: a second one would only take more memory. */
async function inTurn<Read>(read: () => Promise<Read>): Promise<Read> {
  if (waiting >= MOST.waiting) throw fail('rest_unavailable')
  waiting += 1
  const mine = last.then(read)
  last = mine.catch(() => undefined)
  try {
    return await mine
  } finally {
    waiting -= 1
  }
}

async function readInThread(file: FileToRead): Promise<ReadFile[]> {
  const thread = idle ?? startThread()
  idle = undefined
  thread.ref()
  const ended = setTimeout(() => void thread.terminate(), MOST.time)
  let isDone = false
  try {
    const files = await askAll(thread, file)
    isDone = true
    return files
  } finally {
    clearTimeout(ended)
    thread.unref()
    // After an error nobody knows what it is about to say.
    if (isDone && file.bytes.length < LARGE) idle = thread
    else void thread.terminate()
  }
}

function startThread(): Worker {
  const path = new URL(`./reading-worker${extname(import.meta.filename)}`, import.meta.url)
  const limits = { maxOldGenerationSizeMb: MOST.memory, maxYoungGenerationSizeMb: 32 }
  const thread = new Worker(path, { execArgv: [], name: 'kalends-calendars', resourceLimits: limits })
  // What ends an idle one does not matter; whoever waits for its answer hears it, too.
  thread
    .on('error', () => undefined)
    .on('exit', () => {
      if (idle === thread) idle = undefined
    })
  return thread
}

async function askAll(thread: Worker, file: FileToRead): Promise<ReadFile[]> {
  const found = await ask(thread, file.name, file)
  if (found.kind !== 'found') throw new Error('a thread says first what it found')
  const files: ReadFile[] = []
  const total = found.files.reduce((sum, { count }) => sum + count, 0)
  const events: SourceCalendarEvent[] = []
  while (events.length < total) {
    const message = await ask(thread, file.name, 'more')
    if (message.kind !== 'events' || message.events.length === 0) throw new Error('a thread says as much as it found')
    for (const event of message.events) events.push(event)
    await setImmediate()
  }
  let at = 0
  for (const { count, ...facts } of found.files) {
    files.push({ ...facts, events: events.slice(at, at + count) })
    at += count
  }
  return files
}

/** The answer of a thread. @throws calendar_not_readable when it ends instead */
function ask(thread: Worker, name: string, message: FileToRead | 'more'): Promise<ReadingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<ReadingMessage>()
  const answered = (said: ReadingMessage): void => {
    if (said.kind === 'failed') reject(new Failure(said.code, said.slots, {}))
    else resolve(said)
  }
  const failed = (error: Error & { readonly code?: string }): void => {
    const isFull = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    reject(isFull ? fail('calendar_not_readable', { file: name, reason: 'takes too much memory to read' }) : error)
  }
  const ended = (): void => reject(fail('calendar_not_readable', { file: name, reason: 'takes too long to read' }))
  thread.once('message', answered).once('error', failed).once('exit', ended)
  thread.postMessage(message)
  return promise.finally(() => thread.off('message', answered).off('error', failed).off('exit', ended))
}
