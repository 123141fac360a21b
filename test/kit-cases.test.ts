import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Correction, correctedCases } from '../scripts/kit-cases.ts'

const KIT = join(import.meta.dirname, 'conformance')

/** What the corrected cases send for the date: each sends these seconds, and no other. */
const SENT = { start: 1925000000, end: 1925003600 }

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'kalends-kit-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('every erratum is what the calendar says of the seconds that its case sends', () => {
  const { corrections } = JSON.parse(readFileSync(join(KIT, 'errata.json'), 'utf8')) as { corrections: Correction[] }
  assert.equal(corrections.length, 8)
  for (const { id, path, right } of corrections) {
    const seconds = path.includes('end') ? SENT.end : SENT.start
    // The zone of the event: UTC in the update case and in the utc members, else Rome, an hour ahead in January.
    const offset = path.startsWith('utc') || id === 'x-date-number-update' ? 0 : 3600
    assert.equal(
      right,
      new Date((seconds + offset) * 1000).toISOString().slice(0, 19).replace('T', ' '),
      `${id} ${path}`,
    )
  }
})

test('the errata change nothing of the kit but the values that they name', (t) => {
  const { corrections } = JSON.parse(readFileSync(join(KIT, 'errata.json'), 'utf8')) as { corrections: Correction[] }
  const corrected = correctedCases(KIT, folderOf(t))
  let differing = 0
  for (const name of readdirSync(join(KIT, 'cases'))) {
    const before = JSON.stringify(JSON.parse(readFileSync(join(KIT, 'cases', name), 'utf8')), undefined, 0).split(
      /(?=")/,
    )
    const after = readFileSync(join(corrected, name), 'utf8').split(/(?=")/)
    assert.equal(after.length, before.length, name)
    differing += after.filter((part, index) => part !== before[index]).length
  }
  assert.equal(differing, corrections.length)
})

test('an erratum that fits no expectation any more is refused', (t) => {
  const kit = folderOf(t)
  mkdirSync(join(kit, 'cases'))
  writeFileSync(
    join(kit, 'cases/one.json'),
    JSON.stringify([{ id: 'a', steps: [{ expect: { body: [['x', 'eq', 2]] } }] }]),
  )
  writeFileSync(
    join(kit, 'errata.json'),
    JSON.stringify({ corrections: [{ id: 'a', path: 'x', printed: 1, right: 2 }] }),
  )
  assert.throws(() => correctedCases(kit, folderOf(t)), /erratum of a x fits no expectation/)
})
