import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { contentOf, exported, imported, placeOn } from '../../../test/support/exports.ts'
import { testFolder } from '../../../test/support/test-storage.ts'
import { lastOfEach, provenanceFrom } from './former-tables.ts'

const FORMAT_1 = fileURLToPath(new URL('../../../test/fixtures/export-format-1', import.meta.url))

test('what former versions kept of imports in three tables is one', async (t) => {
  const place = await placeOn('sqlite', t)
  await imported(place, FORMAT_1)
  const folder = join(testFolder(t), 'again')
  await exported(place, folder, true)
  const rows = (contentOf(folder).get('tables/provenance.jsonl') ?? '').trim().split('\n')
  const found = rows.map((row) => JSON.parse(row)).map(({ digest: _, ...row }) => row)
  assert.deepEqual(
    found.map(({ external_id, ...row }) => ({ ...row, external_id: String(external_id).replace(/:\d+\//, '/') })),
    [
      { origin: 'calendars', kind: 'picture', external_id: 'http://127.0.0.1/p.png', item_id: 31, is_gone: 0 },
      { origin: 'entry 30', kind: 'lineage', external_id: 'first.example?id=7', item_id: 30, is_gone: 0 },
      { origin: 'entry 30', kind: 'lineage', external_id: 'harbour.example?id=9', item_id: 30, is_gone: 0 },
      { origin: 'entry 32', kind: 'lineage', external_id: 'UID:talk', item_id: 32, is_gone: 0 },
      { origin: 'subscription 1', kind: 'uid', external_id: 'UID:talk', item_id: 32, is_gone: 0 },
    ],
  )
})

test('of two events that had one name in one origin the last counts', () => {
  const event = { source_id: 0, name: 'UID:a', said: '{}', is_gone: 2 }
  const rows = [4, 7].map((id) => provenanceFrom('source_event', { id, ...event }))
  const row = { origin: 'files', kind: 'uid', external_id: 'UID:a', item_id: 7, digest: '{}', is_gone: 2 }
  assert.deepEqual(lastOfEach(rows), [row])
})

test('an export that has a former table beside the table of provenance is imported', async (t) => {
  const place = await placeOn('sqlite', t)
  await imported(place, FORMAT_1)
  const folder = join(testFolder(t), 'between')
  await exported(place, folder, true)
  const tables = join(folder, 'tables')
  const lineage = `${JSON.stringify({ entry_id: 31, position: 0, global_id: 'old.example?id=3' })}\n`
  await writeFile(join(tables, 'entry_lineage.jsonl'), lineage)
  const header = JSON.parse(await readFile(join(folder, 'export.json'), 'utf8'))
  const sha256 = createHash('sha256').update(lineage).digest('hex')
  header.tables.push({ table: 'entry_lineage', rows: 1, bytes: lineage.length, sha256 })
  await writeFile(join(folder, 'export.json'), JSON.stringify(header))
  const next = await placeOn('sqlite', t)
  await imported(next, folder)
  const again = join(testFolder(t), 'again')
  await exported(next, again, true)
  const rows = (contentOf(again).get('tables/provenance.jsonl') ?? '').trim().split('\n')
  assert.ok(rows.some((row) => row.includes('old.example?id=3')))
  assert.equal(rows.length, 6)
})

test('a table that no version had is refused still', async (t) => {
  const folder = join(testFolder(t), 'odd')
  await cp(FORMAT_1, folder, { recursive: true })
  const header = join(folder, 'export.json')
  await writeFile(header, (await readFile(header, 'utf8')).replace('"imported_item"', '"imported_items"'))
  await assert.rejects(imported(await placeOn('sqlite', t), folder), /imported_items/)
})
