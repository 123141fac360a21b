import assert from 'node:assert/strict'
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { openBackups } from '../src/app/backups.ts'
import { readConfig } from '../src/base/config.ts'
import { openLongWork } from '../src/storage/jobs/index.ts'
import { openStorage } from '../src/storage/open.ts'
import { createPostgresDatabase, TEST_ENGINE } from './support/test-engine.ts'
import { testFolder } from './support/test-storage.ts'
import { eventually } from './support/webhook-receiver.ts'

const skip = TEST_ENGINE !== 'postgres' && 'SQLite is copied without another program'

/** A pg_dump that hangs for ever, and says under which number in a file. */
function hangingProgram(t: TestContext) {
  const folder = testFolder(t)
  const program = join(folder, 'pg_dump')
  const said = join(folder, 'number')
  const version = '[ "$1" = --version ] && echo "pg_dump (PostgreSQL) 99.0" && exit 0'
  writeFileSync(
    program,
    ['#!/bin/sh', version, `echo $$ > ${said}.new && mv ${said}.new ${said}`, 'exec sleep 100000', ''].join('\n'),
  )
  chmodSync(program, 0o755)
  const number = (): number => (existsSync(said) ? Number(readFileSync(said, 'utf8')) : 0)
  return { env: { ...process.env, PATH: `${folder}:${process.env['PATH']}` }, number }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // What has ended and was not waited for is still listed.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Backups of an empty calendar with a pg_dump that hangs. */
async function open(t: TestContext, stillness?: number) {
  const { env, number } = hangingProgram(t)
  const database = await createPostgresDatabase('all tables')
  const config = readConfig({ data: testFolder(t), database }, {})
  const storage = await openStorage({ database })
  const longWork = openLongWork({ storage, now: Date.now, report: () => undefined })
  t.after(async () => {
    await longWork.close()
    await storage.close()
  })
  const backups = openBackups({ config, env, longWork, now: Date.now, ...(stillness !== undefined && { stillness }) })
  assert.equal(await backups.start({ id: 1, name: 'ada' }), true)
  const latest = () => longWork.latest('backup')
  const leftovers = () =>
    (existsSync(backups.folder) ? readdirSync(backups.folder) : []).filter((name) => /\d\.partial$/.test(name))
  return { longWork, number, latest, leftovers, isOver: async () => (await latest())?.state !== 'running' }
}

test('a backup whose program hangs can be stopped, and the program ends and leaves nothing', { skip }, async (t) => {
  const { longWork, number, latest, isOver, leftovers } = await open(t)
  await eventually('pg_dump', () => number() > 0)
  const pid = number()
  assert.ok(isAlive(pid))
  assert.equal(leftovers().length, 1)
  await longWork.stop((await latest())?.id ?? 0)
  await eventually('the end of the backup', isOver)
  assert.equal((await latest())?.state, 'stopped')
  await eventually('the end of the program', () => !isAlive(pid))
  await eventually('the end of what it has written', () => leftovers().length === 0)
})

test('a backup in which nothing moves any more is ended, and says so', { skip }, async (t) => {
  const { number, latest, isOver } = await open(t, 1_000)
  await eventually('the end of the backup', isOver)
  const { state, problem } = (await latest()) ?? {}
  assert.deepEqual([state, problem?.slots['reason']], ['failed', 'nothing has moved for 1 seconds'])
  // On a busy machine the program may not even have begun.
  await eventually('the end of the program', () => number() === 0 || !isAlive(number()))
})
