import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get, type IncomingHttpHeaders } from 'node:http'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createServer } from '../src/http/server.ts'
import type { Lane, Storage } from '../src/storage/engine.ts'
import type { StorageOptions } from '../src/storage/options.ts'
import { routeFor, serverParts } from './support/http.ts'
import { openDataFolder, startServer } from './support/server.ts'
import { TEST_ENGINE } from './support/test-engine.ts'
import { openTestStorage } from './support/test-storage.ts'

/** Long enough for a machine that is busy with other things, in milliseconds. */
const PATIENT = 60_000

/** A statement that never ends by itself, in the time of a test. */
const ENDLESS =
  TEST_ENGINE === 'sqlite'
    ? `with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n`
    : `select pg_sleep(${(10 * PATIENT) / 1000})`

interface Calendar {
  readonly storage: Storage
  readonly port: number
}

/** A server whose routes run a statement each: `/endless`, `/quick` (offloaded) and `/plain` (inline). */
async function openCalendar(t: TestContext, options: Partial<StorageOptions>): Promise<Calendar> {
  const storage = await openTestStorage(TEST_ENGINE, t, { offloadWorkers: 1, connections: 2, ...options })
  const route = (path: string, sql: string, lane: Lane) =>
    routeFor('GET', path, {
      handle: async () => ({
        status: 200,
        body: await storage.all({ compile: () => ({ sql, parameters: [] }) }, lane),
      }),
    })
  const routes = [
    route('/endless', ENDLESS, 'offloaded'),
    route('/quick', 'select 1 as n', 'offloaded'),
    route('/plain', 'select 2 as n', 'inline'),
  ]
  const server = createServer(serverParts(routes, { trustedProxies: ['127.0.0.1'] }))
  t.after(() => server.close())
  return { storage, port: await server.listen({ host: '127.0.0.1', port: 0 }) }
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

/** Asks through a proxy on behalf of a client. */
function ask({ port }: Calendar, path: string, client: string) {
  const headers = { 'x-forwarded-for': client }
  const request = get({ port, host: '127.0.0.1', path: `/cal/events/v1${path}`, headers, agent: false })
  const answer = (async (): Promise<Answer | undefined> => {
    const [response] = await once(request, 'response')
    const text = (await response.setEncoding('utf8').toArray()).join('')
    return { status: response.statusCode, headers: response.headers, body: JSON.parse(text) }
  })().catch(() => undefined)
  return { answer, hangUp: () => void request.destroy() }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(5)
}

function codeOf(answer: Answer | undefined): unknown {
  return (answer?.body as { code?: unknown } | undefined)?.code
}

test('a read that goes on beyond its deadline is 503, and others are answered beside it and after it', async (t) => {
  const calendar = await openCalendar(t, { readTimeout: 1500 })
  const endless = ask(calendar, '/endless', '192.0.2.1')
  await until(() => calendar.storage.stats().readsOffloaded === 1)
  assert.deepEqual((await ask(calendar, '/plain', '192.0.2.1').answer)?.body, [{ n: 2 }])
  const answer = await endless.answer
  assert.equal(answer?.status, 503)
  assert.equal(codeOf(answer), 'rest_query_too_costly')
  assert.equal(answer?.headers['retry-after'], '1')
  assert.equal(calendar.storage.stats().readsTimedOut, 1)
  assert.deepEqual((await ask(calendar, '/quick', '192.0.2.1').answer)?.body, [{ n: 1 }])
})

test('what clients that hang up have waiting leaves the queue at once', async (t) => {
  const calendar = await openCalendar(t, { readTimeout: PATIENT })
  const { storage } = calendar
  const attack = Array.from({ length: 30 }, () => ask(calendar, '/endless', '192.0.2.1'))
  await until(() => storage.stats().readsWaiting === 29)
  for (const { hangUp } of attack) hangUp()
  await until(() => storage.stats().readsWaiting === 0)
  // The one that ran is ended as well: there is one place for both.
  assert.deepEqual((await ask(calendar, '/quick', '192.0.2.2').answer)?.body, [{ n: 1 }])
  assert.deepEqual((await ask(calendar, '/plain', '192.0.2.2').answer)?.body, [{ n: 2 }])
  assert.ok(storage.stats().readsDropped >= 29)
  assert.equal(storage.stats().readsTimedOut, 0)
})

test('one client holds its share of the queue and no more, and another one comes next', async (t) => {
  const calendar = await openCalendar(t, { readTimeout: PATIENT })
  const { storage } = calendar
  const attack = Array.from({ length: 65 }, () => ask(calendar, '/endless', '192.0.2.1'))
  await until(() => storage.stats().readsWaiting === 64)
  const refused = await ask(calendar, '/quick', '192.0.2.1').answer
  assert.equal(refused?.status, 503)
  assert.equal(codeOf(refused), 'rest_too_busy')
  assert.equal(refused?.headers['retry-after'], '1')
  const other = ask(calendar, '/quick', '2001:db8::1')
  await until(() => storage.stats().readsWaiting === 65)
  assert.equal(storage.stats().readsRefused, 1)
  for (const { hangUp } of attack) hangUp()
  assert.deepEqual((await other.answer)?.body, [{ n: 1 }])
  assert.equal(storage.stats().readsTimedOut, 0)
})

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.split(' ').flatMap((one) => (one.trim() === '' ? [] : [Number(one)]))
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

if (TEST_ENGINE === 'sqlite') {
  test('the readers of a server that is killed end with it', async (t) => {
    const data = await openDataFolder(t)
    const server = await startServer(data, [])
    const search = await fetch(`${server.origin}/cal/events/v1/events?search=regatta`)
    assert.equal(search.status, 200)
    const readers = childrenOf(server.child.pid ?? 0)
    assert.equal(readers.length, 1)
    await server.stop('SIGKILL')
    await until(() => !readers.some(isRunning))
  })

  test('a reader ends with its server also in the middle of a statement that never ends', async () => {
    const lane = new URL('../src/storage/engines/sqlite/read-lane.ts', import.meta.url).href
    const program = `
      const { ReadLane } = await import(${JSON.stringify(lane)})
      const lane = new ReadLane({ path: ':memory:', readers: 1, timeout: ${PATIENT} })
      await lane.read({ sql: 'select 1', parameters: [] })
      lane.read({ sql: ${JSON.stringify(ENDLESS)}, parameters: [] })
      console.log(lane.pids[0])`
    const server = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(server.stdout, 'data')) as [Buffer]
    const reader = Number(line.toString())
    // It is busy: its statement takes all the time of a processor.
    const ticks = (): number => Number(readFileSync(`/proc/${reader}/stat`, 'utf8').split(' ')[13])
    const before = ticks()
    await until(() => ticks() > before + 5)
    const ended = once(server, 'exit')
    server.kill('SIGKILL')
    await ended
    await until(() => !isRunning(reader))
  })
}
