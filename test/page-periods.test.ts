import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { openTestApp } from './support/app.ts'
import { draws, SEED } from './support/draws.ts'

/** A Friday evening in Berlin. */
const NOW = Date.UTC(2026, 10, 27, 18, 0, 0)

const app = await openTestApp({ after }, { siteZone: 'Europe/Berlin' })
app.clock.now = NOW

/** A day some days after the present one. */
function dayAt(days: number): string {
  return new Date(NOW + days * 86_400_000).toISOString().slice(0, 10)
}

/** The titles of cards on all pages of a list, in their order, each as often as it stands there. */
async function titlesOf(
  path: string,
): Promise<{ readonly titles: string[]; readonly stillOn: string[]; readonly count: number }> {
  const titles: string[] = []
  const stillOn: string[] = []
  let count = 0
  for (let at: string | undefined = path; at !== undefined; ) {
    const response = await fetch(app.origin + at)
    assert.equal(response.status, 200, at)
    const text = await response.text()
    const [dated = '', still = ''] = text.split('<section class="day still"><h2>Still on</h2>')
    const named = (part: string): string[] =>
      [...part.matchAll(/<h3 class="title"><a [^>]*>([^<]*)</g)].map(([, title = '']) => title)
    titles.push(...named(dated))
    stillOn.push(...named(still))
    count = Number(/<p class="count"><b>(\d+) events?</.exec(text)?.[1] ?? 0)
    at = /<a class="button more" rel="next" href="([^"]*)">Load more</.exec(text)?.[1]?.replaceAll('&amp;', '&')
  }
  return { titles, stillOn, count }
}

/** What the API says takes place from one day to another; of a series the first date alone. */
async function overlapping(query: Readonly<Record<string, string>>): Promise<string[]> {
  const sent = { ...query, hide_subsequent_recurrences: 'true', per_page: '50' }
  const { body } = await app.call('anonymous', 'GET', '/events', { query: sent })
  assert.ok(body.total_pages <= 1, 'one page has all of them')
  return body.events.map(({ title }: { title: string }) => title)
}

async function make(json: object): Promise<void> {
  const { status, body } = await app.call('administrator', 'POST', '/events', { json })
  assert.equal(status, 201, JSON.stringify(body))
}

/** An event that starts and ends some days from now. */
const EVENT = fc.record({
  start: fc.integer({ min: -20, max: 20 }),
  length: fc.constantFrom(0, 0, 0, 1, 2, 5, 12, 30),
  isAllDay: fc.boolean(),
  rule: fc.constantFrom(undefined, undefined, undefined, 'DAILY', 'WEEKLY'),
})

const PERIOD = fc.record({ first: fc.integer({ min: -15, max: 15 }), days: fc.integer({ min: 0, max: 9 }) })

test('a period on a page has whatever takes place in it, each series once, and what runs longer at its end', async () => {
  for (const [number, event] of fc.sample(EVENT, { numRuns: 36, seed: SEED }).entries()) {
    const { start, isAllDay, rule } = event
    // Dates of one series that take place at the same time as well.
    const length = rule === undefined ? event.length : Math.min(event.length, 2)
    const [from, to] = isAllDay ? ['00:00:00', '23:59:59'] : ['14:00:00', '19:00:00']
    await make({
      ...{ title: `Event ${number}`, all_day: isAllDay, timezone: 'Europe/Berlin' },
      ...{ start_date: `${dayAt(start)} ${from}`, end_date: `${dayAt(start + length)} ${to}` },
      ...(rule !== undefined && { recurrence: [`RRULE:FREQ=${rule};COUNT=8`] }),
    })
  }
  const [saturday, sunday] = [dayAt(1), dayAt(2)]
  const periods: [string, string, string?][] = [
    [`/events/?start_date=${saturday}&starts_before=${sunday}`, saturday, sunday],
    ['/events/?start_date=this+weekend', saturday, sunday],
    [`/events/?start_date=${dayAt(0)}&end_date=${dayAt(6)}`, dayAt(0), dayAt(6)],
    [`/events/?tribe-bar-date=${dayAt(3)}`, dayAt(3)],
    [`/events/?eventDate=${dayAt(4)}`, dayAt(4)],
  ]
  for (const { first, days } of fc.sample(PERIOD, { numRuns: draws(40, 4), seed: SEED })) {
    const [from, to] = [dayAt(first), dayAt(first + days)]
    periods.push([`/events/?start_date=${from}&starts_before=${to}`, from, to])
  }
  for (const [path, from, to] of periods) {
    const before = new Date(Date.parse(from) - 86_400_000).toISOString().slice(0, 10)
    const expected = await overlapping({ ends_after: before, ...(to !== undefined && { starts_before: to }) })
    const { titles, stillOn, count } = await titlesOf(path)
    assert.deepEqual([...titles, ...stillOn].toSorted(), expected.toSorted(), path)
    assert.equal(count, expected.length, path)
    const sized = await titlesOf(`${path}&per_page=3`)
    assert.deepEqual([...sized.titles, ...sized.stillOn].toSorted(), expected.toSorted(), `${path}, page by page`)
    assert.equal(sized.count, expected.length, `${path}, page by page`)
  }
  const coming = await overlapping({ ends_after: '2026-11-27 19:00:00', strict_dates: 'true' })
  for (const query of ['per_page=2', 'per_page=5&hide_subsequent_recurrences=true']) {
    const { titles, stillOn, count } = await titlesOf(`/events/?${query}`)
    assert.deepEqual([...titles, ...stillOn].toSorted(), coming.toSorted(), query)
    assert.equal(count, coming.length, query)
  }
})

test('a night belongs to the day on which it starts, and is on in the list until it is over', async () => {
  const night = { start_date: `${dayAt(120)} 20:00`, end_date: `${dayAt(121)} 02:00`, timezone: 'Europe/Berlin' }
  await make({ title: 'Ball', ...night })
  await make({ title: 'Disco', ...night, recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
  const day = async (days: number) => titlesOf(`/events/?start_date=${dayAt(days)}&starts_before=${dayAt(days)}`)
  assert.deepEqual(await day(120), { titles: ['Ball', 'Disco'], stillOn: [], count: 2 })
  assert.deepEqual(await day(121), { titles: ['Disco'], stillOn: [], count: 1 })
  assert.deepEqual(await day(122), { titles: [], stillOn: [], count: 0 })
  const later = { start_date: `${dayAt(121)} 10:00`, end_date: `${dayAt(121)} 12:00`, timezone: 'Europe/Berlin' }
  await make({ title: 'Brunch', ...later })
  const days = `/events/?start_date=${dayAt(121)}&starts_before=${dayAt(123)}&per_page=1`
  assert.deepEqual(await titlesOf(days), { titles: ['Brunch', 'Disco'], stillOn: [], count: 2 })
  app.clock.now = Date.parse(`${dayAt(121)}T00:30:00+01:00`)
  try {
    const { stillOn } = await titlesOf('/events/')
    assert.deepEqual(stillOn.toSorted(), ['Ball', 'Disco'])
  } finally {
    app.clock.now = NOW
  }
})

test('what runs longer than the days of a list stands behind them, what belongs to its first day under that', async () => {
  await make({ title: 'Fair', start_date: `${dayAt(100)} 10:00`, end_date: `${dayAt(102)} 18:00` })
  await make({ title: 'Exhibition', start_date: `${dayAt(80)} 10:00`, end_date: `${dayAt(140)} 18:00` })
  await make({ title: 'Concert', start_date: `${dayAt(102)} 20:00`, end_date: `${dayAt(102)} 22:00` })
  const period = async (from: number, to: number) => {
    const { titles, stillOn } = await titlesOf(`/events/?start_date=${dayAt(from)}&starts_before=${dayAt(to)}`)
    return [titles, stillOn]
  }
  assert.deepEqual(await period(101, 107), [['Fair', 'Concert'], ['Exhibition']])
  assert.deepEqual(await period(102, 102), [['Concert'], ['Exhibition', 'Fair']])
  assert.deepEqual(await period(80, 100), [['Exhibition', 'Fair'], []])
})
