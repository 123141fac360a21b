import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { testFolder } from '../test/support/test-storage.ts'
import { recordCreates, repeatCreates, settle } from './bare-creates.ts'
import { copyOf, seededFolder } from './data.ts'
import { creates } from './workloads.ts'

for (const [name, clients] of [
  ['creates that share commits', 4],
  ['creates one by one', 1],
] as const)
  test(`what was recorded of ${name} has the same effect in a copy of their calendar, in every table`, (t) =>
    checkEffect(t, clients))

async function checkEffect(t: TestContext, clients: number): Promise<void> {
  process.env['KALENDS_BENCH_DATA'] = testFolder(t)
  const ground = await seededFolder(40, Date.UTC(2026, 10, 20))
  await settle(ground.path)
  const [recorded, repeated] = [await copyOf(ground), await copyOf(ground)]
  const { authorization } = ground
  const where = {
    base: '/cal/events/v1',
    authorization,
    ids: [],
    slugs: [],
    category: undefined,
    venue: undefined,
    venues: [],
  }
  const requests = creates({ ...where, today: '2026-11-20' }, 10)
  const recording = await recordCreates(recorded.path, requests, clients)
  const bare = repeatCreates(join(repeated.path, 'kalends.db'), recording, { seconds: 600, clients: 4 })
  assert.equal(bare.creates, 10)
  const [one, other, before] = [recorded, repeated, ground].map(({ path }) => tablesOf(path))
  assert.deepEqual(other, one)
  assert.equal(one?.get('event')?.length, (before?.get('event')?.length ?? 0) + 10)
}

/** The rows of every table as JSON, by its name. */
function tablesOf(folder: string): ReadonlyMap<string, readonly string[]> {
  const database = new DatabaseSync(join(folder, 'kalends.db'), { readOnly: true })
  const tables = database.prepare(
    `select name from sqlite_schema where type = 'table' and name not like 'entry_text_%'`,
  )
  const rows = tables.all().map(({ name }): [string, string[]] => {
    const all = database.prepare(`select * from "${name}"`).all()
    return [String(name), all.map((row) => JSON.stringify(row)).sort()]
  })
  database.close()
  return new Map(rows)
}
