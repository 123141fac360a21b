import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { openStorage } from '../src/storage/open.ts'
import { type Crew, startCrew } from './support/crew.ts'
import { draws } from './support/draws.ts'
import { type Arrived, EVENT } from './support/processes.ts'
import { databaseOf, openDataFolder } from './support/server.ts'
import { TEST_ENGINE } from './support/test-engine.ts'

/*
 * What must hold while server processes are killed: a write with an Idempotency-Key takes effect exactly once, however
 * often it is sent, and no writer with If-Match overwrites what another has written.
 */

/** Kills under keyed writes, and seconds of editing. */
const KILLS = draws(TEST_ENGINE === 'postgres' ? 60 : 140, TEST_ENGINE === 'postgres' ? 6 : 14)
const SECONDS = draws(30, 3)
/**
 * Events that the clients may make for each kill: more than they make until the next one comes, but while a server starts
 * on a slow machine, others go on, and what a user may have stored under keys has a limit.
 */
const EVENTS_OF_A_LIFE = 60
const EDITORS = 50
/** Milliseconds that a busy machine may take. */
const LONGEST = 120_000 + KILLS * 9000 + SECONDS * 4000

/** Answers after which a request is sent again: nobody knows, not now, still under way. */
const AGAIN = [409, 502, 503]

/** Sends a request until it is answered, sometimes giving up early; the number of answers that were kept. */
async function persist(crew: Crew, path: string, init: RequestInit): Promise<Arrived & { readonly isReplay: boolean }> {
  const keyed = { ...init, headers: { ...init.headers, 'idempotency-key': randomUUID() } }
  for (;;) {
    const answer = await crew.send(path, keyed, Math.random() < 0.2 ? 1 + Math.floor(Math.random() * 20) : undefined)
    if (answer === undefined || AGAIN.includes(answer.status)) continue
    return { ...answer, isReplay: answer.headers.has('idempotency-replayed') }
  }
}

/** What one client has done, as it was answered. */
interface Done {
  readonly title: string
  /** Changes that were answered. */
  changes: number
  isDeleted: boolean
}

test('a write with a key takes effect exactly once while servers are killed', { timeout: LONGEST }, async (t) => {
  const data = await openDataFolder(t)
  const crew = await startCrew(data)
  const done: Done[] = []
  let replays = 0
  const expect = async (status: number, path: string, init: RequestInit): Promise<Arrived> => {
    const answer = await persist(crew, path, init)
    assert.equal(answer.status, status, `${init.method} ${path}: ${JSON.stringify(answer.body)}`)
    if (answer.isReplay) replays += 1
    return answer
  }
  const client = async (name: number): Promise<void> => {
    for (let turn = 0; crew.kills() < KILLS; turn += 1) {
      if (done.length >= (crew.kills() + 1) * EVENTS_OF_A_LIFE) await crew.nextKill()
      const one: Done = { title: `Event ${name}.${turn}`, changes: 0, isDeleted: false }
      done.push(one)
      const made = await expect(201, '/events', {
        method: 'POST',
        body: JSON.stringify({ ...EVENT, title: one.title }),
      })
      const path = `/events/${made.body.id}`
      let tag = made.headers.get('etag') ?? ''
      for (let change = 0; change < 2; change += 1) {
        const body = JSON.stringify({ description: `Change ${change}` })
        // A change that had happened before would be refused for its tag now.
        const changed = await expect(200, path, { method: 'PATCH', body, headers: { 'if-match': tag } })
        tag = changed.headers.get('etag') ?? ''
        one.changes += 1
      }
      if (turn % 3 > 0) continue
      // What is in the trash already is 410.
      await expect(200, path, { method: 'DELETE', headers: { 'if-match': tag } })
      one.isDeleted = true
    }
  }
  const clients = Array.from({ length: 6 }, (_none, name) => client(name))
  await Promise.all([crew.killWhile(() => crew.kills() < KILLS), ...clients])
  await crew.stop()
  const rows = await eventsIn(t, data)
  assert.equal(rows.length, done.length)
  const byTitle = new Map(rows.map((row) => [row.title, row]))
  for (const { title, changes, isDeleted } of done) {
    const row = byTitle.get(title)
    const expected = { revision: 1 + changes + (isDeleted ? 1 : 0), status: isDeleted ? 'trash' : 'publish' }
    assert.deepEqual({ revision: row?.revision, status: row?.status }, expected, title)
  }
  t.diagnostic(`${crew.kills()} kills, ${done.length} events, ${replays} responses sent again`)
})

test(`${EDITORS} editors of one event lose no update while servers are killed`, { timeout: LONGEST }, async (t) => {
  const data = await openDataFolder(t)
  const crew = await startCrew(data)
  const made = await persist(crew, '/events', {
    method: 'POST',
    body: JSON.stringify({ ...EVENT, description: '<p>-</p>' }),
  })
  const path = `/events/${made.body.id}`
  const until = performance.now() + SECONDS * 1000
  const acknowledged: string[] = []
  /** Sent without a key, and never answered: they may have happened. */
  const uncertain = new Set<string>()
  let refused = 0
  /** However slow the machine is, somebody was first and somebody too late. */
  const isOver = (): boolean => performance.now() >= until && acknowledged.length > 0 && refused > 0
  const editor = async (name: number): Promise<void> => {
    for (let turn = 0; !isOver(); turn += 1) {
      const word = `${name}.${turn}`
      const read = await crew.send(`${path}?_fields=description`, { method: 'GET' })
      if (read?.status !== 200) continue
      const body = JSON.stringify({ description: appended(descriptionOf(read), word) })
      const headers = { 'if-match': read.headers.get('etag') ?? '' }
      const isKeyed = name % 2 === 0
      const write = { method: 'PUT', body, headers }
      const answer = isKeyed ? await persist(crew, path, write) : await crew.send(path, write)
      if (answer?.status === 200) acknowledged.push(word)
      else if (answer?.status === 412) refused += 1
      else if (answer === undefined || answer.status === 502) uncertain.add(word)
      else assert.equal(answer.status, 503)
    }
  }
  const editors = Array.from({ length: EDITORS }, (_none, name) => editor(name))
  await Promise.all([crew.killWhile(() => !isOver(), 1500), ...editors])
  await crew.stop()
  const [row] = await eventsIn(t, data)
  const words = wordsOf(row?.description ?? '')
  assert.deepEqual(words.length, new Set(words).size, 'no word twice')
  assert.equal(row?.revision, 1 + words.length, 'each change added one word')
  const lost = acknowledged.filter((word) => !words.includes(word))
  const invented = words.filter((word) => !acknowledged.includes(word) && !uncertain.has(word))
  assert.deepEqual({ lost, invented }, { lost: [], invented: [] })
  const counts = `${acknowledged.length} changes acknowledged, ${refused} refused, ${uncertain.size} uncertain`
  t.diagnostic(`${counts}, ${crew.kills()} kills in ${SECONDS} seconds`)
})

function descriptionOf({ body }: Arrived): string {
  return String(Reflect.get(body, 'description'))
}

function appended(description: string, word: string): string {
  return description.replace(/<\/p>\s*$/, ` ${word}</p>`)
}

function wordsOf(description: string): string[] {
  return description.match(/\d+\.\d+/g) ?? []
}

async function eventsIn(t: TestContext, data: string) {
  const storage = await openStorage({ database: await databaseOf(data) })
  t.after(() => storage.close())
  return storage.all(storage.db.selectFrom('event').select(['title', 'revision', 'status', 'description']))
}
