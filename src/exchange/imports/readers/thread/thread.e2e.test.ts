import assert from 'node:assert/strict'
import test from 'node:test'
import { ReadingThread } from './thread.ts'

/** A thread that ends with its first items, of which it has more. */
const ENDS_EARLY = `
import { parentPort } from 'node:worker_threads'
parentPort.on('message', (message) => {
  if (message !== 'more') parentPort.postMessage({ kind: 'found', found: null, count: 2 })
  else {
    parentPort.postMessage({ kind: 'items', items: [1] })
    process.exit()
  }
})
`

test('a thread that ends between two answers is not waited for, and the next job has another', async () => {
  const thread = new ReadingThread<string, null, number>({
    program: new URL(`data:text/javascript,${encodeURIComponent(ENDS_EARLY)}`),
    name: 'ends early',
    memory: 64,
    sizeOf: ({ length }) => length,
    refusal: (job, reason) => new Error(`${job} ${reason}`),
  })
  for (const job of ['one', 'other'])
    await assert.rejects(thread.read(job), { message: `${job} takes too long to read` })
})
