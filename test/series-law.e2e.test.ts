import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addToLocal } from '../src/base/time/zones.ts'
import { openTestApp } from './support/app.ts'
import { draws, SEED } from './support/draws.ts'
import { assertJournalMirrors } from './support/mirror.ts'
import { assertSound } from './support/sound.ts'
import { TEST_ENGINE } from './support/test-engine.ts'

/** Each takes some tenth of a second, however many there were before. */
const SEQUENCES = draws(TEST_ENGINE === 'postgres' ? 40 : 2000)
const STEPS = 9

const app = await openTestApp({ after })

let state = SEED

/** A number below `limit`, the same in each run. */
function random(limit: number): number {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
  return Math.floor((state / 0x80000000) * limit)
}

function pick<One>(all: readonly One[]): One {
  return all[random(all.length)] as One
}

/** A date as the model knows it, with what it has for itself. */
interface ModelDate {
  /** 0 until it has been listed. */
  id: number
  /** Its start as the rule gives it, or gave it when it was last in the series. */
  at: string
  isIn: boolean
  title?: string
  /** Start that it was given by itself. */
  start?: string
}

interface ModelSeries {
  id: number
  title: string
  start: string
  interval: number
  count: number
  excluded: Set<string>
  added: Set<string>
  /** All that ever were, the first one apart. Several that are out may have the same start. */
  known: ModelDate[]
  first: ModelDate
}

function ruled({ start, interval, count }: ModelSeries): string[] {
  return Array.from({ length: count }, (_none, index) => addToLocal(start, { days: index * interval }))
}

/** The starts of the dates that a series has now. */
function startsOf(series: ModelSeries): string[] {
  const all = new Set([...ruled(series), ...series.added])
  return [...all].filter((start) => !series.excluded.has(start)).sort()
}

function dateAt(series: ModelSeries, start: string): ModelDate {
  const date = start === series.start ? series.first : series.known.find(({ at, isIn }) => isIn && at === start)
  assert.ok(date)
  return date
}

// biome-ignore lint/complexity/useMaxParams: a request line and the status that is expected
async function send(
  method: string,
  id: number | undefined,
  json: object,
  status = 200,
): Promise<{ id: number; start_date: string; end_date: string }> {
  const path = id === undefined ? '/events' : `/events/${id}`
  const sent = method === 'DELETE' ? { query: json as Record<string, string> } : { json }
  const response = await app.call('administrator', method, path, sent)
  assert.equal(response.status, status, `${method} ${path} ${JSON.stringify(json)} ${JSON.stringify(response.body)}`)
  return response.body
}

async function listed(id: number): Promise<
  {
    id: number
    title: string
    start_date: string
    series: { recurrence_id: string; exception: boolean; position: number }
  }[]
> {
  const query = { series: id, start_date: '2020-01-01', end_date: '2040-01-01', per_page: 50 }
  const { body } = await app.call('anonymous', 'GET', '/events', { query })
  assert.equal(body.total, body.events.length)
  return body.events
}

/** The date that is listed at a start: the one that was, else one that was out, else a new one. */
function learn(series: ModelSeries, start: string, id: number): ModelDate {
  if (start === series.start) return series.first
  const there = series.known.filter(({ at }) => at === start)
  const date = there.find(({ isIn }) => isIn) ?? there.find((one) => one.id === id)
  if (date !== undefined) return Object.assign(date, { isIn: true })
  assert.deepEqual(there, [], `a date at ${start} was out and has not come back`)
  const made = { id, at: start, isIn: true }
  series.known.push(made)
  return made
}

/** Compares what is listed with the model, which learns the ids of dates that are new. */
async function compare(series: ModelSeries): Promise<void> {
  const found = await listed(series.id)
  const wanted = startsOf(series)
  const byStart = new Map(found.map((one) => [one.series.recurrence_id, one]))
  assert.deepEqual([...byStart.keys()].sort(), wanted)
  for (const date of series.known) date.isIn &&= date.at !== series.start && wanted.includes(date.at)
  for (const start of wanted) learn(series, start, byStart.get(start)?.id ?? 0)
  for (const [index, start] of wanted.entries()) {
    const one = byStart.get(start)
    assert.ok(one)
    const date = dateAt(series, start)
    assert.equal(one.id, date.id, `id of ${start}`)
    assert.equal(one.title, date.title ?? series.title, `title at ${start}`)
    assert.equal(one.start_date, date.start ?? start)
    assert.equal(one.series.exception, hasOwn(date))
    assert.equal(one.series.position, index + 1)
  }
}

/** Compares what dates that are out have for themselves with the model: it is all still there. */
async function compareOut(series: ModelSeries): Promise<void> {
  for (const date of series.known.filter(({ isIn }) => !isIn)) {
    const { status, body } = await app.call('administrator', 'GET', `/events/${date.id}`)
    const wanted = [200, 'trash', date.title ?? series.title, date.start ?? date.at, date.at]
    const { title, start_date, series: of } = body
    assert.deepEqual([status, body.status, title, start_date, of?.recurrence_id], wanted, `date ${date.id}`)
  }
}

let titles = 0

function nextTitle(): string {
  titles += 1
  return `Title ${titles}`
}

async function create(): Promise<ModelSeries> {
  const start = `2027-0${1 + random(3)}-1${random(9)} 1${random(9)}:00:00`
  const [interval, count, title] = [1 + random(3), 2 + random(5), nextTitle()]
  const lines = [`RRULE:FREQ=DAILY;INTERVAL=${interval};COUNT=${count}`]
  const json = {
    title,
    start_date: start,
    end_date: addToLocal(start, { seconds: 3600 }),
    timezone: 'UTC',
    categories: ['Law'],
    tags: ['Law'],
    recurrence: lines,
  }
  const { id } = await send('POST', undefined, json, 201)
  const first = { id, at: start, isIn: true }
  const none = { excluded: new Set<string>(), added: new Set<string>(), known: [] }
  return { id, title, start, interval, count, ...none, first }
}

/** By how many seconds all dates are moved. */
const SHIFTS = [-86_400, -7200, -3600, 3600, 7200, 86_400]

type Step = (series: ModelSeries, all: ModelSeries[]) => Promise<void>

/** A date that is in, or undefined where there is none. */
function anyDate(series: ModelSeries): { start: string; date: ModelDate } | undefined {
  const starts = startsOf(series)
  if (starts.length === 0) return undefined
  const start = pick(starts)
  return { start, date: dateAt(series, start) }
}

/** Moves all dates of a series: those that were added by name, and those that are out, with them. */
function moveAll(series: ModelSeries, seconds: number): void {
  const move = (start: string): string => addToLocal(start, { seconds })
  series.start = move(series.start)
  series.added = new Set([...series.added].map(move))
  series.excluded = new Set([...series.excluded].map(move))
  for (const date of series.known) date.at = move(date.at)
}

function hasOwn({ title, start }: ModelDate): boolean {
  return title !== undefined || start !== undefined
}

function before(all: ReadonlySet<string>, start: string): Set<string> {
  return new Set([...all].filter((one) => one < start))
}

/** Divides a series in the model before one of its further dates: the new one. */
function divide(
  series: ModelSeries,
  { start, date }: { readonly start: string; readonly date: ModelDate },
): ModelSeries {
  const earlier = ruled(series).filter((one) => one < start).length
  const excluded = new Set([...series.excluded].filter((one) => one >= start))
  const known = series.known.filter((one) => one !== date && one.at >= start)
  const begun = {
    ...series,
    start,
    id: date.id,
    first: date,
    count: series.count - earlier,
    excluded,
    known,
  }
  series.known = series.known.filter(({ at }) => at < start)
  series.count = earlier
  series.excluded = before(series.excluded, start)
  return { ...begun, added: new Set() }
}

const STEPS_OF: Readonly<Record<string, Step>> = {
  titleOfOne: async (series) => {
    const one = anyDate(series)
    if (one === undefined) return
    const title = nextTitle()
    await send('PATCH', one.date.id, { title, scope: 'this' })
    one.date.title = title
  },
  startOfOne: async (series) => {
    const one = anyDate(series)
    if (one === undefined) return
    const start = addToLocal(one.date.start ?? one.start, { seconds: 1800 })
    await send('PUT', one.date.id, { start_date: start, end_date: addToLocal(start, { seconds: 3600 }), scope: 'this' })
    // A date that is like the others again is no exception.
    if (start === one.start) delete one.date.start
    else one.date.start = start
  },
  titleOfAll: async (series) => {
    const one = anyDate(series)
    const title = nextTitle()
    await send('PATCH', one?.date.id ?? series.id, { title, scope: 'all' })
    series.title = title
  },
  startOfAll: async (series) => {
    const one = anyDate(series)
    if (one === undefined) return
    const seconds = pick(SHIFTS)
    const start = addToLocal(one.date.start ?? one.start, { seconds })
    await send('POST', one.date.id, { start_date: start, end_date: addToLocal(start, { seconds: 3600 }), scope: 'all' })
    moveAll(series, seconds)
  },
  startOfFollowing: async (series, all) => {
    const one = anyDate(series)
    if (one === undefined || one.start === series.start || series.added.size > 0) return
    const seconds = pick(SHIFTS)
    const start = addToLocal(one.date.start ?? one.start, { seconds })
    const json = { start_date: start, end_date: addToLocal(start, { seconds: 3600 }), scope: 'following' }
    await send('PATCH', one.date.id, json)
    const begun = divide(series, one)
    moveAll(begun, seconds)
    all.push(begun)
  },
  ruleOfAll: async (series) => {
    series.count = 1 + random(6)
    series.excluded.clear()
    series.added.clear()
    const lines = `RRULE:FREQ=DAILY;INTERVAL=${series.interval};COUNT=${series.count}`
    await send('PATCH', series.id, { recurrence: lines })
  },
  removeOne: async (series) => {
    const one = anyDate(series)
    if (one === undefined) return
    await send('DELETE', one.date.id, { scope: 'this' })
    series.excluded.add(one.start)
    one.date.isIn = false
  },
  restoreOne: async (series) => {
    const starts = startsOf(series)
    const out = series.known.filter(({ isIn }) => !isIn)
    if (!starts.includes(series.start)) out.push(Object.assign(series.first, { at: series.start }))
    if (out.length === 0) return
    const date = pick(out)
    const isLost = date.at < series.start || starts.includes(date.at)
    await send('PATCH', date.id, { status: 'publish', scope: 'this' }, isLost ? 400 : 200)
    if (isLost) return
    date.isIn = true
    series.excluded.delete(date.at)
    if (!startsOf(series).includes(date.at)) series.added.add(date.at)
  },
  titleOfFollowing: async (series, all) => {
    const one = anyDate(series)
    if (one === undefined || one.start === series.start || series.added.size > 0) return
    const title = nextTitle()
    await send('PATCH', one.date.id, { title, scope: 'following' })
    all.push({ ...divide(series, one), title })
  },
  removeFollowing: async (series) => {
    const one = anyDate(series)
    if (one === undefined || one.start === series.start || series.added.size > 0) return
    await send('DELETE', one.date.id, { scope: 'following' })
    series.count = ruled(series).filter((start) => start < one.start).length
    series.excluded = before(series.excluded, one.start)
  },
}

test('random changes and removals of random dates leave what a set of dates with own values would have', async () => {
  for (let sequence = 0; sequence < SEQUENCES; sequence += 1) {
    const begun = state
    const all = [await create()]
    const done: string[] = []
    try {
      for (const series of all) await compare(series)
      for (let step = 0; step < STEPS; step += 1) {
        const [name, change] = pick(Object.entries(STEPS_OF))
        done.push(name)
        await change(pick(all), all)
        for (const series of all) await compare(series)
      }
    } catch (error) {
      throw new Error(`sequence ${sequence} from ${begun}: ${done.join(', ')}`, { cause: error })
    }
    for (const series of all) await compareOut(series)
    // Each look is at all there is: so few of them.
    if (sequence === 19 || sequence === 199) await assertSound(app.app.storage)
  }
  await assertSound(app.app.storage)
  await assertJournalMirrors(app.app.storage)
})
