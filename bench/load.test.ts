import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { sendLoad } from './load.ts'
import { joined, transactionsOf } from './recorded-statements.ts'
import { rareName } from './seed.ts'
import { nameOf, sequence } from './vocabulary.ts'
import { creates, mixed, READS } from './workloads.ts'

const GROUND = {
  base: '/cal/events/v1',
  authorization: 'Basic eA==',
  ids: [7, 8],
  slugs: ['a', 'b'],
  category: 3,
  venue: 4,
  venues: [4, 5],
  today: '2026-11-20',
}

test('connections of autocannon share the requests of a load, so that none is sent twice before all were', async (t) => {
  const connections = 8
  const paths: (string | undefined)[] = []
  const held: ServerResponse[] = []
  // Nobody is answered before each connection has sent its first request, nor when there is enough to judge by.
  const server = createServer(({ url }, response) => {
    paths.push(url)
    held.push(response)
    if (paths.length >= connections && paths.length < 1_000) for (const one of held.splice(0)) one.end('{}')
  })
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const requests = Array.from({ length: 2_000 }, (_none, number) => ({ method: 'GET', path: `/${number}` }) as const)
  const { port } = server.address() as AddressInfo
  await sendLoad(`http://127.0.0.1:${port}`, { requests, connections, seconds: 2 })
  assert.ok(paths.includes('/0'))
  assert.equal(new Set(paths).size, paths.length)
})

test('no request of a fresh workload is like another one', () => {
  for (const name of ['first-page-fresh', 'overlap', 'category']) {
    const paths =
      READS.find((one) => one.name === name)
        ?.requests(GROUND)
        .map((one) => one.path) ?? []
    assert.equal(new Set(paths).size, paths.length, name)
    assert.ok(paths.length >= 20_000, name)
  }
  assert.ok(creates(GROUND, 3).every((one) => one.authorization === 'Basic eA=='))
  const places = creates(GROUND, 600).map(({ body = '' }) => {
    const { venue, start_date } = JSON.parse(body) as { venue: number; start_date: string }
    return `${venue} ${start_date}`
  })
  assert.equal(new Set(places).size, 600)
  assert.equal(mixed(GROUND).filter((one) => one.method === 'POST').length, 1_000)
})

test('made-up names differ, and the same start gives the same numbers', () => {
  const names = Array.from({ length: 200_000 }, (_none, number) => nameOf(number))
  assert.equal(new Set(names).size, names.length)
  assert.notEqual(rareName(1), rareName(2))
  const [one, other] = [sequence(5), sequence(5)]
  assert.deepEqual([one(), one()], [other(), other()])
})

test('the transactions that were committed are cut out of what was recorded', () => {
  const statement = (sql: string) => ({ sql, by: 'run', parameters: [] }) as const
  const recorded = ['x', 'begin immediate', 'a', 'b', 'commit', 'begin immediate', 'c', 'rollback', 'y']
  const last = ['begin immediate', 'd', 'commit', 'begin immediate', 'e']
  const cut = transactionsOf([...recorded, ...last].map(statement))
  assert.deepEqual(cut, [[statement('a'), statement('b')], [statement('d')]])
})

test('transactions are joined until as many creates share one as there are clients', () => {
  const statement = (sql: string) => ({ sql, by: 'run', parameters: [] }) as const
  const transactions = [['c', 'x'], ['x', 'c'], ['c', 'c', 'c'], ['c']].map((one) => one.map(statement))
  const groups = joined(transactions, { least: 2, isWanted: ({ sql }) => sql === 'c' })
  assert.deepEqual(
    groups.map((group) => group.map(({ sql }) => sql).join('')),
    ['cxxc', 'ccc', 'c'],
  )
})
