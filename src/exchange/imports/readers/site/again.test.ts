import assert from 'node:assert/strict'
import test from 'node:test'
import { openTestApp } from '../../../../../test/support/app.ts'
import { openMadeSite } from '../../../../../test/support/made-site.ts'
import { importMade, madeEvent, madeEvents } from '../../../../../test/support/site-import.ts'
import type { Storage, Transaction } from '../../../../storage/engine.ts'

test('what has not changed costs no write', async (t) => {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  const { storage } = app.app
  site.content.events = madeEvents(60)
  await importMade(app, site)
  const { write } = storage
  const statements: string[] = []
  const noting: Storage['write'] = (job, pace) =>
    write((tx) => {
      const run: Transaction['run'] = (query) => {
        statements.push(query.compile().sql)
        return tx.run(query)
      }
      return job(Object.create(tx, { run: { value: run } }))
    }, pace)
  t.mock.method(storage, 'write', noting)
  const { counts } = await importMade(app, site)
  assert.deepEqual(counts.event, { found: 60, created: 0, updated: 0, unchanged: 60 })
  // The import itself is noted in the administration.
  assert.deepEqual(
    statements.filter((sql) => !/"(?:long_work|meta|counter)"/.test(sql)),
    [],
  )
  site.content.events[3] = madeEvent(1003, { title: 'Changed' })
  await importMade(app, site)
  assert.ok(statements.some((sql) => sql.includes('"provenance"')))
})
