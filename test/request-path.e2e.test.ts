import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { enteredFiles } from '../scripts/tracing/entered-files.ts'
import { JOURNEYS, prepare } from '../scripts/tracing/journeys.ts'
import { openTestApp } from './support/app.ts'

const SOURCES = join(import.meta.dirname, '../src')

/** The most files that a request may enter; `npm run trace -- NAME` shows them in order. */
const MOST = [
  ['cold-list', 40],
  ['event-page', 80],
  ['POST', 90],
] as const

/** How often a request is sent again: other tests share the process, and what their servers do meanwhile is counted, too. */
const ATTEMPTS = 3

for (const [name, most] of MOST)
  test(`a request enters at most ${most} files: ${name}`, async (t) => {
    const journey = JOURNEYS.find((one) => one.name === name)
    if (journey === undefined) throw new Error(`nothing traces ${name}`)
    let files: readonly string[] = []
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const app = await openTestApp(t)
      files = await enteredFiles(SOURCES, await prepare(app, journey))
      assert.ok(files.length > 20, `only ${files.length} files were counted`)
      if (files.length <= most) return
    }
    assert.fail(`${files.length} files:\n${files.join('\n')}`)
  })
