import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { skipWithout } from './support/missing.ts'
import { testFolder } from './support/test-storage.ts'

const ROOT = join(import.meta.dirname, '..')

test('a test that lacks a program is skipped with a reason, and an error in CI', (t) => {
  const before = process.env['CI']
  t.after(() => {
    if (before === undefined) delete process.env['CI']
    else process.env['CI'] = before
  })
  delete process.env['CI']
  assert.equal(skipWithout(true, 'a loom'), false)
  assert.equal(skipWithout(false, 'a loom'), 'needs a loom')
  process.env['CI'] = '1'
  assert.equal(skipWithout(true, 'a loom'), false)
  assert.throws(() => skipWithout(false, 'a loom'), /nothing is skipped in CI: tests here need a loom/)
})

test('programs that tests need and nobody can install are a failure that names them', async (t) => {
  const folder = testFolder(t)
  await symlink('/bin/bash', join(folder, 'bash'))
  const tools = promisify(execFile)('/bin/bash', [join(ROOT, '.ci/tools')], { env: { PATH: folder } })
  await assert.rejects(tools, (error: { code?: number; stderr?: string }) => {
    assert.equal(error.code, 1)
    assert.match(
      error.stderr ?? '',
      /^Tests need programs that are not installed\. .* nginx\b.*systemd\b.*chromium-headless-shell( python3-dateutil python3-recurring-ical-events)?\n$/,
    )
    return true
  })
})

/** Test files of every suffix, each with a test of its name; one works for longer than quick files may. */
const FILES = ['quick', 'both.engine', 'journey.e2e', 'kills.engine.e2e', 'long.nightly']
const BUSY = `
import { test } from 'node:test'
test('busy', () => {
  for (const started = process.cpuUsage(); process.cpuUsage(started).user < 9e6; ) for (let n = 0; n < 1e6; n += 1);
})
`

/** What a run in a folder with such files prints in the end, and how it ends. */
async function run(t: TestContext, files: Readonly<Record<string, string>>, ...parameters: readonly string[]) {
  const folder = testFolder(t)
  mkdirSync(join(folder, 'test'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, 'test', `${name}.test.ts`), text)
  const { NODE_TEST_CONTEXT: _ours, KALENDS_TEST_POSTGRES: _theirs, ...env } = process.env
  const runner = [join(ROOT, 'scripts/test.js'), ...parameters]
  return promisify(execFile)(process.execPath, runner, { cwd: folder, env }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { code: number; stdout: string }) => error,
  )
}

const NAMED = Object.fromEntries(
  FILES.map((name) => [name, `import { test } from 'node:test'\ntest('ran ${name}', () => undefined)\n`]),
)

for (const [parameters, ran] of [
  [[], ['both.engine', 'quick']],
  [['--tier=e2e'], ['journey.e2e', 'kills.engine.e2e']],
  [['--tier=e2e,nightly'], ['journey.e2e', 'kills.engine.e2e', 'long.nightly']],
  [
    ['test/long.nightly.test.ts', 'test/quick.test.ts'],
    ['long.nightly', 'quick'],
  ],
] as const)
  test(`the suffix of a test says when it runs: npm test ${parameters.join(' ')}`, async (t) => {
    const { code, stdout } = await run(t, NAMED, ...parameters)
    assert.deepEqual(Array.from(stdout.matchAll(/ran ([\w.]+)/g), ([, name]) => name).sort(), ran)
    assert.equal(code, 0)
    assert.match(stdout, new RegExp(`\n${ran.length} passed, 0 failed, 0 skipped\n$`))
  })

test('a quick file that takes too much processor time fails, and is named', async (t) => {
  const { code, stdout } = await run(t, { busy: BUSY, ...NAMED })
  assert.equal(code, 1)
  assert.match(stdout, /^failed with SQLite: test\/busy\.test\.ts takes \d+\.\d s of processor time$/m)
  assert.match(stdout, /\n3 passed, 1 failed, 0 skipped\n$/)
})

test('a test that fails, and a process that dies, are failures of the run', async (t) => {
  const failing = "import { test } from 'node:test'\ntest('fails', () => { throw new Error('for a reason') })\n"
  const dying = "import { test } from 'node:test'\ntest('dies', () => process.kill(process.pid, 'SIGKILL'))\n"
  const { code, stdout } = await run(t, { failing, 'dying.e2e': dying }, 'test')
  assert.equal(code, 1)
  assert.match(stdout, /^failed with SQLite: test\/failing\.test\.ts: fails\nError: for a reason$/m)
  assert.match(stdout, /^failed with SQLite: test\/dying\.e2e\.test\.ts ended with SIGKILL$/m)
  assert.match(stdout, /\n0 passed, 2 failed, 0 skipped\n$/)
})
