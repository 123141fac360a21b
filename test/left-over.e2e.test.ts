import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { testFolder } from './support/test-storage.ts'

const SUPPORT = new URL('./support/server.ts', import.meta.url).href
const REPORTER = join(import.meta.dirname, '..', 'scripts', 'count-reporter.js')

// What Node makes of files in temporary folders is not kept among what it has made of ours.
delete process.env['NODE_COMPILE_CACHE']

/** Starts a server in a folder of its own and forgets both. */
const FORGETFUL = `
import { test } from 'node:test'
import { startServer } from ${JSON.stringify(SUPPORT)}
test('is well', () => undefined)
test('forgets its server', async () => {
  console.log('pid', (await startServer(process.env.FOLDER)).child.pid)
})
`

test('a server that a test has left over fails its file and does not hold the run', async (t) => {
  const folder = testFolder(t)
  const file = join(folder, 'forgetful.test.mjs')
  const numbers = join(folder, 'numbers')
  writeFileSync(file, FORGETFUL)
  const reporters = ['spec', REPORTER].map((name) => `--test-reporter=${name}`)
  const destinations = ['stdout', numbers].map((name) => `--test-reporter-destination=${name}`)
  // The runner takes itself for a file of another one by this variable, and for one of the run on PostgreSQL by the next.
  const env = { ...process.env, FOLDER: folder, NODE_TEST_CONTEXT: undefined, KALENDS_TEST_POSTGRES: undefined }
  const runner = spawn(process.execPath, ['--test', ...reporters, ...destinations, file], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => runner.kill('SIGKILL'))
  const [said, [code]] = await Promise.all([text(runner.stdout), once(runner, 'exit')])
  assert.equal(code, 1)
  assert.ok(said.includes(`servers were left over and killed: ${folder}`), said)
  const pid = Number(/pid (\d+)/.exec(said)?.[1])
  assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
  const lines = readFileSync(numbers, 'utf8').trimEnd().split('\n')
  const { passed, failed } = JSON.parse(lines[0] ?? '')
  assert.deepEqual({ passed, failed }, { passed: 1, failed: 0 }, 'what is broken off has counted until then')
  assert.equal(JSON.parse(lines.at(-1) ?? '').passed, 2)
})
