import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { EngineName } from '../src/storage/engine.ts'
import { TABLES } from '../src/storage/export/tables.ts'
import { openSnapshot } from '../src/storage/snapshot.ts'
import { openTestApp } from './support/app.ts'
import { openEverything } from './support/everything.ts'
import { contentOf, exported, imported, placeOn } from './support/exports.ts'
import { rowsOf } from './support/storage.ts'
import { TEST_ENGINE } from './support/test-engine.ts'
import { openTestStorage, testFolder } from './support/test-storage.ts'

/*
 * Nothing is missing from an export: from a file to PostgreSQL and back in the run on PostgreSQL, else into another file.
 */

const OTHER: EngineName = TEST_ENGINE === 'sqlite' ? 'sqlite' : 'postgres'

test('export, import and export again gives the same files, whatever the engine', { timeout: 240_000 }, async (t) => {
  const first = await placeOn('sqlite', t)
  const app = await openEverything(t, first)
  const folders = ['one', 'two', 'three'].map((name) => join(testFolder(t), `${name} "x"\ny`)) as [
    string,
    string,
    string,
  ]
  const report = await exported(first, folders[0], true)
  assert.equal(report.pictures > 1, true)
  const { tables } = JSON.parse(readFileSync(join(folders[0], 'export.json'), 'utf8'))
  const empty = tables.filter(({ rows }: { rows: number }) => rows === 0)
  assert.deepEqual(empty, [], 'a table that a calendar fills is filled here, too')
  const second = await placeOn(OTHER, t)
  const { rows, journal } = await imported(second, folders[0])
  assert.deepEqual({ rows, journal }, { rows: report.rows, journal: report.journal })
  await exported(second, folders[1], true)
  const third = await placeOn('sqlite', t)
  await imported(third, folders[1])
  await exported(third, folders[2], true)
  const [one, ...others] = folders.map(contentOf)
  assert.ok(one !== undefined && one.size > TABLES.length)
  for (const other of others) assert.deepEqual(other, one)
  // Passwords work with the key that came along, and the journal goes on where it ended.
  const again = await openTestApp(t, { ...second, siteZone: 'Europe/Berlin' })
  const tag = await fetch(`${again.origin}/cal/events/v1/tags`, {
    method: 'POST',
    headers: { authorization: app.authorization('editor'), 'content-type': 'application/json' },
    body: '{"name":"made in the copy"}',
  })
  assert.equal(tag.status, 201, await tag.text())
  const [event] = (await app.call('anonymous', 'GET', '/events')).body.events
  const snapshot = await openSnapshot(second.database)
  const [row] = await rowsOf(snapshot, 'select title from event where id = ?', event.id)
  await snapshot.close()
  assert.equal(row?.['title'], event.title)
})

/** What the engines and the program keep beside the tables of the model: what was migrated, and indexes of words. */
const NOT_OF_THE_MODEL = /^(?:migration|sqlite_.*|(?:entry_text|entry_word)_fts.*|known_word.*)$/

test('an export knows every table that the migrations make', async (t) => {
  const storage = await openTestStorage(TEST_ENGINE, t)
  const found = await rowsOf(
    storage,
    storage.engine === 'sqlite'
      ? `select name from sqlite_master where type = 'table'`
      : 'select table_name as name from information_schema.tables where table_schema = current_schema()',
  )
  const names = found.map(({ name }) => String(name)).filter((name) => !NOT_OF_THE_MODEL.test(name))
  assert.deepEqual(names.sort(), [...TABLES].sort())
})
