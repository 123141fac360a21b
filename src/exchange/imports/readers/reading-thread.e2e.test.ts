import assert from 'node:assert/strict'
import test from 'node:test'
import { ReadingThread } from './reading.ts'

/** A thread that ends with its first items, of which it has more. */
const ENDS_EARLY = `
import { parentPort } from 'node:worker_threads'
parentPort.on('message', (message) => {
  if (message === 'more') process.exit()
  parentPort.postMessage({ kind: 'items', list: 0, items: [1] })
})
`

test('a thread that ends between two answers is not waited for, and the next job has another', async () => {
  const thread = new ReadingThread(64, new URL(`data:text/javascript,${encodeURIComponent(ENDS_EARLY)}`))
  for (const name of ['one', 'other']) {
    const job = { kind: 'recorded', files: [{ name, bytes: Buffer.alloc(0) }] } as const
    await assert.rejects(thread.read(job), {
      code: 'recorded_not_usable',
      slots: { place: name, reason: 'import.problem.tooMuchTime' },
    })
  }
})
