import { parentPort } from 'node:worker_threads'
import { type ErrorCode, Failure } from '../../../../base/errors.ts'
import type { MessageValues } from '../../../../base/i18n/translate.ts'

/** What a job has found. */
export interface ReadResult<Found, Item> {
  /** Sent at once. */
  readonly found: Found
  /** What there may be much of. */
  readonly items: readonly Item[]
}

/** What a thread says: what it found, then items, part by part as they are asked for. */
export type ReadingMessage<Found, Item> =
  | { readonly kind: 'found'; readonly found: Found; readonly count: number }
  | { readonly kind: 'items'; readonly items: readonly Item[] }
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly slots: MessageValues }

/** Items of a message: the one who takes it is not held up by them for long. */
const PART = 50

/** Makes this the body of a `ReadingThread`: it takes a job, then nothing in return for `more` but the next items. */
export function serveReading<Job, Found, Item>(read: (job: Job) => Promise<ReadResult<Found, Item>>): void {
  let rest: readonly Item[] = []
  let next = 0
  const say = (message: ReadingMessage<Found, Item>): void => parentPort?.postMessage(message)
  const begin = async (job: Job): Promise<void> => {
    try {
      const { found, items } = await read(job)
      rest = items
      next = 0
      say({ kind: 'found', found, count: items.length })
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      say({ kind: 'failed', code: error.code, slots: error.slots })
    }
  }
  parentPort?.on('message', (message: Job | 'more') => {
    if (message !== 'more') {
      void begin(message)
      return
    }
    const items = rest.slice(next, next + PART)
    next += PART
    if (next >= rest.length) rest = []
    say({ kind: 'items', items })
  })
}
