import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, testDatabase } from '../../test/support/test-storage.ts'
import type { Compilable } from './engine.ts'
import { migrate } from './migrate.ts'
import { MIGRATIONS } from './migrations/index.ts'
import { openStorage } from './open.ts'

for (const engine of ENGINES) {
  test(`${engine}: events that were stored before there were counters are counted`, async (t) => {
    const storage = await openStorage({ database: await testDatabase(engine, t), synchronous: 'NORMAL' })
    t.after(() => storage.close())
    const now = (): number => 0
    await migrate(storage, { now, migrations: MIGRATIONS.slice(0, 2) })
    const event = { ...EVENT, start_local: '2027-01-31 22:00:00', end_local: '2027-02-01 01:00:00' }
    const when = { start_local: event.start_local, end_local: event.end_local, start_utc: '', end_utc: '' }
    const order = { listed: 1, status: 'publish', published_at: '' }
    await storage.write(async (tx) => {
      await tx.run(tx.db.insertInto('event').values(event as never))
      await tx.run(
        tx.db
          .insertInto('occurrence')
          .values({ ...when, ...order, id: 7, event_id: 7, span: 1, author_id: 1, featured: 0 }),
      )
      const link = { kind: 3, target_id: 9, start_local: event.start_local, occurrence_id: 7, event_id: 7 }
      await tx.run(tx.db.insertInto('occurrence_link').values({ ...order, ...link }))
    })
    await migrate(storage, { now })
    const counted = await storage.all(text('select * from event_count order by kind, level, period'))
    const of = (kind: number, target_id: number): object[] => [
      { kind, target_id, status: 'publish', level: 1, period: '2027-01', starts: 1, ends: 0 },
      { kind, target_id, status: 'publish', level: 1, period: '2027-02', starts: 0, ends: 1 },
      { kind, target_id, status: 'publish', level: 2, period: '2027-01-31', starts: 1, ends: 0 },
      { kind, target_id, status: 'publish', level: 2, period: '2027-02-01', starts: 0, ends: 1 },
    ]
    assert.deepEqual(counted, [...of(0, 0), ...of(3, 9)])
  })
}

function text(sql: string): Compilable<object> {
  return { compile: () => ({ sql, parameters: [] }) }
}

/** An event in the columns of that time. */
const EVENT = {
  id: 7,
  author_id: 1,
  status: 'publish',
  trashed_from: null,
  slug: 'seven',
  published_at: '',
  modified_at: '',
  description: '',
  excerpt: '',
  image_id: null,
  image_recorded: null,
  extra: null,
  revision: 1,
  title: 'Seven',
  all_day: 0,
  start_utc: '',
  end_utc: '',
  timezone: 'UTC',
  cost: '',
  cost_symbol: '',
  cost_position: '',
  website: null,
  show_map: 0,
  show_map_link: 0,
  hide_from_listings: 0,
  sticky: 0,
  featured: 0,
  password_hash: null,
  post_parent: 0,
  tickets: null,
  custom_fields: null,
} as const
