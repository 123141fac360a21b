import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStorage } from '../src/storage/open.ts'
import { draws } from './support/draws.ts'
import { databaseOf, kalends, startServer } from './support/server.ts'
import { numbersOf } from './support/storage.ts'
import { TEST_ENGINE } from './support/test-engine.ts'

/** Only the program is killed; with PostgreSQL the database, which holds the writes, goes on. `.ci/run` asks for more. */
const CRASHES = draws(TEST_ENGINE === 'postgres' ? 3 : 50, 5)
const WRITERS = 4
/** Longest wait for a started server to acknowledge events, milliseconds. */
const PATIENCE = 120_000

/** Creates events as fast as the server answers, until it dies; ids of acknowledged ones go to `acknowledged`. */
async function write(origin: string, authorization: string, acknowledged: number[]): Promise<void> {
  for (let n = 0; ; n += 1) {
    const event = {
      title: `Crash ${n}`,
      start_date: '2027-03-01 10:00:00',
      end_date: '2027-03-01 12:00:00',
      description: 'words to be found',
      venue: { venue: `Hall ${n % 7}` },
      tags: [`tag ${n % 5}`],
    }
    try {
      const answer = await fetch(`${origin}/cal/events/v1/events`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify(event),
      })
      if (answer.status !== 201) throw new Error(`status ${answer.status}`)
      acknowledged.push(((await answer.json()) as { id: number }).id)
    } catch (error) {
      // The connection breaks when the server is killed; an answer other than 201 is a failure of the test.
      if (error instanceof Error && error.message.startsWith('status')) throw error
      return
    }
  }
}

/** Waits until so many events were acknowledged: each crash hits a server that is writing. */
async function untilAcknowledged(acknowledged: readonly number[], count: number): Promise<void> {
  const deadline = Date.now() + PATIENCE
  while (acknowledged.length < count && Date.now() < deadline) await sleep(2)
  assert.ok(acknowledged.length >= count, `only ${acknowledged.length} of ${count} events were acknowledged in time`)
}

test(`after ${CRASHES} kills during concurrent creates every acknowledged event is whole`, async (t) => {
  const data = await mkdtemp(join(tmpdir(), 'kalends-crash-'))
  t.after(() => rm(data, { recursive: true, force: true }))
  await kalends('user', 'add', 'writer', '--role', 'administrator', '--email', 'w@example.org', '--data', data)
  const { password } = JSON.parse(await kalends('password', 'add', 'writer', '--json', '--data', data)) as {
    password: string
  }
  const authorization = `Basic ${Buffer.from(`writer:${password}`).toString('base64')}`
  const acknowledged: number[] = []
  for (let crash = 0; crash < CRASHES; crash += 1) {
    const server = await startServer(data)
    const writers = Array.from({ length: WRITERS }, () => write(server.origin, authorization, acknowledged))
    await untilAcknowledged(acknowledged, acknowledged.length + Math.ceil(Math.random() * 6))
    await sleep(Math.random() * 30)
    await server.stop('SIGKILL')
    await Promise.all(writers)
  }
  assert.ok(acknowledged.length > CRASHES, `only ${acknowledged.length} events were acknowledged`)

  const storage = await openStorage({ database: await databaseOf(data) })
  t.after(() => storage.close())
  // A database server may still be at the last commit of a process that is dead: what gets its turn now comes after it.
  await storage.write(async () => undefined)
  const numbers = (sql: string): Promise<number[]> => numbersOf(storage, sql)
  const events = await numbers('select id as n from event order by id')
  const stored = new Set(events)
  assert.deepEqual(
    acknowledged.filter((id) => !stored.has(id)),
    [],
    'an acknowledged event is missing',
  )
  assert.deepEqual(await numbers('select event_id as n from occurrence order by event_id'), events)
  assert.deepEqual(await numbers('select event_id as n from event_venue order by event_id'), events)
  assert.deepEqual(await numbers('select event_id as n from event_tag order by event_id'), events)
  assert.deepEqual(
    await numbers('select entry_text.id as n from entry_text join event on event.id = entry_text.id order by 1'),
    events,
  )
  assert.deepEqual(
    await numbers(`select id as n from journal where resource = 'event' and action = 'create' order by id`),
    events,
  )
  const [{ length: entries }, [head]] = [
    await numbers('select seq as n from journal'),
    await numbers('select seq as n from journal_head'),
  ]
  assert.deepEqual(await numbers('select max(seq) as n from journal'), [head])
  assert.equal(entries, head, 'the journal has a gap')
  const counted = await numbers('select sum(count) as n from tag')
  assert.deepEqual(counted, [events.length])
  t.diagnostic(`${acknowledged.length} acknowledged, ${events.length} stored, journal ${head}`)
})
