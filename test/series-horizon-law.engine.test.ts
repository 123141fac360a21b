import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addToLocal, utcFromMillis } from '../src/base/time/zones.ts'
import { moveHorizons } from '../src/calendar/events/series/horizon.ts'
import { type Dice, diceOf } from './fuzz/dice.ts'
import { openTestApp } from './support/app.ts'
import { draws, SEED } from './support/draws.ts'
import { assertJournalMirrors } from './support/mirror.ts'
import { assertSound } from './support/sound.ts'

/* Series that get an end and lose it again, while time moves the horizon on. */

const app = await openTestApp({ after })
const LEAST = { title: 'Yoga', start_date: '2027-01-04 10:00:00', end_date: '2027-01-04 11:30:00', timezone: 'UTC' }

async function send(method: string, path: string, json: object): Promise<{ id: number }> {
  const { status, body } = await app.call('administrator', method, path, { json })
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`)
  return body
}

async function datesOf(series: number): Promise<{ id: number; start_date: string; title: string }[]> {
  const query = { series, start_date: '2020-01-01', end_date: '2099-01-01', per_page: 50 }
  const { status, body } = await app.call('anonymous', 'GET', '/events', { query })
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.total, body.events.length)
  return body.events
}

const SEQUENCES = draws(40, 3)

/** A rule of so many days from one date to the next, with an end or without. */
interface ModelRule {
  readonly days: number
  readonly count: number
}

const FOREVER = Number.POSITIVE_INFINITY

/** Dates that are far ahead of the horizon come back with it when a rule has no end any more. */
const RULES: readonly ModelRule[] = [200, 300].flatMap((days) =>
  [FOREVER, FOREVER, 40, 40, 4].map((count) => ({ days, count })),
)

function lineOf({ days, count }: ModelRule): string {
  return `RRULE:FREQ=DAILY;INTERVAL=${days}${Number.isFinite(count) ? `;COUNT=${count}` : ''}`
}

/** A series whose first date is left as it is. */
interface ModelSeries {
  readonly id: number
  rule: ModelRule
  readonly excluded: Set<string>
  /** By the start of the date, whatever the series has been since. */
  readonly titles: Map<string, string>
  readonly ids: Map<string, number>
}

const YEARS = 5

function horizon(): string {
  return utcFromMillis(Date.UTC(new Date(app.clock.now).getUTCFullYear() + YEARS, 10, 20, 18))
}

/** The starts that are held: up to the horizon where the rule has no end. */
function startsOf({ rule, excluded }: ModelSeries): string[] {
  const starts: string[] = []
  for (let start = LEAST.start_date; starts.length < rule.count; start = addToLocal(start, { days: rule.days })) {
    if (!Number.isFinite(rule.count) && start > horizon()) break
    starts.push(start)
  }
  return starts.filter((start) => !excluded.has(start))
}

const STEPS: readonly ((series: ModelSeries, dice: Dice) => Promise<void>)[] = [
  async () => {
    const year = new Date(app.clock.now).getUTCFullYear() + 1
    app.clock.now = Date.UTC(year, 10, 20, 18)
    await moveHorizons(app.app.storage, { now: app.clock.now, recurrenceYears: YEARS }, new AbortController().signal)
  },
  async (series, { pick }) => {
    series.rule = pick(RULES)
    series.excluded.clear()
    await send('PATCH', `/events/${series.id}`, { recurrence: lineOf(series.rule) })
  },
  async (series, { pick, below, chance }) => {
    const [, ...further] = startsOf(series)
    if (further.length === 0) return
    // A date that a rule with an end has just beyond the horizon is soon back when the rule has none.
    const [next] = further.filter((one) => one > horizon())
    const start = next !== undefined && chance(0.6) ? next : pick(further)
    const title = `Title ${below(1_000_000)}`
    series.titles.set(start, title)
    await send('PATCH', `/events/${series.ids.get(start)}`, { title, scope: 'this' })
  },
  async (series, { pick }) => {
    const [, ...further] = startsOf(series)
    if (further.length === 0) return
    const start = pick(further)
    series.excluded.add(start)
    const query = { scope: 'this' }
    const { status } = await app.call('administrator', 'DELETE', `/events/${series.ids.get(start)}`, { query })
    assert.equal(status, 200)
  },
  async (series, { pick }) => {
    const out = [...series.excluded]
    if (out.length === 0) return
    const start = pick(out)
    series.excluded.delete(start)
    await send('PATCH', `/events/${series.ids.get(start)}`, { status: 'publish', scope: 'this' })
  },
]

async function compare(series: ModelSeries, place: string): Promise<void> {
  const events = await datesOf(series.id)
  const wanted = startsOf(series)
  assert.deepEqual(
    events.map((one) => [one.start_date, one.title]),
    wanted.map((start) => [start, series.titles.get(start) ?? LEAST.title]),
    place,
  )
  for (const { id, start_date } of events) {
    assert.equal(series.ids.get(start_date) ?? id, id, `${place}: ${start_date}`)
    series.ids.set(start_date, id)
  }
}

test(`whatever a series has been, its dates follow the horizon and the journal follows them (seed ${SEED})`, async () => {
  const dice = diceOf(SEED, 0)
  const began = app.clock.now
  for (let sequence = 0; sequence < SEQUENCES; sequence += 1) {
    app.clock.now = began
    const rule = dice.pick(RULES)
    const { id } = await send('POST', '/events', { ...LEAST, recurrence: lineOf(rule) })
    const series = { id, rule, excluded: new Set<string>(), titles: new Map(), ids: new Map() }
    await compare(series, `seed ${SEED}, sequence ${sequence}`)
    for (let step = 0; step < 14; step += 1) {
      await dice.pick(STEPS)(series, dice)
      await compare(series, `seed ${SEED}, sequence ${sequence}, step ${step}`)
    }
    // What comes later must not find a horizon that lies ahead of its clock.
    await app.call('administrator', 'DELETE', `/events/${id}`, { query: { force: 'true' } })
  }
  app.clock.now = began
  await assertSound(app.app.storage)
  await assertJournalMirrors(app.app.storage)
})
