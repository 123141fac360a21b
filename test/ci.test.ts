// SQLite alone: no database takes part.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { isAlone, placeOf, selectionOf, stagesOf } from '../scripts/test-files.ts'
import { skipWithout } from './support/missing.ts'
import { testFolder } from './support/test-storage.ts'

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
  const tools = promisify(execFile)('/bin/bash', [join(import.meta.dirname, '../.ci/tools')], { env: { PATH: folder } })
  await assert.rejects(tools, (error: { code?: number; stderr?: string }) => {
    assert.equal(error.code, 1)
    assert.match(
      error.stderr ?? '',
      /^Tests need programs that are not installed\. .* nginx\b.*systemd\b.*chromium-headless-shell( python3-dateutil python3-recurring-ical-events)?\n$/,
    )
    return true
  })
})

test('every test file that the runner or CI names is there', () => {
  const root = join(import.meta.dirname, '..')
  const files = globSync('{src,test}/**/*.test.ts', { cwd: root })
  const runner = readFileSync(join(root, 'scripts/test-files.ts'), 'utf8')
  const ci = readFileSync(join(root, '.ci/run'), 'utf8')
  const named = [
    ...[...runner.matchAll(/^ {2}'((?:src|test)\/\S+)',$/gm)].map(([, begin]) => begin ?? ''),
    ...(ci.match(/\b(?:src|test)\/[\w/-]+\.test\.ts\b/g) ?? []),
  ]
  assert.ok(named.length > 40)
  assert.deepEqual(
    named.filter((begin) => !files.some((path) => path.startsWith(begin))),
    [],
  )
})

/** Test files as they say at their top how they are run. */
const SAYING = new Map([
  ['test/both.test.ts', "import { openTestApp } from './support/app.ts'\n"],
  ['test/one.test.ts', "// One engine: a reason.\nimport { openTestApp } from './support/app.ts'\n"],
  ['test/alone.test.ts', "// SQLite alone: a reason.\nimport { openTestApp } from './support/app.ts'\n"],
  ['test/long.test.ts', "// Only with --all: a reason.\nimport { kalends } from './support/server.ts'\n"],
  ['test/pure.test.ts', 'for (const one of [1, 2]) test(one)\n'],
])
const NAMES = [...SAYING.keys()]
const LONG = 'test/long.test.ts'

test('a run leaves out what says that it takes long, and repeats with PostgreSQL what it can change', () => {
  const usual = selectionOf(SAYING, { isAll: false, isNamed: false })
  assert.deepEqual(usual, {
    chosen: NAMES.filter((path) => path !== LONG),
    again: ['test/both.test.ts'],
    once: ['test/one.test.ts'],
    left: [LONG],
  })
  const named = selectionOf(SAYING, { isAll: false, isNamed: true })
  assert.deepEqual([named.chosen, named.left], [NAMES, []])
  const all = selectionOf(SAYING, { isAll: true, isNamed: false })
  assert.deepEqual(all, { chosen: NAMES, again: ['test/both.test.ts', 'test/one.test.ts', LONG], once: [], left: [] })
  const both = selectionOf(SAYING, { isAll: true, isNamed: false, engine: 'both' })
  assert.deepEqual(both, { ...all, again: ['test/both.test.ts', LONG], once: ['test/one.test.ts'] })
})

test('what takes minutes is not repeated with PostgreSQL unless it is named, or PostgreSQL is', () => {
  const lasting = new Map([['test/sessions.test.ts', "import { startServer } from './support/server.ts'\n"]])
  const again = (asked: object) => selectionOf(lasting, { isAll: false, isNamed: false, ...asked }).again
  assert.deepEqual(again({}), [])
  for (const asked of [{ isNamed: true }, { engine: 'postgres' }, { isAll: true }])
    assert.deepEqual(again(asked), ['test/sessions.test.ts'])
})

test('files that start programs have a process of their own, and the slowest begin first', () => {
  assert.ok(isAlone("import { kalends } from './support/server.ts'"))
  assert.ok(!isAlone("import { openTestApp } from './support/app.ts'"))
  const works = [['test/pure.test.ts'], ['test/a.test.ts', 'test/b.test.ts'], ['test/backup.test.ts']]
  const order = works.map((paths) => ({ paths })).sort((one, other) => placeOf(one) - placeOf(other))
  assert.deepEqual(
    order.map(({ paths }) => paths.length),
    [1, 2, 1],
  )
  assert.equal(order[0]?.paths[0], 'test/backup.test.ts')
})

test('what every run has begins first, then a half of the rest that the seed draws, then the other half', () => {
  const paths = Array.from({ length: 100 }, (_none, number) => `test/${number}.test.ts`)
  const first = ['test/3.test.ts', 'test/1.test.ts', 'test/elsewhere.test.ts']
  const [every, drawn = [], others = []] = stagesOf(paths, { first, seed: '7' })
  assert.deepEqual(every, ['test/1.test.ts', 'test/3.test.ts'])
  assert.deepEqual([...drawn, ...others].sort(), paths.filter((path) => !first.includes(path)).sort())
  assert.ok(drawn.length > 30 && others.length > 30)
  assert.deepEqual(stagesOf(paths, { first, seed: '7' })[1], drawn)
  assert.notDeepEqual(stagesOf(paths, { first, seed: '8' })[1], drawn)
})

test('what does not begin in time is named, and what every run has runs nevertheless', async () => {
  const root = join(import.meta.dirname, '..')
  const { NODE_TEST_CONTEXT: _ours, ...env } = process.env
  const run = promisify(execFile)(
    process.execPath,
    [
      'scripts/test.js',
      '--all',
      '--engine=sqlite',
      '--begin-within=0',
      'src/base/time/ranges.test.ts',
      'src/cli/npm-flags.test.ts',
    ],
    { cwd: root, env },
  )
  const { stdout } = await run
  assert.match(stdout, /^not begun in time with SQLite: src\/cli\/npm-flags\.test\.ts$/m)
  assert.match(stdout, /\n[1-9]\d* passed, 0 failed, 0 skipped\n$/)
})
