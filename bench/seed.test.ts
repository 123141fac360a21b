import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANONYMOUS } from '../src/auth/caller.ts'
import { visibilityOf } from '../src/entries/listing.ts'
import { EVERYTHING, type EventListing, pageStatement } from '../src/events/index.ts'
import { openOrganizers } from '../src/organizers/index.ts'
import { openTestStorage } from '../src/storage/testing.ts'
import { openTerms } from '../src/terms/index.ts'
import { openVenues } from '../src/venues/index.ts'
import { planFor, seed } from './seed.ts'

const SITE = {
  name: 'Bench',
  zone: 'America/New_York',
  host: 'bench.example',
  currencySymbol: '$',
  currencyPosition: 'prefix',
  perPageMax: 50,
} as const

const WINDOW = { start_date: '2026-11-20 00:00:00', end_date: '2028-11-20 23:59:59' }

test('the first page, a category page and a page by venue run from an index without sorting', async (t) => {
  const storage = await openTestStorage('sqlite', t)
  const isUser = async (): Promise<boolean> => true
  const terms = openTerms({ storage, site: SITE })
  const shelves = {
    venue: openVenues({ storage, site: SITE, isUser }).shelf,
    organizer: openOrganizers({ storage, site: SITE, isUser }).shelf,
    category: terms.category,
    tag: terms.tag,
  }
  const owner = { id: 1, role: 'administrator', name: 'bench' } as const
  const now = Date.UTC(2026, 10, 20)
  await seed({ storage, shelves, owner, siteZone: SITE.zone, now }, planFor(2_000, '2026-11-20 00:00:00'))

  const listing = (query: object): EventListing => ({
    query: { ...EVERYTHING, bounds: WINDOW, ...query },
    visibility: visibilityOf(ANONYMOUS, undefined),
    limit: 10,
    offset: 0,
  })
  const cases = [
    ['first page', {}, /SEARCH occurrence USING (COVERING )?INDEX occurrence_page/],
    ['category', { categories: [3] }, /SEARCH occurrence_link USING (COVERING INDEX|PRIMARY KEY)/],
    ['venue', { venue: [2] }, /SEARCH occurrence_link USING (COVERING INDEX|PRIMARY KEY)/],
    ['tag and search by end', { tags: [45] }, /SEARCH occurrence_link USING (COVERING INDEX|PRIMARY KEY)/],
  ] as const
  for (const [name, query, index] of cases) {
    const statement = pageStatement(storage, listing(query)).compile()
    const plan = await storage.all<{ detail: string }>({
      compile: () => ({ sql: `explain query plan ${statement.sql}`, parameters: statement.parameters }),
    })
    const lines = plan.map((row) => row.detail)
    assert.match(lines[0] ?? '', index, `${name}: ${lines.join(' | ')}`)
    assert.ok(!lines.some((line) => /TEMP B-TREE|SCAN/.test(line)), `${name}: ${lines.join(' | ')}`)
    const rows = await storage.all(pageStatement(storage, listing(query)))
    assert.ok(rows.length > 0, name)
  }
})
