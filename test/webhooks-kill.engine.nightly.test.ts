import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Webhook as Verifier } from 'standardwebhooks'
import { administratorOf, ask, sending } from './support/processes.ts'
import { openDataFolder, type ServerProcess, startServer, UNLIMITED } from './support/server.ts'
import { TEST_ENGINE } from './support/test-engine.ts'
import { eventually, openReceiver, type Receiver } from './support/webhook-receiver.ts'

const KILLS = 4
const WRITERS = 4
/** Changes that are acknowledged before each kill. */
const BEFORE_KILL = 40
const FLAGS = [...UNLIMITED, '--fetch-allow', '127.0.0.1']
const EVENTS = ['venue.created', 'venue.updated', 'venue.deleted']

/** A webhook of a calendar whose servers come and go. */
interface Watched {
  readonly receiver: Receiver
  readonly authorization: string
  /** Key of the signatures. */
  readonly secret: string
  /** Cursor of the changes that it is told of. */
  readonly cursor: string
}

/** JSON of a response; a server that is too busy is asked again. */
async function json<Body>(url: string, init: RequestInit = {}): Promise<Body> {
  let body: unknown
  await eventually(`an answer of ${url}`, async () => {
    const response = await fetch(url, init)
    body = await response.json()
    assert.ok(response.ok || response.status === 503, `${url}: ${JSON.stringify(body)}`)
    return response.ok
  })
  return body as Body
}

async function watch(t: TestContext, server: ServerProcess): Promise<Watched> {
  const receiver = await openReceiver(t)
  const authorization = administratorOf(server)
  const own = `${server.origin}/kalends/v1`
  const { cursor } = await json<{ cursor: string }>(`${own}/changes`)
  const hook = { url: receiver.origin, events: EVENTS }
  const { secret } = await json<{ secret: string }>(`${own}/webhooks`, sending(authorization, hook))
  return { receiver, authorization, secret, cursor }
}

/** Until when is written, and who is told that a write was acknowledged. */
interface Writing {
  isOver(): boolean
  done(): void
}

/** Makes, changes and trashes venues until that is over, or the server is killed. */
async function write(origin: string, authorization: string, { isOver, done }: Writing): Promise<void> {
  let isAlive = true
  const send = async (path: string, body: object, method = 'POST') => {
    const answer = await ask(`${origin}/cal/events/v1/venues${path}`, sending(authorization, body, method))
    isAlive &&= answer !== undefined
    if (answer !== undefined && answer.status < 300) done()
    return answer
  }
  for (let count = 0; isAlive && !isOver(); count += 1) {
    const id = (await send('', { venue: `Hall ${process.hrtime.bigint()}` }))?.body.id
    for (const phone of ['1', '2', '3']) if (isAlive && id !== undefined) await send(`/${id}`, { phone })
    if (isAlive && id !== undefined && count % 2 === 1) await send(`/${id}`, {}, 'DELETE')
  }
}

/** Writes until enough is acknowledged, then `end` while it goes on. */
async function writeUntil(origin: string, authorization: string, end: () => Promise<unknown>): Promise<void> {
  const enough = Promise.withResolvers<void>()
  let acknowledged = 0
  let isOver = false
  const done = (): void => {
    acknowledged += 1
    if (acknowledged >= BEFORE_KILL) enough.resolve()
  }
  const own = { done, isOver: () => isOver }
  const writers = Array.from({ length: WRITERS }, () => write(origin, authorization, own))
  await Promise.race([enough.promise, Promise.all(writers)])
  await end()
  isOver = true
  await Promise.all(writers)
  assert.ok(acknowledged >= BEFORE_KILL, `only ${acknowledged} changes were acknowledged`)
}

interface Change {
  readonly seq: number
  readonly id: number
  readonly revision: number
}

async function changesSince(origin: string, cursor: string): Promise<Change[]> {
  const query = new URLSearchParams({ since: cursor, resource: 'venue', limit: '1000' })
  const page = await json<{ changes: Change[]; more: boolean; cursor: string }>(`${origin}/kalends/v1/changes?${query}`)
  return page.more ? [...page.changes, ...(await changesSince(origin, page.cursor))] : page.changes
}

/** Waits until the receiver has everything that happened, and compares; how many messages came more than once. */
async function assertTold(
  origin: string,
  { receiver, secret, cursor }: Watched,
): Promise<{ told: number; twice: number }> {
  const changes = await changesSince(origin, cursor)
  const seqs = (): Set<number> => new Set(receiver.messages.map((message) => message.json.data.seq))
  await eventually(`messages about ${changes.length} changes`, () => seqs().size >= changes.length)
  const first = new Map<string, Change>()
  const verifier = new Verifier(secret)
  for (const { headers, body, json: message } of receiver.messages) {
    verifier.verify(body, headers as Record<string, string>)
    const id = String(headers['webhook-id'])
    if (!first.has(id)) first.set(id, message.data)
  }
  // Every change has one message, and those about an item came in its order.
  assert.deepEqual(
    [...first.values()].map(({ seq }) => seq).sort((a, b) => a - b),
    changes.map(({ seq }) => seq),
  )
  const expected = Map.groupBy(changes, ({ id }) => id)
  for (const [id, own] of Map.groupBy(first.values(), (change) => change.id))
    assert.deepEqual(
      own.map(({ revision }) => revision),
      expected.get(id)?.map(({ revision }) => revision),
      `venue ${id}`,
    )
  return { told: first.size, twice: receiver.messages.length - first.size }
}

test('a sender that is killed again and again tells of every change at least once, and of each item in order', async (t) => {
  const data = await openDataFolder(t)
  let server = await startServer(data, FLAGS)
  const watched = await watch(t, server)
  // With a database server another process takes over; with a file the next one does.
  const deputies = TEST_ENGINE === 'postgres' ? [await startServer(data, FLAGS)] : []
  for (let kill = 0; kill < KILLS; kill += 1) {
    const victim = server
    await writeUntil(victim.origin, watched.authorization, () => victim.stop('SIGKILL'))
    server = await startServer(data, FLAGS)
  }
  await assertTold(server.origin, watched)
  // Nothing went wrong that nobody waits for.
  for (const { problems } of [server, ...deputies]) assert.doesNotMatch(problems(), /webhook/)
})
