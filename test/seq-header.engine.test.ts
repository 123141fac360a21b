import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openApp } from '../src/app/app.ts'
import { readConfig } from '../src/base/config.ts'
import { createLog } from '../src/base/log.ts'
import { openTestApp } from './support/app.ts'
import { TEST_ENGINE } from './support/test-engine.ts'
import { testDatabase, testFolder } from './support/test-storage.ts'

/*
 * Answers to writes carry the number of the journal (architecture: Growing). Whoever sends it back with a read is
 * answered from a state that holds the write, also by a process that has not heard of it yet.
 */

const database = await testDatabase(TEST_ENGINE, { after })
const [data, other] = [testFolder({ after }), testFolder({ after })]
const { call, clock } = await openTestApp({ after }, { data, database, secret: 'x'.repeat(32) })

/** A second process on the same calendar. */
async function openNeighbour(): Promise<string> {
  const now = (): number => clock.now
  const config = readConfig({ port: '0', data: other, database, secret: 'x'.repeat(32) }, {})
  const app = await openApp(config, { now, log: createLog({ level: 'silent', now }), role: 'serve' })
  after(() => app.close())
  return (await app.listen()).addresses[0] ?? ''
}

test('a read that sends the number back sees the write in any process, in the list and in its total', async () => {
  // A file has one server, which reads what it wrote.
  const origin = TEST_ENGINE === 'postgres' ? await openNeighbour() : undefined
  const list = `${origin ?? ''}${origin === undefined ? '' : '/cal/events/v1'}/tags?hide_empty=false`
  for (let number = 1; number <= 40; number += 1) {
    await call('anonymous', 'GET', list)
    const made = await call('editor', 'POST', '/tags', { json: { name: `tag ${number}` } })
    const headers = { 'x-kalends-seq': made.headers.get('x-kalends-seq') ?? '' }
    assert.match(headers['x-kalends-seq'], /^\d+$/)
    const { body } = await call('anonymous', 'GET', list, { headers })
    assert.equal(body.total, number)
  }
})

test('a number that nobody has reached, and text that is none, are read as if they were not there', async () => {
  for (const seq of ['999999999999999', '-1', '1e9', 'x', '']) {
    const { status } = await call('anonymous', 'GET', '/tags', { headers: { 'x-kalends-seq': seq } })
    assert.equal(status, 200, seq)
  }
})
