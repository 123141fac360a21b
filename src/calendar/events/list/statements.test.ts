import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { draws } from '../../../../test/support/draws.ts'
import type { Compilable, EngineName, Reader } from '../../../storage/engine.ts'
import { statementBuilder } from '../../../storage/statement-builder.ts'
import { visibilityOf } from '../../shared/listing.ts'
import { DATE_FILTERS } from './dates.ts'
import { EVERYTHING, type EventListing, type EventQuery } from './filters.ts'
import { pageStatement, planOf } from './plan.ts'

const moments = fc.constantFrom(
  '2026-11-21 00:00:00',
  '2026-11-21 10:30:00',
  '2027-01-01 00:00:00',
  '2027-12-31 23:59:59',
  '9999-12-31 23:59:59',
)
const ids = fc.option(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 }), { nil: undefined })
const rare = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(value, { nil: undefined, freq: 4 })

const visibilities = fc
  .record({ id: fc.integer({ min: 1, max: 3 }), role: fc.constantFrom('administrator' as const, 'author' as const) })
  .map((caller) => visibilityOf({ ...caller, name: 'somebody' }, undefined))

const queries: fc.Arbitrary<EventQuery> = fc
  .record({
    bounds: fc.record(Object.fromEntries(DATE_FILTERS.map(({ name }) => [name, moments])), { requiredKeys: [] }),
    search: rare(fc.record({ words: fc.constantFrom([], ['jazz'], ['ab', 'evening']), excluded: fc.constant(['no']) })),
    categories: ids,
    venue: ids,
    featured: rare(fc.boolean()),
    include: rare(fc.array(fc.integer({ min: 1, max: 9 })).map((named) => ({ ids: named, series: [] }))),
    post_parent: rare(fc.constant(5)),
    series: rare(fc.constant(6)),
  })
  .map((sent) => ({ ...EVERYTHING, ...sent }))

const listings: fc.Arbitrary<EventListing> = fc.record({
  query: queries,
  visibility: fc.oneof(fc.constant({ ofAll: ['publish'] as const, ofOwn: [], ownerId: 0 }), visibilities),
  limit: fc.integer({ min: 1, max: 50 }),
  offset: fc.constantFrom(0, 10, 2_000),
})

/** Everything that a page and its total ask, one after the other. */
async function askedFor(reader: Pick<Reader, 'db' | 'engine'>, listing: EventListing): Promise<unknown[]> {
  const asked: unknown[] = []
  const note = (query: Compilable<unknown>): void => {
    const { sql, parameters } = query.compile()
    asked.push([sql, parameters])
  }
  const recorder: Reader = {
    ...reader,
    all: async (query) => {
      note(query)
      return []
    },
    first: async <Row>(query: Compilable<Row>) => {
      note(query)
      return { total: 7 } as Row
    },
    pause: async () => undefined,
  }
  const plan = planOf(listing)
  await plan.page(recorder)
  await plan.total(recorder)
  return asked
}

for (const engine of ['sqlite', 'postgres'] as const satisfies EngineName[]) {
  test(`${engine}: what is kept of a list's statements is what would be built for any of its filters`, async () => {
    const db = statementBuilder(engine)
    const law = fc.asyncProperty(listings, async (listing) => {
      const fresh = await askedFor({ engine, db: statementBuilder(engine) }, listing)
      const kept = await askedFor({ engine, db }, listing)
      assert.deepEqual(kept, fresh)
      const { sql, parameters } = pageStatement({ engine, db } as Reader, listing).compile()
      assert.deepEqual(kept[0], [sql, parameters])
    })
    await fc.assert(law, { numRuns: draws(400) })
  })
}
