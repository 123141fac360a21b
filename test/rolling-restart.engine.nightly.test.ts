import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readSince } from '../src/storage/journal/read.ts'
import { openStorage } from '../src/storage/open.ts'
import { paint } from './support/images.ts'
import { skipWithout } from './support/missing.ts'
import { EXAMPLE, hasNginx, NGINX, startNginx } from './support/nginx.ts'
import { administratorOf, EVENT, sending } from './support/processes.ts'
import { databaseOf, type ServerProcess, startServer } from './support/server.ts'
import { TEST_ENGINE } from './support/test-engine.ts'
import { testFolder } from './support/test-storage.ts'
import { eventually } from './support/webhook-receiver.ts'

/*
 * An upgrade as the page on running Kalends tells it: two servers on one database behind the nginx of our example, each
 * restarted in turn while clients read and write.
 */

const CLIENTS = 6
/** Milliseconds between two requests of a client: there are to be processors left for a start. */
const PAUSE = 5

/** What the clients have been answered. */
interface Record {
  /** Actions of the journal that were acknowledged, by resource and id, in their order. */
  readonly done: Map<string, string[]>
  /** Answers that should not have come. */
  readonly faults: string[]
  requests: number
}

/** A client that does one thing after the other until told to stop. */
class Client {
  readonly #origin: string
  readonly #authorization: string
  readonly #record: Record

  constructor(origin: string, authorization: string, record: Record) {
    this.#origin = origin
    this.#authorization = authorization
    this.#record = record
  }

  async work(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const id = await this.#event('create', ['/events', 'POST', 201])
      for (const method of ['GET', 'HEAD', 'OPTIONS']) await this.#ask(`/cal/events/v1/events/${id}`, { method }, 200)
      for (const method of ['PUT', 'PATCH', 'POST']) await this.#event('update', [`/events/${id}`, method, 200])
      await this.#ask('/cal/events/v1/events', {}, 200)
      await this.#ask('/', {}, 200)
      await this.#event('delete', [`/events/${id}?force=true`, 'DELETE', 200])
      await this.#picture()
    }
  }

  /** A write of an event with a title that no other has; the id. */
  async #event(action: string, [path, method, status]: [string, string, number]): Promise<number> {
    const json = { ...EVENT, title: `Title ${Math.random()}` }
    const init = method === 'DELETE' ? { method, headers: this.#headers } : sending(this.#authorization, json, method)
    return this.#write(['event', action], await this.#ask(`/cal/events/v1${path}`, init, status))
  }

  async #picture(): Promise<void> {
    const [red, green, blue] = Array.from({ length: 3 }, () => Math.floor(Math.random() * 256))
    const form = new FormData()
    const png = await paint(300, 300, `rgb(${red},${green},${blue})`).png().toBuffer()
    form.set('file', new File([new Uint8Array(png)], 'a.png'))
    const sent = { method: 'POST', headers: this.#headers, body: form }
    const id = this.#write(['media', 'create'], await this.#ask('/kalends/v1/media', sent, 201))
    const gone = { method: 'DELETE', headers: this.#headers }
    this.#write(['media', 'delete'], await this.#ask(`/kalends/v1/media/${id}`, gone, 200))
  }

  get #headers(): { authorization: string } {
    return { authorization: this.#authorization }
  }

  #write([resource, action]: [string, string], { id = 0 }: { id?: number }): number {
    const { done } = this.#record
    done.set(`${resource} ${id}`, [...(done.get(`${resource} ${id}`) ?? []), action])
    return id
  }

  async #ask(path: string, init: RequestInit, status: number): Promise<{ id?: number }> {
    const record = this.#record
    record.requests += 1
    const answer = await fetch(this.#origin + path, { ...init, signal: AbortSignal.timeout(60_000) })
    const text = await answer.text()
    if (answer.status !== status) record.faults.push(`${init.method ?? 'GET'} ${path}: ${answer.status} ${text}`)
    await sleep(PAUSE)
    return text.startsWith('{') ? (JSON.parse(text) as { id?: number }) : {}
  }
}

const skip =
  skipWithout(hasNginx(), NGINX) ||
  (TEST_ENGINE === 'sqlite' && 'with SQLite one server uses a calendar: it is stopped')

test('behind the nginx of our example servers are restarted one by one, and no request fails or is done twice', {
  skip,
}, async (t) => {
  const data = testFolder(t)
  const start = async (port = '0'): Promise<ServerProcess> => {
    const server = await startServer(data, ['--drain-delay', '2000', '--port', port])
    t.after(() => server.stop('SIGKILL'))
    return server
  }
  const servers = [await start(), await start()]
  const ports = servers.map(({ origin }) => Number(new URL(origin).port))
  const nginx = await startNginx(testFolder(t), ports)
  t.after(() => nginx.stop())
  const [first] = servers as [ServerProcess]
  const record: Record = { done: new Map(), faults: [], requests: 0 }
  const clients = Array.from({ length: CLIENTS }, () => new Client(nginx.origin, administratorOf(first), record))
  let isOver = false
  const working = Promise.all(clients.map((client) => client.work(() => isOver || record.faults.length > 0)))

  // Nginx counts whole seconds.
  const pause = Number(/fail_timeout=(\d+)s/.exec(EXAMPLE)?.[1]) * 1000 + 1000
  for (const [index, port] of ports.entries()) {
    await sleep(500)
    assert.equal(await servers[index]?.stop('SIGTERM'), 0)
    // One is away for so long that nginx tries it again.
    if (index > 0) await sleep(pause)
    servers[index] = await start(String(port))
    await sleep(pause)
  }
  const seen = nginx.answers().length
  const isUsed = (port: number) =>
    nginx.answers().some((line, at) => at >= seen && line.endsWith(`127.0.0.1:${port} 200`))
  await eventually('an answer of each server', () => record.faults.length > 0 || ports.every(isUsed))
  isOver = true
  await working
  assert.deepEqual(record.faults, [])

  const storage = await openStorage({ database: await databaseOf(data) })
  t.after(() => storage.close())
  const written = new Map<string, string[]>()
  for (let seq = 0, entries = await readSince(storage, 0, 1000); entries.length > 0; ) {
    for (const { resource, id, action } of entries) {
      const name = `${resource} ${id}`
      if (resource !== 'user') written.set(name, [...(written.get(name) ?? []), action])
    }
    seq = entries.at(-1)?.seq ?? 0
    entries = await readSince(storage, seq, 1000)
  }
  assert.deepEqual([...written].sort(), [...record.done].sort())
  for (const { problems } of servers) assert.equal(problems(), '')
  const answers = nginx.answers()
  const refused = answers.filter((line) => / 503, /.test(line)).length
  const unheard = answers.filter((line) => / 502( :|,) /.test(line)).length
  assert.ok(refused > 0 && unheard > 0, `${refused} refused, ${unheard} not connected`)
  t.diagnostic(`${record.requests} requests, ${refused} refused, ${unheard} not connected`)
})
