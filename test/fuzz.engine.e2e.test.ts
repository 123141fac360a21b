import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { addPassword, addUser } from '../src/accounts/users/index.ts'
import { openApp } from '../src/app/app.ts'
import { readConfig } from '../src/base/config.ts'
import { createLog } from '../src/base/log.ts'
import { ROLES } from '../src/http/auth/rights.ts'
import { openStorage } from '../src/storage/open.ts'
import { diceOf } from './fuzz/dice.ts'
import { type Material, type Request, requestOf } from './fuzz/requests.ts'
import { idsOf, pagesOf, targetsOf } from './fuzz/targets.ts'
import { faultOf } from './fuzz/verdict.ts'
import { Lane } from './fuzz/wire.ts'
import { draws, SEED } from './support/draws.ts'
import { assertCopiesFollow, assertJournalMirrors } from './support/mirror.ts'
import { databaseOf, startServer, UNLIMITED } from './support/server.ts'
import { rowsOf } from './support/storage.ts'

const COUNT = draws(100_000, 2000)
/** Connections at once. */
const LANES = 12
/** Most memory that the server may hold in the end, in MiB. */
const MEMORY = 1024

/** Adds a user of each role and returns their Authorization headers, by role. */
async function credentialsIn(data: string): Promise<Map<string, string>> {
  const now = Date.now
  const config = readConfig({ port: '0', data, database: await databaseOf(data) }, {})
  const app = await openApp(config, { now, log: createLog({ level: 'silent', now }), role: 'serve' })
  const headers = new Map<string, string>()
  for (const role of ROLES) {
    await addUser(app, { name: role, email: `${role}@example.org`, role })
    const { password } = await addPassword(app, { name: role })
    headers.set(role, `Basic ${Buffer.from(`${role}:${password}`).toString('base64')}`)
  }
  await app.close()
  return headers
}

/** Something of each kind to begin with. */
async function plant(origin: string, authorization: string): Promise<void> {
  const headers = { authorization, 'content-type': 'application/json' }
  for (let n = 0; n < 24; n += 1) {
    const event = {
      title: 'Seed',
      start_date: '2027-03-01 10:00:00',
      end_date: '2027-03-01 12:00:00',
      venue: { venue: `Seed ${n}` },
      organizer: { organizer: `Seed ${n}` },
      categories: [`c${n}`],
      tags: [`t${n}`],
      ...(n % 8 === 1 && { password: 'open' }),
    }
    const answer = await fetch(`${origin}/cal/events/v1/events`, {
      method: 'POST',
      headers,
      body: JSON.stringify(event),
    })
    assert.equal(answer.status, 201)
  }
}

interface Outcome {
  /** What was wrong, at most ten of it. */
  readonly faults: string[]
  /** How many requests were served as asked. */
  served: number
}

/** Sends the requests over all lanes. */
async function run(material: Material, port: number, data: string): Promise<Outcome> {
  const outcome: Outcome = { faults: [], served: 0 }
  let index = 0
  const work = async (): Promise<void> => {
    const lane = new Lane(port)
    while (index < COUNT && outcome.faults.length < 10) {
      const own = index
      index += 1
      const request = requestOf(diceOf(SEED, own), material)
      const heard = await lane.ask(request).catch((error: unknown) => String(error))
      const fault = typeof heard === 'string' ? heard : faultOf(heard, data)
      if (fault !== undefined) outcome.faults.push(`request ${own}: ${fault}\n${shown(request)}`)
      if (typeof heard !== 'string' && heard.status >= 200 && heard.status < 300) outcome.served += 1
    }
    lane.close()
  }
  await Promise.all(Array.from({ length: LANES }, work))
  return outcome
}

function shown({ bytes }: Request): string {
  return JSON.stringify(
    bytes
      .toString('latin1')
      .replace(/(?<=Basic )\S+/g, '...')
      .slice(0, 3000),
  )
}

/** MiB of memory that a process holds; 0 where the system does not tell. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024
}

/** Every list opens, and every event of every status. */
async function assertReadable(origin: string, authorization: string): Promise<void> {
  const read = async (path: string): Promise<Response> =>
    fetch(`${origin}/cal/events/v1${path}`, { headers: { authorization } })
  for (const list of ['events', 'venues', 'organizers', 'categories', 'tags'])
    assert.equal((await read(`/${list}?hide_empty=0`)).status, 200, list)
  for (const status of ['any', 'trash']) {
    for (let page = 1; ; page += 1) {
      const answer = await read(`/events?per_page=50&status=${status}&page=${page}&starts_after=1000-01-01`)
      if (answer.status === 404) break
      assert.equal(answer.status, 200)
      const { events } = (await answer.json()) as { events: { id: number }[] }
      for (const { id } of events) assert.equal((await read(`/events/${id}`)).status, 200, `event ${id}`)
    }
  }
}

async function assertWhole(data: string): Promise<string> {
  const storage = await openStorage({ database: await databaseOf(data) })
  try {
    await assertJournalMirrors(storage)
    await assertCopiesFollow(storage)
    const [counted] = await rowsOf(storage, 'select count(*) as n, max(seq) as last from journal')
    assert.equal(counted?.['n'], counted?.['last'], 'the journal has a gap')
    const [events] = await rowsOf(storage, 'select count(*) as n from event')
    return `${events?.['n']} events, journal ${counted?.['n']}`
  } finally {
    await storage.close()
  }
}

test(`${COUNT} requests of any bytes end in no failure of the server and tell nothing of its inside`, async (t) => {
  t.diagnostic(`KALENDS_TEST_SEED=${SEED}`)
  const data = await mkdtemp(join(tmpdir(), 'kalends-fuzz-'))
  t.after(() => rm(data, { recursive: true, force: true }))
  const users = await credentialsIn(data)
  const server = await startServer(data, ['--trusted-proxies', '127.0.0.1', ...UNLIMITED])
  t.after(() => server.stop('SIGKILL'))
  const authorization = users.get('administrator') ?? ''
  await plant(server.origin, authorization)
  const targets = await targetsOf(server.origin)
  const material = {
    targets,
    ids: await idsOf(server.origin, targets),
    pages: await pagesOf(server.origin),
    credentials: [...users.values()],
  }
  t.diagnostic(`${material.targets.length} methods of routes, ${material.pages.length} pages`)

  const started = performance.now()
  const { faults, served } = await run(material, Number(new URL(server.origin).port), data)
  const took = (performance.now() - started) / 1000
  const memory = await memoryOf(server.child.pid ?? 0)
  assert.deepEqual(faults, [], `seed ${SEED}`)
  assert.equal(server.problems(), '', 'the server logged an error')
  assert.ok(memory < MEMORY, `the server holds ${Math.round(memory)} MiB`)
  await assertReadable(server.origin, authorization)
  assert.equal(await server.stop('SIGTERM'), 0)
  assert.ok(served > COUNT / 20, `only ${served} requests were served: the run tests little but refusals`)
  const left = await assertWhole(data)
  t.diagnostic(
    `${Math.round(took)} s, ${Math.round(COUNT / took)} requests a second, ${Math.round(memory)} MiB, ${served} served, ${left}`,
  )
})
