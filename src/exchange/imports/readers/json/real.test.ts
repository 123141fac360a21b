import assert from 'node:assert/strict'
import { existsSync, globSync } from 'node:fs'
import test from 'node:test'
import { openTestApp } from '../../../../../test/support/app.ts'
import { assertSameEvent, eventsIn, fileAt, importFiles } from '../../../../../test/support/json-import.ts'
import { headSeq } from '../../../../storage/journal/read.ts'

// Answers of real sites, which are not part of this repository: `recorded/*.json` in a folder beside it.
const FOLDER = new URL('../../../../../../shared/data/recorded/', import.meta.url)
const FILES = existsSync(FOLDER)
  ? globSync('*.json', { cwd: FOLDER })
      .sort()
      .map((name) => fileAt(new URL(encodeURIComponent(name), FOLDER)))
  : []

test('every event of real recorded answers reads back as it was recorded', async (t) => {
  if (FILES.length === 0) return t.diagnostic('there are no real recorded answers here: nothing was compared')
  const app = await openTestApp(t)
  const report = await importFiles(app, FILES)
  assert.deepEqual([report.updated, report.unchanged, report.skipped], [0, 0, []])
  let compared = 0
  for (const recorded of FILES.flatMap(eventsIn)) {
    const { status, body } = await app.call('anonymous', 'GET', `/events/${recorded.id}`)
    assert.equal(status, 200)
    assert.equal(body.date_utc, recorded.date_utc)
    assertSameEvent(body, recorded)
    compared += 1
  }
  t.diagnostic(`${compared} events compared`)
})

test('importing real recorded answers twice changes nothing', async (t) => {
  if (FILES.length === 0) return t.diagnostic('there are no real recorded answers here: nothing was imported')
  const app = await openTestApp(t)
  const { created } = await importFiles(app, FILES)
  const before = await headSeq(app.app.storage)
  const { counts, notes, ...again } = await importFiles(app, FILES)
  assert.deepEqual(again, { created: 0, updated: 0, unchanged: created, skipped: [] })
  // Some sites got times in UTC wrong.
  assert.ok(notes.every(({ why }) => why.startsWith('import.note.otherUtc?')))
  assert.equal(counts.event.unchanged + counts.category.unchanged > 0, true)
  assert.equal(await headSeq(app.app.storage), before)
})
