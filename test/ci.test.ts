import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { testFolder } from '../src/storage/testing.ts'
import { skipWithout } from './support/missing.ts'

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
    assert.match(error.stderr ?? '', /^Tests need programs that are not installed\. .* nginx\b.*systemd\b.*chromium\n$/)
    return true
  })
})

test('every test file that the runner names is there', () => {
  const root = join(import.meta.dirname, '..')
  const runner = readFileSync(join(root, 'scripts/test.js'), 'utf8')
  const named = [...runner.matchAll(/^ {2}'(\S+\.test\.ts)',$/gm)].map(([, path]) => path ?? '')
  assert.ok(named.length > 10)
  assert.deepEqual(
    named.filter((path) => !existsSync(join(root, path))),
    [],
  )
})
