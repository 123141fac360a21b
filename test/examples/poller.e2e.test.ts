import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { openTestApp } from '../support/app.ts'
import { atEnd } from '../support/at-end.ts'
import { runPython, skipWithoutPython } from '../support/python.ts'
import { openRelay } from '../support/relay.ts'
import { testFolder } from '../support/test-storage.ts'

const SCRIPT = join(import.meta.dirname, '../../examples/poller/poller.py')
const skip = skipWithoutPython()
const HOUR = 3_600_000

/** A calendar at the time of the clock of this machine, which the script reads, behind a relay. */
async function open(t: TestContext) {
  const app = await openTestApp(t, { siteZone: 'UTC' })
  app.clock.now = Date.now()
  const relay = await openRelay(t, app.origin)
  const store = join(testFolder(t), 'poller.json')
  const words = (...more: readonly string[]): string[] => [SCRIPT, relay.origin, '--store', store, ...more]
  const poll = async (...more: readonly string[]) => {
    const asked = relay.requests.length
    const { code, stdout, stderr } = await runPython(words('--once', ...more))
    assert.equal(code, 0, stderr)
    assert.equal(stderr !== '', JSON.parse(stdout).stale === true && relay.requests.length > asked, stderr)
    return JSON.parse(stdout)
  }
  /** Creates an event from and to so many hours after now; its ID. */
  const add = async (title: string, [from, to]: readonly [number, number], more: object = {}): Promise<number> => {
    const [start_date, end_date] = [from, to].map((hours) => new Date(app.clock.now + hours * HOUR).toISOString())
    const json = { title, start_date, end_date, ...more }
    const { status, body } = await app.call('editor', 'POST', '/events', { json })
    assert.equal(status, 201, JSON.stringify(body))
    return body.id
  }
  return { app, relay, store, words, poll, add }
}

test('the current event is printed, else the next one, and none of those that do not take place', {
  skip,
}, async (t) => {
  const { app, relay, poll, add } = await open(t)
  assert.deepEqual(await poll(), { state: 'none' })
  await add('Gone', [-3, -1])
  await add('Canceled', [-1, 1], { event_status: 'canceled' })
  const id = await add('Tea & cake', [1, 2], { venue: { venue: 'Hall “Ost”' }, categories: ['Food'] })
  const next = await poll()
  assert.deepEqual(
    [next.state, next.id, next.title, next.venue, next.url],
    ['next', id, 'Tea & cake', 'Hall “Ost”', `${relay.origin}/event/tea-cake/`],
  )
  assert.equal(Date.parse(next.start), Math.floor((app.clock.now + HOUR) / 1000) * 1000)
  const now = await add('Now', [-1, 1])
  assert.deepEqual([(await poll()).state, (await poll()).id], ['current', now])
  assert.equal((await poll('--filter', 'categories=food')).id, id)
})

test('an unchanged calendar answers 304, also to a later run', { skip }, async (t) => {
  const { relay, store, poll, add } = await open(t)
  await add('Tea', [1, 2])
  const first = await poll()
  assert.deepEqual(await poll(), first)
  const [plain, conditional] = relay.requests
  const { etag } = JSON.parse(await readFile(store, 'utf8'))
  assert.deepEqual([plain?.headers['if-none-match'], conditional?.headers['if-none-match']], [undefined, etag])
  assert.deepEqual(relay.statuses, [200, 304])
  await add('Before tea', [0.5, 2])
  assert.equal((await poll()).title, 'Before tea')
})

test('a server that is away changes nothing, and Retry-After keeps later runs from asking', { skip }, async (t) => {
  const { relay, poll, add } = await open(t)
  await add('Tea', [1, 2])
  const first = await poll()
  relay.mishap = () => 'break'
  assert.deepEqual(await poll(), { ...first, stale: true })
  relay.mishap = () => ({ status: 200, headers: { 'content-length': '1000', connection: 'close' } })
  assert.deepEqual(await poll(), { ...first, stale: true })
  relay.mishap = () => ({ status: 200 })
  assert.deepEqual(await poll(), { ...first, stale: true })
  relay.mishap = () => ({ status: 429, headers: { 'retry-after': '600' } })
  assert.deepEqual(await poll(), { ...first, stale: true })
  relay.mishap = () => undefined
  assert.deepEqual(await poll(), { ...first, stale: true })
  assert.equal(relay.requests.length, 5)
})

test('Retry-After may be a date, and afterwards the calendar is read again', { skip }, async (t) => {
  const { relay, poll, add } = await open(t)
  await add('Tea', [1, 2])
  const header = new Date(Date.now() - 1000).toUTCString()
  relay.mishap = () => ({ status: 503, headers: { 'retry-after': header } })
  assert.deepEqual(await poll(), { state: 'none', stale: true })
  relay.mishap = () => undefined
  assert.equal((await poll()).title, 'Tea')
})

test('without --once it prints a line whenever something changes', { skip }, async (t) => {
  const { words, add } = await open(t)
  const child = execFile('python3', words('--interval', '0.05'))
  atEnd(t, async () => {
    child.kill()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  assert.ok(child.stdout)
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const next = async () => JSON.parse((await lines.next()).value ?? '')
  assert.equal((await next()).state, 'none')
  await add('Tea', [1, 2])
  assert.equal((await next()).title, 'Tea')
  await add('Before tea', [0.5, 2])
  assert.equal((await next()).title, 'Before tea')
})
