import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { statSync, watch } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStorage } from '../src/storage/open.ts'
import { administratorOf, ask, EVENT, sending } from './support/processes.ts'
import { databaseOf, kalends, openDataFolder, type ServerProcess, startServer, UNLIMITED } from './support/server.ts'
import { numbersOf } from './support/storage.ts'
import { TEST_ENGINE } from './support/test-engine.ts'

const ROUNDS = 3
const CLIENTS = 5
/** Longest wait for something that other processes do, milliseconds. */
const PATIENCE = 120_000

/** Log lines of a server as objects. */
function logOf(server: ServerProcess): { msg: string; pid?: number; signal?: string }[] {
  const problems = server.problems()
  const lines = problems.split('\n').slice(0, -1)
  for (const line of lines) assert.ok(line.startsWith('{'), problems)
  return lines.map((line) => JSON.parse(line) as { msg: string })
}

function pidsOf(server: ServerProcess, message: string): number[] {
  return logOf(server).flatMap(({ msg, pid }) => (msg === message && pid !== undefined ? [pid] : []))
}

async function until(condition: () => boolean, what: string): Promise<void> {
  for (const deadline = Date.now() + PATIENCE; !condition(); await sleep(5)) assert.ok(Date.now() < deadline, what)
}

async function openWorkers(t: TestContext): Promise<{ server: ServerProcess; data: string }> {
  const data = await openDataFolder(t)
  const server = await startServer(data, ['--workers', '3', '--log-level', 'info', ...UNLIMITED])
  return { server, data }
}

/** The one that writes; where all do, any that is alive. */
function victimOf(server: ServerProcess): number {
  const gone = new Set(pidsOf(server, 'a worker ended and is replaced'))
  const writer = pidsOf(server, 'this process writes').at(-1)
  return writer ?? pidsOf(server, 'a worker was started').find((pid) => !gone.has(pid)) ?? 0
}

/**
 * Creates events and looks at each of them through whichever worker answers, until told to stop; how often nobody could say
 * whether one was created. Where every worker writes, all that are alive create what they are asked to.
 */
async function write(server: ServerProcess, acknowledged: number[], isOver: () => boolean): Promise<number> {
  let uncertain = 0
  const authorization = administratorOf(server)
  const events = `${server.origin}/cal/events/v1/events`
  while (!isOver()) {
    const made = await ask(events, sending(authorization, { ...EVENT, tags: [`tag ${acknowledged.length % 5}`] }))
    if (made === undefined) continue
    if (made.status === 502) uncertain += 1
    if (made.status === 503) assert.equal(made.headers.get('retry-after'), '1')
    if (TEST_ENGINE === 'postgres' || ![502, 503].includes(made.status)) assert.equal(made.status, 201)
    if (made.status !== 201) continue
    acknowledged.push(made.body.id)
    const seen = await ask(`${events}/${made.body.id}`)
    if (seen !== undefined) assert.equal(seen.status, 200, 'an acknowledged event is not seen')
  }
  return uncertain
}

test(`three workers go on when ${TEST_ENGINE === 'sqlite' ? 'the one that writes' : 'one'} is killed, and lose nothing`, async (t) => {
  let isOver = false
  t.after(() => {
    isOver = true
  })
  const { server, data } = await openWorkers(t)
  const acknowledged: number[] = []
  // Due at some time during the rounds, whoever works in the background then.
  const date = new Date(Date.now() + 10_000).toISOString().slice(0, 19).replace('T', ' ')
  const waiting = sending(administratorOf(server), { ...EVENT, date_utc: date })
  const scheduled = (await ask(`${server.origin}/cal/events/v1/events`, waiting))?.body
  assert.equal(scheduled?.status, 'future')
  const clients = Array.from({ length: CLIENTS }, () => write(server, acknowledged, () => isOver))
  for (let round = 1; round <= ROUNDS; round += 1) {
    const before = acknowledged.length
    await until(() => acknowledged.length > before + 5, `nothing is written in round ${round}`)
    const victim = victimOf(server)
    // Nobody's id is 0: that is this process and all around it.
    assert.ok(victim > 0, 'no worker is alive')
    process.kill(victim, 'SIGKILL')
    await until(() => victimOf(server) !== victim, 'nobody has taken over')
  }
  const last = acknowledged.length
  await until(() => acknowledged.length > last + 5, 'nothing is written at the end')
  // A command speaks to the one that writes now.
  assert.match(await kalends('user', 'list', '--data', data), /admin/)
  isOver = true
  const uncertain = (await Promise.all(clients)).reduce((sum, one) => sum + one, 0)
  // Only what a killed worker had taken: one request of each client.
  assert.ok(uncertain <= ROUNDS * CLIENTS, `${uncertain} of unknown outcome`)
  let shown: number | undefined
  for (const deadline = Date.now() + PATIENCE; shown !== 200 && Date.now() < deadline; await sleep(20))
    shown = (await ask(`${server.origin}/cal/events/v1/events/${scheduled.id}`))?.status
  assert.equal(shown, 200, 'what is scheduled is not published')
  assert.equal(await server.stop('SIGTERM'), 0)

  const storage = await openStorage({ database: await databaseOf(data) })
  t.after(() => storage.close())
  const numbers = (sql: string): Promise<number[]> => numbersOf(storage, sql)
  const events = await numbers('select id as n from event order by id')
  const stored = new Set(events)
  assert.deepEqual(
    acknowledged.filter((id) => !stored.has(id)),
    [],
  )
  const created = `select id as n from journal where resource = 'event' and action = 'create' order by id`
  assert.deepEqual(await numbers(created), events)
  const published = `select revision as n from journal where resource = 'event' and id = ${scheduled.id} and actor is null`
  assert.deepEqual(await numbers(published), [2])
  const [head = 0] = await numbers('select seq as n from journal_head')
  assert.deepEqual(
    await numbers('select seq as n from journal order by seq'),
    Array.from({ length: head }, (_, index) => index + 1),
  )
  t.diagnostic(`${acknowledged.length} acknowledged, ${events.length} stored`)
})

test('whatever a request looks like, any worker answers it as one process does', async (t) => {
  const { server } = await openWorkers(t)
  await until(() => pidsOf(server, 'a worker answers').length === 3, 'the others have not started')
  const authorization = administratorOf(server)
  const headers = { authorization }
  const json = sending(authorization, EVENT)
  const requests: readonly (readonly [status: number, path: string, init: RequestInit])[] = [
    [201, '/events', json],
    [401, '/events', sending('', EVENT)],
    [400, '/events', { ...json, body: '{' }],
    [413, '/events', { ...json, body: 'x'.repeat(3_000_000) }],
    [200, '/events/1', { method: 'POST', headers, body: new URLSearchParams({ excerpt: 'form' }) }],
    [200, '/events/1?_method=PATCH', json],
    [400, '/events', { method: 'POST', headers }],
    [404, '/events/999', { method: 'DELETE', headers }],
    [404, '/nothing', { ...json, method: 'PUT' }],
    [200, '/events', {}],
  ]
  const answers = new Set<string>()
  // Each on a connection of its own, which any worker takes.
  for (let turn = 0; turn < 8; turn += 1) {
    for (const [, path, init] of requests) {
      const own = { ...init, headers: { ...init.headers, connection: 'close' } }
      const answer = await ask(`${server.origin}/cal/events/v1${path}`, own)
      answers.add(`${answer?.status} ${path}`)
    }
  }
  assert.deepEqual([...answers].sort(), [...new Set(requests.map(([status, path]) => `${status} ${path}`))].sort())
})

test('workers end with their supervisor, however that ends, and none starts on a port that is taken', async (t) => {
  const { server, data } = await openWorkers(t)
  const { port } = new URL(server.origin)
  const other = await openDataFolder(t)
  const starting = kalends('serve', '--workers', '2', '--port', port, '--data', other, '--log-level', 'error')
  const refused = {
    code: 1,
    stderr: `kalends: Port ${port} of 127.0.0.1 is in use by another program. Choose one with --port.\n`,
  }
  await assert.rejects(starting, refused)
  await server.stop('SIGKILL')
  const next = await startServer(data, ['--port', port])
  assert.equal((await ask(`${next.origin}/cal/events/v1/events`))?.status, 200)
})

if (TEST_ENGINE === 'sqlite') {
  test('who writes is replaced at once although the supervisor is held up, and only its owner may speak to it', async (t) => {
    const { server, data } = await openWorkers(t)
    await until(() => pidsOf(server, 'a worker answers').length === 3, 'the others have not started')
    const modes: number[] = []
    const watcher = watch(data, (_event, name) => {
      if (name === 'kalends.sock') modes.push(statSync(join(data, name), { throwIfNoEntry: false })?.mode ?? 0)
    })
    server.child.kill('SIGSTOP')
    process.kill(victimOf(server), 'SIGKILL')
    const asked = ask(`${server.origin}/cal/events/v1/events`, sending(administratorOf(server), EVENT))
    const made = await asked.finally(() => {
      server.child.kill('SIGCONT')
      watcher.close()
    })
    assert.equal(made?.status, 201)
    assert.deepEqual(
      [...new Set(modes)].filter((mode) => (mode & 0o077) !== 0),
      [],
    )
  })
}

/** Creates events, each with a key, sending it until it is answered; how often nobody could say whether it was created. */
async function writeOnce(server: ServerProcess, titles: string[], isOver: () => boolean): Promise<number> {
  let uncertain = 0
  const authorization = administratorOf(server)
  while (!isOver()) {
    const title = randomUUID()
    const { headers, ...init } = sending(authorization, { ...EVENT, title })
    const keyed = { ...init, headers: { ...Object.fromEntries(new Headers(headers)), 'idempotency-key': title } }
    let status = 0
    while (status !== 201) {
      status = (await ask(`${server.origin}/cal/events/v1/events`, keyed))?.status ?? 0
      assert.ok([0, 201, 409, 502, 503].includes(status), `answered ${status}`)
      if (status === 502) uncertain += 1
      if (status !== 201) await sleep(20)
    }
    titles.push(title)
  }
  return uncertain
}

test('a write of unknown outcome is sent again with its key through any worker, and happens once', async (t) => {
  let isOver = false
  t.after(() => {
    isOver = true
  })
  const { server, data } = await openWorkers(t)
  const titles: string[] = []
  const clients = Array.from({ length: CLIENTS }, () => writeOnce(server, titles, () => isOver))
  for (let round = 1; round <= ROUNDS; round += 1) {
    const before = titles.length
    await until(() => titles.length > before + 5, `nothing is written in round ${round}`)
    const victim = victimOf(server)
    assert.ok(victim > 0, 'no worker is alive')
    process.kill(victim, 'SIGKILL')
    await until(() => victimOf(server) !== victim, 'nobody has taken over')
  }
  isOver = true
  const uncertain = (await Promise.all(clients)).reduce((sum, one) => sum + one, 0)
  await server.stop('SIGTERM')
  const storage = await openStorage({ database: await databaseOf(data) })
  t.after(() => storage.close())
  const stored = await storage.all(storage.db.selectFrom('event').select('title'))
  assert.deepEqual(stored.map(({ title }) => title).sort(), titles.sort())
  t.diagnostic(`${titles.length} writes, ${uncertain} of unknown outcome`)
})
