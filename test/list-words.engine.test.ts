import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApp } from './support/app.ts'

/** Dates of a list in words that name a period, on the clock of the site: it is Friday, 20 November 2026, in New York. */

const { call, clock } = await openTestApp({ after })

for (const [title, start, end] of [
  ['lunch', '2026-11-20 12:00', '2026-11-20 13:00'],
  ['concert', '2026-11-20 20:00', '2026-11-20 23:00'],
  ['club', '2026-11-20 23:30', '2026-11-21 04:00'],
  ['market', '2026-11-21 08:00', '2026-11-21 14:00'],
  ['fair', '2026-11-21 00:00', '2026-11-22 23:59:59'],
  ['talk', '2026-11-23 19:00', '2026-11-23 20:00'],
  ['brunch', '2026-11-28 10:00', '2026-11-28 12:00'],
] as const) {
  const json = { title, start_date: start, end_date: end }
  assert.equal((await call('editor', 'POST', '/events', { json })).status, 201)
}

async function titles(query: Readonly<Record<string, string | number>>): Promise<string> {
  const found: string[] = []
  let page = await call('anonymous', 'GET', '/events', { query: { per_page: 1, ...query } })
  for (;;) {
    assert.equal(page.status, 200, JSON.stringify(page.body))
    found.push(...page.body.events.map((one: { title: string }) => one.title))
    const { total, next_rest_url } = page.body
    if (next_rest_url === undefined) {
      assert.equal(total, found.length)
      return found.join(' ')
    }
    page = await call('anonymous', 'GET', next_rest_url)
  }
}

test('a period is a window, and its links give the next pages of it', async () => {
  const within = (words: string) => titles({ start_date: words, end_date: words })
  assert.equal(await within('this weekend'), 'fair market')
  assert.equal(await within('next week'), 'talk brunch')
  assert.equal(await within('next weekend'), 'brunch')
  assert.equal(await within('tonight'), 'concert club')
  assert.equal(await within('this week'), 'lunch concert club fair market')
  assert.equal(await within('last month'), '')
  assert.equal(await titles({ start_date: 'tonight', end_date: 'tonight', strict_dates: 'true' }), 'concert club')
  assert.equal(await titles({ starts_after: 'this week' }), 'talk brunch')
  assert.equal(await titles({ starts_before: 'tonight', starts_after: 'yesterday' }), 'lunch concert club fair')
  assert.equal(await titles({ ends_after: 'this weekend' }), 'talk brunch')
  assert.equal(await titles({ ends_before: 'this weekend' }), 'lunch concert club fair market')
})

test('after midnight the night goes on, and a cached list follows the clock', async () => {
  const query = { start_date: 'tonight', end_date: 'tonight' }
  const evening = clock.now
  assert.equal(await titles(query), 'concert club')
  clock.now = evening + 12 * 3_600_000
  assert.equal(await titles(query), 'concert club')
  clock.now = evening + 17 * 3_600_000
  assert.equal(await titles(query), '')
  clock.now = evening + 3 * 86_400_000
  assert.equal(await titles({ start_date: 'this week', end_date: 'this week' }), 'talk brunch')
})
