import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startCluster } from './support/cluster.ts'
import { administratorOf, EVENT, sending } from './support/processes.ts'
import { startServer } from './support/server.ts'
import { TEST_ENGINE } from './support/test-engine.ts'
import { testFolder } from './support/test-storage.ts'

/*
 * A server whose database goes and comes back, over HTTP. What the storage does in each case is in
 * `src/storage/engines/postgres/away.nightly.test.ts`.
 */

const skip = TEST_ENGINE === 'postgres' && 'has a database of its own: once is enough'

test('while the database is away every answer is 503 with Retry-After, and the log has one line of it', {
  skip,
  timeout: 120_000,
}, async (t) => {
  const cluster = await startCluster()
  t.after(() => cluster.close())
  const server = await startServer(testFolder(t), [
    ...['--database', cluster.database, '--log-level', 'warn'],
    // Whose host is known has no warning about identifiers in its log.
    ...['--site-host', 'calendar.example'],
  ])
  t.after(() => server.stop('SIGKILL'))
  const authorization = administratorOf(server)
  const ask = (path: string, init: RequestInit = {}): Promise<Response> => fetch(`${server.origin}${path}`, init)
  const events = '/cal/events/v1/events'
  const requests = (): Promise<Response>[] => [
    ask(`${events}?per_page=1`),
    ask(`${events}/1`),
    ask(`${events}/1`, { headers: { 'x-kalends-seq': '77' } }),
    ask(events, sending(authorization, EVENT)),
    ask(`${events}/1`, { method: 'DELETE', headers: { authorization } }),
    ask('/kalends/v1/health'),
    ask('/event/talk'),
  ]
  assert.equal((await ask(events, sending(authorization, EVENT))).status, 201)
  await cluster.signal('SIGQUIT')
  for (let round = 0; round < 10; round += 1) {
    for (const answer of await Promise.all(requests())) {
      assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '1'], answer.url)
      const isPage = new URL(answer.url).pathname === '/event/talk'
      assert.equal(answer.headers.get('content-type')?.split(';')[0], isPage ? 'text/html' : 'application/json')
      assert.match(await answer.text(), isPage ? /Try again in a moment\./ : /"code":"rest_unavailable"/)
    }
  }
  await cluster.start()
  while ((await ask('/kalends/v1/health')).status !== 200) await sleep(50)
  assert.equal((await ask(events, sending(authorization, EVENT))).status, 201)
  const lines = server.problems().trim().split('\n')
  const said = lines.map((line) => (JSON.parse(line) as { msg: string }).msg.replace(/postgres:\S+calendar/, 'D'))
  assert.deepEqual(said, ['the database D is away; requests are refused until it is back', 'the database D is back'])
})
