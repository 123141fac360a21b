import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readSince } from '../src/storage/journal/read.ts'
import { openStorage } from '../src/storage/open.ts'
import { draws } from './support/draws.ts'
import { administratorOf, ask, EVENT, sending } from './support/processes.ts'
import { databaseOf, openDataFolder, type ServerProcess, startServer } from './support/server.ts'
import { TEST_ENGINE } from './support/test-engine.ts'

/** Seconds of mixed reads and writes. */
const LENGTH = draws(60, 4)
const CLIENTS = 4
/** Longest time that the work in the background may rest after the process that did it was killed, milliseconds. */
const TAKEOVER = 60_000

const eventsOf = (server: ServerProcess): string => `${server.origin}/cal/events/v1/events`

/** An event with the title that was acknowledged last, and when. */
interface Known {
  readonly id: number
  title: string
  at: number
  seq: string
}

/** Which servers there are to ask. */
interface Crew {
  /** Those that answer; the last may be about to be killed. */
  readonly answering: () => readonly ServerProcess[]
  /** Whether a server has been sent its end. */
  readonly isKilled: (server: ServerProcess) => boolean
}

/** What one client knows and has seen. */
interface Client {
  readonly crew: Crew
  readonly known: Known[]
  /** What should not have happened. */
  readonly faults: string[]
  reads: number
  writes: number
  /** Requests to a server that was killed meanwhile. */
  lost: number
}

/** Sends a request. Only a server that was killed meanwhile may leave it without an answer, and none may say 5xx. */
async function request(client: Client, server: ServerProcess, [path, init]: [string, RequestInit?]) {
  const answer = await ask(`${eventsOf(server)}${path}`, init)
  if (answer !== undefined && answer.status >= 500) client.faults.push(`${init?.method ?? 'GET'} ${answer.status}`)
  if (answer !== undefined) return answer
  if (client.crew.isKilled(server)) client.lost += 1
  else client.faults.push(`${init?.method ?? 'GET'} without an answer from a server that lives`)
  return undefined
}

/** Creates and changes events through any server. A write without an answer may have happened: its event is forgotten. */
async function write(client: Client, server: ServerProcess, authorization: string): Promise<void> {
  const title = `Title ${Math.random()}`
  const old = client.known.length < 20 ? undefined : client.known.splice(Math.floor(Math.random() * 20), 1)[0]
  const json = old === undefined ? { ...EVENT, title } : { title }
  const answer = await request(client, server, [old === undefined ? '' : `/${old.id}`, sending(authorization, json)])
  if (answer === undefined) return
  if (answer.status >= 300) return void client.faults.push(`write ${answer.status}`)
  client.writes += 1
  const { id } = answer.body
  client.known.push({ id, title, at: performance.now(), seq: answer.headers.get('x-kalends-seq') ?? '' })
}

/** Reads an event: what was acknowledged a second ago, or with the number that its writer was told, is seen. */
async function read(client: Client, server: ServerProcess): Promise<void> {
  const one = client.known[Math.floor(Math.random() * client.known.length)]
  if (one === undefined) return
  const { title, at, seq } = one
  const asksForIt = Math.random() < 0.5
  const isDue = asksForIt || performance.now() - at > 1000
  const answer = await request(client, server, [`/${one.id}`, asksForIt ? { headers: { 'x-kalends-seq': seq } } : {}])
  if (answer === undefined) return
  client.reads += 1
  if (answer.status !== 200 && isDue) client.faults.push(`read ${answer.status}`)
  if (answer.status === 200 && isDue && answer.body.title !== title) client.faults.push(`stale ${one.id}`)
}

async function work(client: Client, isOver: () => boolean): Promise<void> {
  const authorization = administratorOf(client.crew.answering()[0] as ServerProcess)
  while (!isOver()) {
    const all = client.crew.answering()
    const server = all[Math.floor(Math.random() * all.length)] as ServerProcess
    if (Math.random() < 0.3) await write(client, server, authorization)
    else await read(client, server)
  }
}

const skip = TEST_ENGINE === 'sqlite' && 'with SQLite one server runs'

test('two servers on one database lose nothing and show nothing old while a third is killed again and again', {
  skip,
}, async (t) => {
  const data = await openDataFolder(t)
  const freshness = [await startServer(data), await startServer(data)]
  let third: ServerProcess | undefined
  const killed = new Set<ServerProcess>()
  const crew: Crew = {
    answering: () => (third === undefined ? freshness : [...freshness, third]),
    isKilled: (server) => killed.has(server),
  }
  const clients = Array.from(
    { length: CLIENTS },
    (): Client => ({ crew, known: [], faults: [], reads: 0, writes: 0, lost: 0 }),
  )
  const until = performance.now() + LENGTH * 1000
  const total = (of: 'reads' | 'writes' | 'lost'): number => clients.reduce((sum, client) => sum + client[of], 0)
  // However slow the machine is, enough was done in the end.
  const isOver = (): boolean =>
    performance.now() >= until && total('reads') > 20 && total('writes') > 10 && killed.size > 0
  const working = Promise.all(clients.map((client) => work(client, isOver)))
  while (!isOver()) {
    third = await startServer(data)
    await sleep(500 + Math.random() * 1000)
    killed.add(third)
    await third.stop('SIGKILL')
    third = undefined
  }
  await working
  assert.deepEqual(
    clients.flatMap((client) => client.faults),
    [],
  )
  for (const { id, title } of clients.flatMap((client) => client.known)) {
    for (const server of freshness) assert.equal((await ask(`${eventsOf(server)}/${id}`))?.body.title, title)
  }
  const done = `${total('reads')} reads, ${total('writes')} writes, ${killed.size} kills with ${total('lost')} requests`
  t.diagnostic(`${done} in ${LENGTH} seconds`)
})

test('of several servers one publishes what is due, once, and another goes on when it is killed', {
  skip,
}, async (t) => {
  const data = await openDataFolder(t)
  const first = await startServer(data)
  const others = [await startServer(data), await startServer(data)]
  const authorization = administratorOf(first)
  const [second] = others as [ServerProcess]
  const storage = await openStorage({ database: await databaseOf(data) })
  t.after(() => storage.close())
  const schedule = async (): Promise<{ id: number; due: number }> => {
    const due = Math.floor(Date.now() / 1000) * 1000 + 8000
    const date = new Date(due).toISOString().slice(0, 19).replace('T', ' ')
    const made = await ask(eventsOf(second), sending(authorization, { ...EVENT, date_utc: date }))
    assert.equal(made?.body.status, 'future')
    return { id: made?.body.id ?? 0, due }
  }
  const published = async (id: number, deadline: number): Promise<void> => {
    while ((await ask(`${eventsOf(second)}/${id}`))?.status !== 200) {
      assert.ok(Date.now() < deadline, `event ${id} is not published`)
      await sleep(20)
    }
  }
  const before = await schedule()
  await published(before.id, before.due + TAKEOVER)
  const after = await schedule()
  // Just before it is due, so that the time until it is published is that of the change.
  await sleep(after.due - 300 - Date.now())
  const killed = Date.now()
  await first.stop('SIGKILL')
  await published(after.id, killed + TAKEOVER)
  t.diagnostic(`published ${Date.now() - killed} ms after the kill`)
  const entries = (await readSince(storage, 0, 1000)).filter(({ resource }) => resource === 'event')
  assert.deepEqual(
    entries.map(({ id, action, actor }) => [id, action, actor === null ? 'program' : 'person']),
    [before, after].flatMap(({ id }) => [
      [id, 'create', 'person'],
      [id, 'update', 'program'],
    ]),
  )
})
