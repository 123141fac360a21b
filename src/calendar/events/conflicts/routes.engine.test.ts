import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, serverParts } from '../../../../test/support/http.ts'
import { ENGINES, openTestStorage } from '../../../../test/support/test-storage.ts'
import { createServer } from '../../../http/server.ts'
import type { Lane, Storage } from '../../../storage/engine.ts'
import { Expansions } from '../expansions.ts'
import { recurrenceRoutes } from '../recurrence-routes.ts'
import type { Lookups } from '../show/load.ts'
import { conflictRoutes } from './routes.ts'

const SITE = {
  ...{ name: '', zone: 'UTC', host: 'calendar.example', currencySymbol: '$', perPageMax: 50 },
  currencyPosition: 'prefix',
} as const

/** A hall that anyone may read; nothing else is looked up. */
const LOOKUPS = {
  venue: { byIds: async () => new Map([[1, { status: 'publish', author_id: 1, exclusive: 0 }]]) },
} as unknown as Lookups

for (const engine of ENGINES) {
  test(`${engine}: who asks for dates alone does not wait for the reads of a venue`, async (t) => {
    const stored = await openTestStorage(engine, t)
    const begun = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const held = async <T>(lane: Lane | undefined, read: () => Promise<T>): Promise<T> => {
      if (lane === 'offloaded') {
        begun.resolve()
        await released.promise
      }
      return read()
    }
    const storage: Storage = {
      ...stored,
      all: (query, lane) => held(lane, () => stored.all(query, lane)),
      first: (query, lane) => held(lane, () => stored.first(query, lane)),
    }
    const expansions = new Expansions({ storage, patience: 600_000 })
    const parts = { storage, site: SITE, lookups: LOOKUPS, recurrenceYears: 5, expansions }
    const server = createServer(serverParts([...conflictRoutes(parts), ...recurrenceRoutes(parts)]))
    t.after(() => server.close())
    const get = (path: string) => ask(server, { method: 'GET', url: `/cal/events/v1${path}` })
    const question = get('/conflicts?venue=1&start_date=2027-03-01')
    await begun.promise
    const dates = await get('/recurrence?start_date=2027-03-01&recurrence=RRULE:FREQ=DAILY;COUNT=3')
    assert.equal(dates.status, 200, dates.text)
    released.resolve()
    const answer = await question
    assert.equal(answer.status, 200, answer.text)
    assert.equal(JSON.parse(answer.text).total, 0)
  })
}
