import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { administratorOf, EVENT, sending } from './support/processes.ts'
import { openDataFolder, type ServerProcess, startServer } from './support/server.ts'

/** Seconds of the windows: longer than a test may take, so that none ends within one. */
const LONG = 80_000

async function openTwo(t: TestContext, flags: readonly string[]): Promise<ServerProcess> {
  const data = await openDataFolder(t)
  return startServer(data, ['--workers', '2', '--log-level', 'warn', ...flags])
}

/** Statuses of requests, each on a connection of its own, which either worker takes. */
async function statusesOf(count: number, ask: (number: number) => Promise<Response>): Promise<number[]> {
  const statuses: number[] = []
  for (let number = 0; number < count; number += 1) {
    const answer = await ask(number)
    await answer.arrayBuffer()
    statuses.push(answer.status)
  }
  return statuses
}

const ALONE = { connection: 'close' }

test('two workers count the reads of a client together', async (t) => {
  const server = await openTwo(t, ['--limit-reads', `20/${LONG}`])
  const statuses = await statusesOf(40, (number) =>
    fetch(`${server.origin}/cal/events/v1/tags?per_page=${number + 1}`, { headers: ALONE }),
  )
  assert.deepEqual(statuses, [...Array<number>(20).fill(200), ...Array<number>(20).fill(429)])
})

test('a write is counted once, also when another worker does it, and for its client', async (t) => {
  const flags = ['--limit-writes', `12/${LONG}`, '--trusted-proxies', '127.0.0.1']
  const server = await openTwo(t, flags)
  const authorization = administratorOf(server)
  const write = (address: string): Promise<Response> => {
    const { headers, ...init } = sending(authorization, EVENT)
    const own = { ...headers, ...ALONE, 'x-forwarded-for': address }
    return fetch(`${server.origin}/cal/events/v1/events`, { ...init, headers: own })
  }
  const created = await write('192.0.2.1')
  assert.equal(created.status, 201)
  assert.match(created.headers.get('ratelimit-policy') ?? '', new RegExp(`^"writes";q=12;w=${LONG}$`))
  assert.match(created.headers.get('ratelimit') ?? '', /^"writes";r=11;t=\d+$/)
  await created.arrayBuffer()
  const nameless = (address: string): Promise<Response> =>
    fetch(`${server.origin}/cal/events/v1/events`, {
      method: 'POST',
      headers: { ...ALONE, 'x-forwarded-for': address },
    })
  const statuses = await statusesOf(20, () => nameless('192.0.2.1'))
  assert.deepEqual(statuses, [...Array<number>(11).fill(400), ...Array<number>(9).fill(429)])
  assert.deepEqual(await statusesOf(2, () => nameless('192.0.2.2')), [400, 400])
})

test('two workers count failed log-ins of an address together, and the log tells of them', async (t) => {
  const server = await openTwo(t, ['--limit-log-ins', `6/${LONG}`])
  const authorization = `Basic ${btoa('nobody:not to be logged')}`
  const statuses = await statusesOf(9, () =>
    fetch(`${server.origin}/cal/events/v1/venues`, { headers: { ...ALONE, authorization, 'x-request-id': 'r-1' } }),
  )
  assert.deepEqual(statuses, [...Array<number>(6).fill(401), ...Array<number>(3).fill(429)])
  const lines = server
    .problems()
    .split('\n')
    .filter((line) => line.includes('a log-in failed'))
  assert.equal(lines.length, 6)
  for (const line of lines) {
    const { address, name, requestId } = JSON.parse(line) as Record<string, unknown>
    assert.deepEqual([address, name, requestId], ['127.0.0.1', 'nobody', 'r-1'])
    assert.ok(!line.includes('not to be logged'))
  }
})

test('two workers count the guesses of a client at the password of an event together', async (t) => {
  const server = await openTwo(t, ['--limit-guesses', `6/${LONG}`])
  const guarded = { ...EVENT, status: 'publish', password: 'right' }
  const made = await fetch(`${server.origin}/cal/events/v1/events`, sending(administratorOf(server), guarded))
  const { id } = (await made.json()) as { id: number }
  const statuses = await statusesOf(9, (number) =>
    fetch(`${server.origin}/cal/events/v1/events/${id}?password=wrong-${number}`, { headers: ALONE }),
  )
  assert.deepEqual(statuses, [...Array<number>(6).fill(403), ...Array<number>(3).fill(429)])
})

test('a failed log-in is told with its whole address, also where no number of them is too many', async (t) => {
  const flags = ['--limit-log-ins', 'none', '--trusted-proxies', '127.0.0.1', '--site-host', 'calendar.example']
  const server = await startServer(await openDataFolder(t), [...flags, '--log-level', 'warn', '--log-format', 'json'])
  const headers = { authorization: `Basic ${btoa('nobody:wrong')}`, 'x-forwarded-for': '2001:db8::7' }
  const answer = await fetch(`${server.origin}/cal/events/v1/venues`, { headers })
  assert.equal(answer.status, 401)
  const { address, name, requestId } = JSON.parse(server.problems()) as Record<string, unknown>
  assert.deepEqual([address, name, requestId], ['2001:db8::7', 'nobody', answer.headers.get('x-request-id')])
})

test('a batch that is made as a whole tries the password of an event without waiting for the other processes', async (t) => {
  const server = await openTwo(t, ['--limit-guesses', `6/${LONG}`])
  const authorization = administratorOf(server)
  const guarded = { ...EVENT, status: 'publish', password: 'right' }
  const made = await fetch(`${server.origin}/cal/events/v1/events`, sending(authorization, guarded))
  const { id } = (await made.json()) as { id: number }
  for (const password of ['wrong', 'right']) {
    const requests = [{ method: 'GET', path: `/events/${id}?password=${password}` }]
    const answer = await fetch(`${server.origin}/kalends/v1/batch`, sending(authorization, { requests }))
    const body = (await answer.json()) as { responses?: readonly { readonly status: number }[] }
    assert.deepEqual([answer.status, body.responses?.map(({ status }) => status)], [200, [200]], JSON.stringify(body))
  }
})
