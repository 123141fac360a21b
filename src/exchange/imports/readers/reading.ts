/** Reads files in threads of their own: the server answers meanwhile, and what takes too much ends with its thread. */

import { extname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { Failure, fail } from '../../../base/errors.ts'
import type { MessageId } from '../../../base/i18n/translate.ts'
import type { JsonFile } from '../types.ts'
import type { ReadCalendar } from './icalendar/read-calendar.ts'
import type { ReadFile } from './icalendar/read-files.ts'
import type { ReadingOptions } from './icalendar/types.ts'
import type { SourceItem } from './json/items.ts'
import type { FileFacts, ReadingJob, ReadingMessage } from './reading-worker.ts'

/** Milliseconds for a job, and jobs that wait. */
const MOST = { time: 300_000, waiting: 32 } as const

/** Bytes of a job after which the thread gives its memory back. */
const LARGE = 1_048_576

const PROGRAM = new URL(`./reading-worker${extname(import.meta.filename)}`, import.meta.url)

/** What was found: lists of items, and what else is known of each calendar. */
interface Found {
  readonly lists: readonly (readonly unknown[])[]
  readonly facts: readonly FileFacts[]
}

/** A thread that does one job at a time, because a second one would only take more memory; it waits for the next one. */
export class ReadingThread {
  readonly #program: URL
  readonly #memory: number
  /** The thread that has nothing to do; undefined if there is none. */
  #idle: Worker | undefined
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  /** `memory` is MiB. */
  constructor(memory: number, program = PROGRAM) {
    this.#memory = memory
    this.#program = program
  }

  /** What a job has found. @throws what reading throws, calendar_not_readable, recorded_not_usable, rest_unavailable */
  async read(job: ReadingJob): Promise<Found> {
    if (this.#waiting >= MOST.waiting) throw fail('rest_unavailable')
    this.#waiting += 1
    const mine = this.#last.then(() => this.#readNow(job))
    this.#last = mine.catch(() => undefined)
    try {
      return await mine
    } finally {
      this.#waiting -= 1
    }
  }

  async #readNow(job: ReadingJob): Promise<Found> {
    const thread = this.#idle ?? this.#start()
    this.#idle = undefined
    thread.ref()
    const ended = setTimeout(() => void thread.terminate(), MOST.time)
    let isDone = false
    try {
      const found = await askAll(thread, job)
      isDone = true
      return found
    } finally {
      clearTimeout(ended)
      thread.unref()
      // After an error nobody knows what it is about to say.
      if (isDone && sizeOf(job) < LARGE) this.#idle = thread
      else void thread.terminate()
    }
  }

  #start(): Worker {
    const limits = { maxOldGenerationSizeMb: this.#memory, maxYoungGenerationSizeMb: 32 }
    const thread = new Worker(this.#program, { execArgv: [], name: 'kalends-reading', resourceLimits: limits })
    // What ends an idle one does not matter; whoever waits for its answer hears it, too.
    thread
      .on('error', () => undefined)
      .on('exit', () => {
        if (this.#idle === thread) this.#idle = undefined
      })
    return thread
  }
}

async function askAll(thread: Worker, job: ReadingJob): Promise<Found> {
  const lists: unknown[][] = []
  let answer = await ask(thread, job, job)
  for (; answer.kind === 'items'; answer = await ask(thread, job, 'more')) {
    const list = lists[answer.list] ?? []
    lists[answer.list] = list
    for (const item of answer.items) list.push(item)
    await setImmediate()
  }
  if (answer.kind === 'failed') throw new Failure(answer.code, answer.slots, {})
  return { lists, facts: answer.facts }
}

/** The answer of a thread. @throws a refusal of the files when it ends instead */
function ask(thread: Worker, job: ReadingJob, message: ReadingJob | 'more'): Promise<ReadingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<ReadingMessage>()
  const failed = (error: Error & { readonly code?: string }): void =>
    reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? refusal(job, 'import.problem.tooMuchMemory') : error)
  const ended = (): void => reject(refusal(job, 'import.problem.tooMuchTime'))
  thread.once('message', resolve).once('error', failed).once('exit', ended)
  // It may have ended since its last answer: then there is none, and nothing says so.
  if (thread.threadId < 0) ended()
  else thread.postMessage(message)
  return promise.finally(() => thread.off('message', resolve).off('error', failed).off('exit', ended))
}

function sizeOf(job: ReadingJob): number {
  const files = job.kind === 'calendars' ? [job.file] : job.files
  return files.reduce((sum, { bytes }) => sum + bytes.length, 0)
}

function refusal(job: ReadingJob, reason: MessageId): Error {
  return job.kind === 'calendars'
    ? fail('calendar_not_readable', { file: job.file.name, reason })
    : fail('recorded_not_usable', { place: job.files.map(({ name }) => name).join(', '), reason })
}

const CALENDARS = new ReadingThread(320)
const RECORDED = new ReadingThread(2_048)

/** Reads the calendars of a file or an archive, with the name of each. @throws calendar_not_readable, rest_unavailable */
export async function readCalendarFiles(file: JsonFile, options: ReadingOptions): Promise<ReadFile[]> {
  const { facts, lists } = await CALENDARS.read({ kind: 'calendars', file, options })
  return facts.map((one, index) => ({
    ...one,
    events: (lists[2 * index] ?? []) as ReadFile['events'],
    entries: (lists[2 * index + 1] ?? []) as ReadFile['entries'],
  }))
}

/** Reads an iCalendar file. @throws calendar_not_readable, rest_unavailable */
export async function readCalendarFile(file: JsonFile, options: ReadingOptions): Promise<ReadCalendar> {
  const [read] = await readCalendarFiles(file, { ...options, isCalendar: true })
  if (read === undefined) throw new Error('a file is read as one')
  return read
}

/**
 * The items of recorded files, of which events that recur have the dates that were recorded of them.
 * @throws recorded_not_json, recorded_not_usable when a file is broken, rest_unavailable
 */
export async function readRecorded(files: readonly JsonFile[]): Promise<readonly SourceItem[]> {
  const { lists } = await RECORDED.read({ kind: 'recorded', files })
  return (lists[0] ?? []) as readonly SourceItem[]
}
