import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kalends, openDataFolder, startServer, UNLIMITED } from './support/server.ts'

const WRITERS = 16
const KILLS = 3
/** Changes that each server acknowledges before it is killed. */
const BEFORE_KILL = 40

/** One change as a response has it. */
interface Change {
  readonly seq: number
  readonly id: number
  readonly action: string
  readonly revision: number
  readonly item?: { readonly venue: string }
}

/** JSON of a response with status 2xx; undefined for all others, and where the server was killed. */
async function ask(url: string, init: RequestInit = {}): Promise<Record<string, unknown> | undefined> {
  try {
    const response = await fetch(url, init)
    const body = (await response.json()) as Record<string, unknown>
    return response.ok ? body : undefined
  } catch {
    return undefined
  }
}

/** Creates, renames, trashes and restores venues until the server is killed; `done` counts what was acknowledged. */
async function write(origin: string, authorization: string, done: () => void): Promise<void> {
  const headers = { authorization, 'content-type': 'application/json' }
  const send = (method: string, path: string, json: object) =>
    ask(`${origin}/cal/events/v1${path}`, { method, headers, body: JSON.stringify(json) })
  for (let n = 0; ; n += 1) {
    const made = await send('POST', '/venues', { venue: `Hall ${process.hrtime.bigint()}` })
    if (made === undefined) return
    done()
    const path = `/venues/${made['id']}`
    if ((await send('POST', path, { venue: `Hall ${process.hrtime.bigint()}` })) === undefined) return
    done()
    if (n % 3 > 0 && (await send('DELETE', path, {})) === undefined) return
    if (n % 3 > 1 && (await send('POST', path, { status: 'publish' })) === undefined) return
  }
}

/** A copy of the venues that follows their changes. */
class Follower {
  cursor: string
  readonly changes: Change[] = []
  readonly names = new Map<number, string>()

  constructor(cursor: string) {
    this.cursor = cursor
  }

  /** Reads what there is, or as much of it as the server does before it is killed. */
  async follow(origin: string): Promise<void> {
    for (let more = true; more; ) {
      const query = new URLSearchParams({ since: this.cursor, resource: 'venue', expand: 'item', limit: '25' })
      const page = await ask(`${origin}/kalends/v1/changes?${query}`)
      if (page === undefined) return
      for (const change of page['changes'] as Change[]) this.#apply(change)
      this.cursor = String(page['cursor'])
      more = page['more'] === true
    }
  }

  #apply(change: Change): void {
    this.changes.push(change)
    if (change.action === 'deleted') this.names.delete(change.id)
    else if (change.item !== undefined) this.names.set(change.id, change.item.venue)
  }
}

async function listed(origin: string): Promise<Map<number, string>> {
  const names = new Map<number, string>()
  for (let page = 1; ; page += 1) {
    const body = await ask(`${origin}/cal/events/v1/venues?per_page=50&page=${page}`)
    assert.ok(body)
    for (const { id, venue } of body['venues'] as { id: number; venue: string }[]) names.set(id, venue)
    if (body['next_rest_url'] === undefined) return names
  }
}

test(`a follower of ${WRITERS} writers sees every change once and in order, and ends equal to the list`, async (t) => {
  const data = await openDataFolder(t)
  await kalends('user', 'add', 'writer', '--role', 'administrator', '--email', 'w@example.org', '--data', data)
  const { password } = JSON.parse(await kalends('password', 'add', 'writer', '--json', '--data', data))
  const authorization = `Basic ${Buffer.from(`writer:${password}`).toString('base64')}`
  const flags = [...UNLIMITED]
  let follower: Follower | undefined
  for (let kill = 0; kill < KILLS; kill += 1) {
    const server = await startServer(data, flags)
    const first = await fetch(`${server.origin}/cal/events/v1/venues`)
    await first.text()
    follower ??= new Follower(first.headers.get('x-kalends-cursor') ?? '')
    const own = follower
    const enough = Promise.withResolvers<void>()
    let acknowledged = 0
    const done = (): void => {
      acknowledged += 1
      if (acknowledged >= BEFORE_KILL) enough.resolve()
    }
    let isWriting = true
    const following = (async () => {
      while (isWriting) await own.follow(server.origin)
    })()
    const writers = Array.from({ length: WRITERS }, () => write(server.origin, authorization, done))
    await Promise.race([enough.promise, Promise.all(writers)])
    await server.stop('SIGKILL')
    await Promise.all(writers)
    isWriting = false
    await following
    assert.ok(acknowledged >= BEFORE_KILL, `only ${acknowledged} changes were acknowledged`)
  }
  assert.ok(follower)
  const last = await startServer(data, flags)
  await follower.follow(last.origin)
  const seqs = follower.changes.map(({ seq }) => seq)
  assert.deepEqual(
    seqs,
    [...new Set(seqs)].sort((a, b) => a - b),
  )
  // No revision of a venue is missing or told twice.
  for (const [id, own] of Map.groupBy(follower.changes, (change) => change.id)) {
    assert.deepEqual(
      own.map(({ revision }) => revision),
      own.map((_one, index) => index + 1),
      `venue ${id}`,
    )
  }
  const names = await listed(last.origin)
  assert.ok(names.size > 0)
  assert.deepEqual(
    [...follower.names].sort(([a], [b]) => a - b),
    [...names].sort(([a], [b]) => a - b),
  )
})
