import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readSince } from '../src/journal/read.ts'
import { TEST_ENGINE } from '../src/storage/engines/testing.ts'
import { openStorage } from '../src/storage/open.ts'
import { administratorOf, ask, EVENT, sending } from './support/processes.ts'
import { databaseOf, openDataFolder, type ServerProcess, startServer } from './support/server.ts'

/** Seconds of mixed reads and writes. */
const LENGTH = Number(process.env['KALENDS_TEST_SECONDS'] ?? 8)
const CLIENTS = 4
/** Longest wait for something that other processes do, milliseconds. */
const PATIENCE = 20_000

const eventsOf = (server: ServerProcess): string => `${server.origin}/cal/events/v1/events`

/** An event with the title that was acknowledged last, and when. */
interface Known {
  readonly id: number
  title: string
  at: number
  seq: string
}

/** What one client knows and has seen. */
interface Client {
  readonly known: Known[]
  /** Answers of the servers that nobody kills which should not have come. */
  readonly faults: string[]
  reads: number
  writes: number
}

/** Creates and changes events through any server. A write without an answer may have happened: its event is forgotten. */
async function write(client: Client, server: ServerProcess, authorization: string): Promise<void> {
  const title = `Title ${Math.random()}`
  const old = client.known.length < 20 ? undefined : client.known.splice(Math.floor(Math.random() * 20), 1)[0]
  const url = old === undefined ? eventsOf(server) : `${eventsOf(server)}/${old.id}`
  const answer = await ask(url, sending(authorization, old === undefined ? { ...EVENT, title } : { title }))
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
  const answer = await ask(`${eventsOf(server)}/${one.id}`, asksForIt ? { headers: { 'x-kalends-seq': seq } } : {})
  if (answer === undefined) return
  client.reads += 1
  if (answer.status !== 200 && isDue) client.faults.push(`read ${answer.status}`)
  if (answer.status === 200 && isDue && answer.body.title !== title) client.faults.push(`stale ${one.id}`)
}

async function work(client: Client, servers: () => readonly ServerProcess[], until: number): Promise<void> {
  const living = servers()
  const authorization = administratorOf(living[0] as ServerProcess)
  while (performance.now() < until) {
    const all = servers()
    const server = all[Math.floor(Math.random() * all.length)] as ServerProcess
    if (Math.random() < 0.3) await write(client, server, authorization)
    else await read(client, server)
  }
}

if (TEST_ENGINE === 'postgres') {
  test('two servers on one database lose nothing and show nothing old while a third is killed again and again', async (t) => {
    const data = await openDataFolder(t)
    const lasting = [await startServer(data), await startServer(data)]
    let third: ServerProcess | undefined
    const servers = (): readonly ServerProcess[] => (third === undefined ? lasting : [...lasting, third])
    const clients = Array.from({ length: CLIENTS }, (): Client => ({ known: [], faults: [], reads: 0, writes: 0 }))
    const until = performance.now() + LENGTH * 1000
    const working = Promise.all(clients.map((client) => work(client, servers, until)))
    let kills = 0
    while (performance.now() < until) {
      third = await startServer(data)
      await sleep(500 + Math.random() * 1000)
      const killed = third
      await killed.stop('SIGKILL')
      third = undefined
      kills += 1
    }
    await working
    assert.deepEqual(
      clients.flatMap((client) => client.faults),
      [],
    )
    for (const { id, title } of clients.flatMap((client) => client.known)) {
      for (const server of lasting) assert.equal((await ask(`${eventsOf(server)}/${id}`))?.body.title, title)
    }
    const total = (of: 'reads' | 'writes'): number => clients.reduce((sum, client) => sum + client[of], 0)
    assert.ok(total('reads') > 20 && total('writes') > 10 && kills > 0, `${total('reads')} reads, ${kills} kills`)
    t.diagnostic(`${total('reads')} reads, ${total('writes')} writes, ${kills} kills in ${LENGTH} seconds`)
  })

  test('of several servers one publishes what is due, once, and another goes on when it is killed', async (t) => {
    const data = await openDataFolder(t)
    const first = await startServer(data)
    const others = [await startServer(data), await startServer(data)]
    const authorization = administratorOf(first)
    const [second] = others as [ServerProcess]
    const storage = await openStorage({ database: await databaseOf(data) })
    t.after(() => storage.close())
    const schedule = async (): Promise<number> => {
      const date = new Date(Date.now() + 4000).toISOString().slice(0, 19).replace('T', ' ')
      const made = await ask(eventsOf(second), sending(authorization, { ...EVENT, date_utc: date }))
      assert.equal(made?.body.status, 'future')
      return made?.body.id ?? 0
    }
    const published = async (id: number): Promise<void> => {
      for (const deadline = Date.now() + PATIENCE; ; await sleep(20)) {
        const answer = await ask(`${eventsOf(second)}/${id}`)
        if (answer?.status === 200) return
        assert.ok(Date.now() < deadline, `event ${id} is not published`)
      }
    }
    const before = await schedule()
    await published(before)
    const after = await schedule()
    await first.stop('SIGKILL')
    await published(after)
    const entries = (await readSince(storage, 0, 1000)).filter(({ resource }) => resource === 'event')
    assert.deepEqual(
      entries.map(({ id, action, actor }) => [id, action, actor === null ? 'program' : 'person']),
      [before, after].flatMap((id) => [
        [id, 'create', 'person'],
        [id, 'update', 'program'],
      ]),
    )
  })
}
