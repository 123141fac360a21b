import assert from 'node:assert/strict'
import { test } from 'node:test'
import { administratorOf, ask, sending } from './support/processes.ts'
import { openDataFolder, startServer, UNLIMITED } from './support/server.ts'
import { TEST_ENGINE } from './support/test-engine.ts'

/* A venue that takes one event at a time does so whichever process a write comes to. */

/** Rounds of writes that want the same time, each by so many clients at once. */
const ROUNDS = 6
const CLIENTS = 6

interface ListedEvent {
  readonly id: number
  readonly utc_start_date: string
  readonly utc_end_date: string
}

test('no two requests let overlapping events into a venue that takes one at a time', async (t) => {
  const data = await openDataFolder(t)
  const first = await startServer(data, UNLIMITED)
  const servers = TEST_ENGINE === 'sqlite' ? [first] : [first, await startServer(data, UNLIMITED)]
  const authorization = administratorOf(first)
  const api = servers.map(({ origin }) => `${origin}/cal/events/v1`)
  const hall = await ask(`${api[0]}/venues`, sending(authorization, { venue: 'Hall', exclusive: true }))
  const venue = hall?.body.id
  assert.equal(hall?.status, 201)

  for (let round = 0; round < ROUNDS; round += 1) {
    const day = `2027-03-${String(1 + 4 * round).padStart(2, '0')}`
    const answers = await Promise.all(
      Array.from({ length: CLIENTS }, (_, client) => {
        const hours = { start_date: `${day} 1${client % 3}:30:00`, end_date: `${day} 14:00:00`, timezone: 'UTC' }
        const recurrence = client % 2 === 0 ? ['RRULE:FREQ=DAILY;COUNT=3'] : []
        const event = { title: `Round ${round}`, ...hours, recurrence, venue }
        return ask(`${api[client % api.length]}/events`, sending(authorization, event))
      }),
    )
    const statuses = answers.map((answer) => answer?.status).sort()
    assert.deepEqual(statuses, [201, ...Array<number>(CLIENTS - 1).fill(409)], `round ${round}`)
  }

  for (const origin of api) {
    const list = `${origin}/events?venue=${venue}&start_date=2027-01-01&end_date=2028-01-01&per_page=50`
    const answer = await fetch(list, { headers: { authorization } })
    const { events, total } = (await answer.json()) as { events: ListedEvent[]; total: number }
    assert.equal(events.length, total)
    const sorted = events.toSorted((one, other) => (one.utc_start_date < other.utc_start_date ? -1 : 1))
    for (const [index, { id, utc_start_date }] of sorted.entries())
      assert.ok((sorted[index - 1]?.utc_end_date ?? '') <= utc_start_date, `event ${id} overlaps another one`)
  }
})
