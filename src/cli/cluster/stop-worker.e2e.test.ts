import assert from 'node:assert/strict'
import cluster from 'node:cluster'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { testFolder } from '../../../test/support/test-storage.ts'
import { stopWorker } from './stop-worker.ts'

test('a worker that does not end when it is asked to is killed', async (t) => {
  const exec = join(testFolder(t), 'deaf.js')
  writeFileSync(exec, `process.on('message', (word) => word === 'end' && process.exit(7)); process.send('here')`)
  cluster.setupPrimary({ exec, args: [], execArgv: [] })
  const [willing, deaf] = [cluster.fork(), cluster.fork()]
  t.after(() => deaf.process.kill('SIGKILL'))
  await Promise.all([once(willing, 'message'), once(deaf, 'message')])
  const ended = once(willing, 'exit')
  willing.send('end')
  await Promise.all([ended, stopWorker(willing, 60_000)])
  assert.equal(willing.process.exitCode, 7)
  await stopWorker(deaf, 50)
  assert.equal(deaf.process.signalCode, 'SIGKILL')
})
