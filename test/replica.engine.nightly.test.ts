import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { endSessionsOf } from '../src/accounts/sessions/index.ts'
import { findLogin } from '../src/accounts/users/index.ts'
import { visitor, visitorAt } from './support/admin.ts'
import { openTestApp } from './support/app.ts'
import { skipWithout } from './support/missing.ts'
import { programsForReplicas, REPLICA_PROGRAMS, startPair } from './support/replica.ts'
import { type ServerProcess, startServer } from './support/server.ts'
import { TEST_ENGINE } from './support/test-engine.ts'
import { testFolder } from './support/test-storage.ts'

/*
 * Two servers that share a primary and read from its replica, over HTTP. What the storage does in each case is in
 * `src/storage/engines/postgres/replica.nightly.test.ts`.
 */

const programs = programsForReplicas()
const lacking = skipWithout(programs !== undefined, REPLICA_PROGRAMS)
const skip = lacking || (TEST_ENGINE === 'postgres' && 'has a database of its own: once is enough')

/** What the log of a server said of the replica. */
function said({ problems }: ServerProcess): string[] {
  const lines = problems().split('\n').filter(Boolean)
  const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg.replace(/postgres:\S+calendar/, 'R'))
  return messages.filter((message) => message.includes('replica'))
}

test('two servers with a replica answer what was written, whatever becomes of it, and say it once', {
  skip,
  timeout: 120_000,
}, async (t) => {
  const pair = await startPair(programs ?? '')
  t.after(() => pair.close())
  const flags = ['--database', pair.primary.database, '--database-read', pair.replica.database, '--log-level', 'warn']
  const data = testFolder(t)
  const start = async (): Promise<ServerProcess> => {
    const server = await startServer(data, flags)
    t.after(() => server.stop('SIGKILL'))
    return server
  }
  const [one, other] = [await start(), await start()]
  const password = /Password {2}(.*)/.exec(one.output())?.[1] ?? ''
  const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`

  let written = 0
  const write = async (): Promise<string> => {
    written += 1
    const body = JSON.stringify({ name: `tag ${written}` })
    const headers = { authorization, 'content-type': 'application/json' }
    const answer = await fetch(`${one.origin}/cal/events/v1/tags`, { method: 'POST', headers, body })
    assert.equal(answer.status, 201, await answer.text())
    return answer.headers.get('x-kalends-seq') ?? ''
  }
  const total = async ({ origin }: ServerProcess, headers: Record<string, string> = {}): Promise<number> => {
    const answer = await fetch(`${origin}/cal/events/v1/tags?hide_empty=false`, { headers })
    return ((await answer.json()) as { total: number }).total
  }
  /** Every write is seen at once where it was made, and elsewhere by whoever says what it was. */
  const assertSeen = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) {
      const seq = await write()
      assert.deepEqual([await total(one), await total(other, { 'x-kalends-seq': seq })], [written, written])
    }
  }
  /** Goes on until the log of both has said something last. */
  const until = async (last: RegExp): Promise<void> => {
    while (![one, other].every((server) => last.test(said(server).at(-1) ?? ''))) {
      await assertSeen(1)
      await sleep(20)
    }
  }

  await until(/^reading from the replica R/)
  await assertSeen(20)
  const before = [one, other].map((server) => said(server).length)
  await pair.replica.ask('select pg_wal_replay_pause()')
  await until(/is behind/)
  await pair.replica.ask('select pg_wal_replay_resume()')
  await until(/again$/)
  await pair.replica.signal('SIGQUIT')
  await until(/is away/)
  await assertSeen(10)
  await pair.replica.start()
  await until(/again$/)
  const [first = [], second = []] = [one, other].map((server, index) => said(server).slice(before[index]))
  const behind = 'the replica R is behind; reading from the primary'
  const away = 'the replica R is away; reading from the primary'
  for (const lines of [first, second]) {
    assert.deepEqual(lines.slice(0, 3), [behind, 'reading from the replica R again', away])
    // It may come back behind for a moment; never is the same said twice.
    assert.ok(lines.length <= 5 && lines.every((line, index) => line !== lines[index - 1]), lines.join('\n'))
  }
})

test('a session begins and ends at once, also while the replica does not know of it', {
  skip,
  timeout: 120_000,
}, async (t) => {
  const pair = await startPair(programs ?? '')
  const site = await openTestApp(t, { database: pair.primary.database, databaseRead: pair.replica.database })
  t.after(() => pair.close())
  const { app, clock, origin } = site
  const before = await visitor(site, 'editor')
  const isIn = async ({ show }: typeof before): Promise<boolean> => (await show('/admin')).status === 200
  /** The server looks at the replica again when its clock has gone on. */
  const untilUsed = async (): Promise<void> => {
    for (let state: string | undefined; state !== 'used'; state = app.storage.stats().replica) {
      clock.now += 1000
      assert.ok(await isIn(before))
      await sleep(20)
    }
  }
  await untilUsed()
  await pair.replica.ask('select pg_wal_replay_pause()')
  const { id = 0 } = (await findLogin(app.storage, 'editor')) ?? {}
  await endSessionsOf(app, id)
  clock.now += 1000
  assert.equal(await isIn(before), false, 'it has ended')
  assert.equal(await isIn(await visitorAt(origin, 'editor')), true, 'it has begun')
  await pair.replica.ask('select pg_wal_replay_resume()')
})
