import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { KalendsError, kalends as openClient } from '../../clients/typescript/src/index.ts'
import { assertMirrors, MemoryStore } from '../support/calendar-copy.ts'
import { draws } from '../support/draws.ts'
import { administratorOf } from '../support/processes.ts'
import { RandomWrites } from '../support/random-writes.ts'
import { openRelay } from '../support/relay.ts'
import { kalends, openDataFolder, startServer, UNLIMITED } from '../support/server.ts'

const WRITES = draws(10_000, 300)
const ROUNDS = draws(25, 2)
/** Longest wait for a mirror that follows, milliseconds. */
const PATIENCE = 60_000

type Login = readonly [name: string, password: string]

async function addUser(data: string, role: string): Promise<Login> {
  await kalends('user', 'add', role, '--role', role, '--email', `${role}@example.org`, '--data', data)
  const { password } = JSON.parse(await kalends('password', 'add', role, '--json', '--data', data)) as {
    password: string
  }
  return [role, password]
}

function basic([name, password]: Login): string {
  return `Basic ${btoa(`${name}:${password}`)}`
}

test(`after ${WRITES} random writes with ${ROUNDS} kills and an expired cursor mirrors equal the lists`, async (t) => {
  const data = await openDataFolder(t)
  const flags = [...UNLIMITED, '--synchronous', 'NORMAL']
  let server = await startServer(data, flags)
  const relay = await openRelay(t, server.origin)
  const administrator = administratorOf(server)
  const [editor, author] = await Promise.all([addUser(data, 'editor'), addUser(data, 'author')])
  const writes = new RandomWrites()
  let acknowledged = 0
  let isAlive = true

  const write = async (authorization: string): Promise<void> => {
    const next = writes.next()
    const headers = { authorization, 'content-type': 'application/json' }
    const { method, path } = next
    const response = await fetch(`${server.origin}/cal/events/v1${path}`, {
      method,
      headers,
      body: JSON.stringify(next.json),
    })
    const body = (await response.json()) as { id: number; series?: object }
    assert.ok(response.status < 500, `${method} ${path} ${response.status}`)
    if (response.status === 404) writes.forget(next)
    if (!response.ok) return
    acknowledged += 1
    const dates =
      body.series &&
      (await fetch(`${server.origin}/cal/events/v1/events?series=${body.id}&ends_after=1000-01-01&_fields=events.id`))
    const { events = [] } = dates?.ok === true ? ((await dates.json()) as { events: { id: number }[] }) : {}
    writes.learn(next, [body.id, ...events.map(({ id }) => id)])
  }
  const writeUntil = async (authorization: string, count: number): Promise<void> => {
    while (isAlive && acknowledged < count) {
      try {
        await write(authorization)
      } catch (error) {
        if (isAlive || error instanceof assert.AssertionError) throw error
      }
    }
  }

  // One follows as visitors could, in one go; others start again and again, and die in between.
  const following = new MemoryStore()
  const stop = new AbortController()
  const mirror = openClient(relay.origin).mirror(following, { signal: stop.signal })
  t.after(() => {
    isAlive = false
    stop.abort()
  })
  const stores = [
    { login: editor, store: new MemoryStore() },
    { login: author, store: new MemoryStore() },
    { login: undefined, store: new MemoryStore() },
  ] as const
  const clientOf = (login: Login | undefined) => openClient(relay.origin, login && { login, retries: 0 })
  const restartOften = async ({ login, store }: (typeof stores)[number]): Promise<void> => {
    store.disturb = () => {
      if (!isAlive || writes.number(300) === 0) throw new Error('died')
    }
    while (isAlive) {
      await clientOf(login)
        .mirror(store, { once: true })
        .catch((error: Error) => assert.ok(error.message === 'died' || error instanceof KalendsError, error))
      await sleep(200)
    }
  }

  for (let round = 1; round <= ROUNDS; round += 1) {
    const until = Math.ceil((WRITES * round) / ROUNDS)
    isAlive = true
    const restarting = stores.map(restartOften)
    const writing = [administrator, basic(editor), basic(author)].map((login) => writeUntil(login, until))
    await Promise.any(writing)
    isAlive = false
    await server.stop('SIGKILL')
    await Promise.all([...writing, ...restarting])
    server = await startServer(data, flags)
    relay.target = server.origin
    for (const { login, store } of stores) {
      store.disturb = () => undefined
      if (round === 2 && login === editor) store.cursor(Buffer.from('c1:999999999').toString('base64url'))
      await clientOf(login).mirror(store, { once: true })
      await assertMirrors(store, relay.origin, login && basic(login))
    }
  }

  // Terms that only drafts use vanish without a change that visitors see: they follow with the next one.
  const headers = { authorization: administrator, 'content-type': 'application/json' }
  await fetch(`${server.origin}/cal/events/v1/venues`, { method: 'POST', headers, body: '{"venue": "Last"}' })
  for (const deadline = Date.now() + PATIENCE; ; await sleep(100)) {
    const problem = await assertMirrors(following, relay.origin).catch((error: unknown) => error)
    if (problem === undefined) break
    if (Date.now() > deadline) throw problem
  }
  stop.abort()
  await mirror
  const { event, venue, category } = following.items
  assert.ok(event.size > 0 && venue.size > 0 && category.size > 0)
  t.diagnostic(`${acknowledged} writes, ${event.size} public events, ${relay.requests.length} requests of mirrors`)
})
