import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callFor } from '../../../../test/support/http.ts'
import { readFields } from '../../../http/params.ts'
import type { Call } from '../../../http/route.ts'
import type { Site } from '../../../model/site.ts'
import { datesHoldUntil, effectiveDates } from './dates.ts'
import { EVENT_LIST_FIELDS, type EventListValues } from './filters.ts'

const SITE: Site = {
  name: 'Calendar',
  zone: 'America/New_York',
  host: 'calendar.example',
  currencySymbol: '$',
  currencyPosition: 'prefix',
  perPageMax: 50,
}

/** Half past eight in the evening of 20 November in New York, which is the 21st in UTC. */
const EVENING = Date.UTC(2026, 10, 21, 1, 30)

function untilOf(sent: Readonly<Record<string, string>>, now = EVENING): number | undefined | 'never' {
  const plain = callFor({ sent, now })
  const context = { ...plain.context, siteZone: SITE.zone }
  const { values } = readFields(EVENT_LIST_FIELDS, { sent: plain.sent, context, fillsDefaults: true })
  const call: Call<EventListValues> = { ...plain, context, values }
  const dates = effectiveDates(call.values, { site: SITE, now })
  const until = datesHoldUntil({ site: SITE }, call, { dates, others: [] })
  if (until === undefined) return 'never'
  return until === Number.POSITIVE_INFINITY ? undefined : until
}

test('a list lasts until time itself moves its window', () => {
  const midnight = Date.UTC(2026, 10, 21, 5)
  const cases: [Record<string, string>, number | undefined | 'never'][] = [
    [{}, midnight],
    [{ start_date: '2026-11-20' }, midnight],
    [{ start_date: '2026-11-20', end_date: '2026-12-20' }, undefined],
    [{ start_date: 'today' }, midnight],
    [{ start_date: 'tomorrow', end_date: '+1 week' }, midnight],
    [{ ends_after: '2026-11-20' }, undefined],
    [{ ends_after: '2026-11-20 10:00:00', strict_dates: '1' }, undefined],
    [{ include: '5' }, undefined],
    [{ starts_after: 'now', strict_dates: '1' }, 'never'],
    [{ start_date: '-1 hour', strict_dates: '1' }, 'never'],
  ]
  for (const [sent, until] of cases) assert.equal(untilOf(sent), until, JSON.stringify(sent))
})

test('a list with words lasts no longer than the day of UTC, in which dates may be counted', () => {
  const afternoon = Date.UTC(2026, 10, 20, 20)
  assert.equal(untilOf({ start_date: 'today' }, afternoon), Date.UTC(2026, 10, 21))
  assert.equal(untilOf({}, afternoon), Date.UTC(2026, 10, 21, 5))
})
