import assert from 'node:assert/strict'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { testFolder } from '../../../test/support/test-storage.ts'
import { runProgram } from './postgres-programs.ts'

/** A program that says these lines and fails. */
function failing(t: TestContext, ...lines: readonly string[]) {
  const path = join(testFolder(t), 'pg_restore')
  writeFileSync(path, ['#!/bin/sh', "cat >&2 <<'END'", ...lines, 'END', 'exit 1', ''].join('\n'))
  chmodSync(path, 0o755)
  return { path, version: 15 }
}

test('a program that fails is the error of its caller, with the reason and not the statement after it', async (t) => {
  const program = failing(
    t,
    'pg_restore: error: could not execute query: ERROR:  permission denied to create extension "one"',
    'HINT:  Must have CREATE privilege on current database to create this extension.',
    'Command was: CREATE EXTENSION one;',
    '',
  )
  const reason = `${program.path}: could not execute query: ERROR:  permission denied to create extension "one"`
  for (const failure of ['restore_failed', 'backup_failed'] as const)
    await assert.rejects(runProgram(program, [], { env: process.env, failure }), { code: failure, slots: { reason } })
})

test('of a program that gives no reason the last line is told, or that it was ended', async (t) => {
  const how = { env: process.env, failure: 'restore_failed' } as const
  await assert.rejects(runProgram(failing(t, 'one', 'two', ''), [], how), /pg_restore: two$/)
  await assert.rejects(runProgram(failing(t), [], how), /pg_restore: it was ended$/)
})
