import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import test from 'node:test'
import { setTimeout as rest } from 'node:timers/promises'
import { kalends } from '../../clients/typescript/src/index.ts'
import { atEnd, type TestScope } from '../support/at-end.ts'
import { draws, SEED } from '../support/draws.ts'
import { administratorOf } from '../support/processes.ts'
import { openDataFolder, startServer, UNLIMITED } from '../support/server.ts'

/** Share of the connections that are cut, after at most so many bytes. */
const CUT = 0.9
const BYTES = 15_000

/** Numbers from 0 to 1, the same in each run. */
function randomNumbers(): () => number {
  let state = SEED
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** A way to a server whose connections are cut after some bytes, inside of requests and responses. */
async function openCutter(t: TestScope, random: () => number) {
  const cutter = { origin: '', target: 0, cuts: 0 }
  const server = createServer((client) => {
    const upstream = connect(cutter.target, '127.0.0.1')
    const end = (): void => {
      client.destroy()
      upstream.destroy()
    }
    let left = random() < CUT ? Math.ceil(random() * BYTES) : Number.POSITIVE_INFINITY
    const pass = (from: Socket, to: Socket): void => {
      from.on('error', end).on('close', end)
      from.on('data', (bytes: Buffer) => {
        to.write(bytes.subarray(0, Math.max(0, left)))
        left -= bytes.length
        if (left > 0) return
        cutter.cuts += 1
        setImmediate(end)
      })
    }
    pass(client, upstream)
    pass(upstream, client)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(t, async () => {
    server.close()
  })
  cutter.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return cutter
}

test('each event whose creation is reported exists once, whatever breaks meanwhile', async (t) => {
  const data = await openDataFolder(t)
  const random = randomNumbers()
  const cutter = await openCutter(t, random)
  const start = async () => {
    const server = await startServer(data, UNLIMITED)
    cutter.target = Number(new URL(server.origin).port)
    return server
  }
  let server = await start()
  const [name = '', password = ''] = atob(administratorOf(server).slice('Basic '.length)).split(/:(.*)/)
  const login = [name, password] as const

  const created = new Map<string, number>()
  let isOver = false
  const write = async (worker: number): Promise<void> => {
    const c = kalends(cutter.origin, { login, retries: 3 })
    for (let number = 0; !isOver; number += 1) {
      const title = `Event ${worker}.${number}`
      const times = { start_date: '2031-06-07 19:00', end_date: '2031-06-07 21:00' }
      const made = await c.events.create({ ...times, title }).catch(() => undefined)
      if (made !== undefined) created.set(title, made.id)
    }
  }
  const writing = Promise.all(Array.from({ length: 6 }, (_none, worker) => write(worker)))
  for (let kills = draws(40, 3); kills > 0; kills -= 1) {
    await rest(300 + random() * 1200)
    await server.stop('SIGKILL')
    server = await start()
  }
  await rest(500)
  isOver = true
  await writing

  const found = await kalends(server.origin, { login }).events.list({ ends_after: '1000-01-01' }).toArray()
  const ids = new Map(found.map((event) => [event.title, event.id]))
  assert.equal(ids.size, found.length, 'some event exists twice')
  for (const [title, id] of created) assert.equal(ids.get(title), id, title)
  assert.ok(created.size > 5 && cutter.cuts > 3, `${created.size} created, ${cutter.cuts} connections cut`)
  t.diagnostic(`${created.size} reported of ${found.length}, ${cutter.cuts} connections cut`)
})
