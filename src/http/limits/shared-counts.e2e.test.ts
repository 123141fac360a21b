import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'

/** A worker whose limit is changed often, there and back; it sends how many listen to its supervisor. */
const WORKER = `
const { openSharedCounts } = await import(process.argv[2])
const countsFor = await openSharedCounts()
for (let turn = 0; turn < 100; turn += 1) countsFor({ name: 'reads', count: 600 + turn, seconds: 60 + (turn % 2) })
process.send({ listening: process.listenerCount('message') })
`

test('however often a limit changes, a worker listens for few of them', { timeout: 120_000 }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'kalends-counts-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const script = join(folder, 'worker.mjs')
  await writeFile(script, WORKER)
  const { NODE_TEST_CONTEXT: _own, ...env } = process.env
  const worker = fork(script, [new URL('shared-counts.ts', import.meta.url).href], { execArgv: [], env })
  t.after(() => worker.kill())
  const listening = await new Promise((resolve, reject) => {
    worker.on('message', (message: object) => 'listening' in message && resolve(message.listening))
    worker.once('exit', () => reject(new Error('the worker ended')))
  })
  assert.equal(listening, 2)
})
