import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { examineCopies } from '../src/doctor/copies.ts'
import { addToLocal } from '../src/time/zones.ts'
import { openTestApp } from './support/app.ts'
import { assertJournalMirrors } from './support/mirror.ts'

/** 2,000 sequences in CI: each takes some tenth of a second, however many there were before. */
const SEQUENCES = Number(process.env['KALENDS_SERIES'] ?? 40)
const STEPS = 9

const app = await openTestApp({ after })

let state = 20_270_104

/** A number below `limit`, the same in each run. */
function random(limit: number): number {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
  return Math.floor((state / 0x80000000) * limit)
}

function pick<One>(all: readonly One[]): One {
  return all[random(all.length)] as One
}

/** A date as the model knows it: by its start as the rule gives it, with what it has for itself. */
interface ModelDate {
  id: number
  title?: string
  /** Hours that it was moved by itself. */
  start?: string
}

interface ModelSeries {
  id: number
  title: string
  start: string
  interval: number
  count: number
  readonly excluded: Set<string>
  readonly added: Set<string>
  /** All that ever were, the first one apart. */
  readonly known: Map<string, ModelDate>
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
  const date = start === series.start ? series.first : series.known.get(start)
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

/** Compares what is listed with the model, which learns the ids of dates that are new. */
async function compare(series: ModelSeries): Promise<void> {
  const found = await listed(series.id)
  const wanted = startsOf(series)
  const byStart = new Map(found.map((one) => [one.series.recurrence_id, one]))
  assert.deepEqual([...byStart.keys()].sort(), wanted)
  for (const [index, start] of wanted.entries()) {
    const one = byStart.get(start)
    assert.ok(one)
    if (start !== series.start && !series.known.get(start)?.id)
      series.known.set(start, { ...series.known.get(start), id: one.id })
    const date = dateAt(series, start)
    assert.equal(one.id, date.id, `id of ${start}`)
    assert.equal(one.title, date.title ?? series.title)
    assert.equal(one.start_date, date.start ?? start)
    assert.equal(one.series.exception, date.title !== undefined || date.start !== undefined)
    assert.equal(one.series.position, index + 1)
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
    recurrence: lines,
  }
  const { id } = await send('POST', undefined, json, 201)
  return { id, title, start, interval, count, excluded: new Set(), added: new Set(), known: new Map(), first: { id } }
}

type Step = (series: ModelSeries, all: ModelSeries[]) => Promise<void>

/** A date that is in, or undefined where there is none. */
function anyDate(series: ModelSeries): { start: string; date: ModelDate } | undefined {
  const starts = startsOf(series)
  if (starts.length === 0) return undefined
  const start = pick(starts)
  return { start, date: dateAt(series, start) }
}

/** Moves a series: what a date had for itself that is no more, the date has that is in its place. */
function moveOwn(series: ModelSeries, { to, seconds }: { readonly to: string; readonly seconds: number }): void {
  const was = startsOf(series).filter((start) => start !== series.start)
  series.start = to
  const now = new Set(startsOf(series))
  for (const start of was.filter((one) => one === to || !now.has(one))) {
    const dropped = dateAt({ ...series, start: '' }, start)
    const place = addToLocal(start, { seconds })
    if (start === to) {
      if (hasOwn(series.first) || !hasOwn(dropped)) continue
      Object.assign(series.first, takeOwn(dropped))
    } else if (now.has(place) && place !== to && !was.includes(place))
      series.known.set(place, { id: series.known.get(place)?.id ?? 0, ...takeOwn(dropped) })
  }
}

function hasOwn({ title, start }: ModelDate): boolean {
  return title !== undefined || start !== undefined
}

/** Takes away what a date has for itself. */
function takeOwn(date: ModelDate): Pick<ModelDate, 'title' | 'start'> {
  const { id, ...own } = date
  delete date.title
  delete date.start
  return own
}

function before(all: ReadonlySet<string>, start: string): Set<string> {
  return new Set([...all].filter((one) => one < start))
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
    const seconds = pick([-7200, -3600, 3600, 7200])
    const start = addToLocal(one.date.start ?? one.start, { seconds })
    const moved = addToLocal(series.start, { seconds })
    // What was brought back by name may not lie before the start.
    if ([...series.added].some((added) => added < moved)) return
    await send('POST', one.date.id, { start_date: start, end_date: addToLocal(start, { seconds: 3600 }), scope: 'all' })
    moveOwn(series, { to: moved, seconds })
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
  },
  restoreOne: async (series) => {
    const starts = startsOf(series)
    const out = [...series.known].filter(([start]) => !starts.includes(start) && start !== series.start)
    if (!starts.includes(series.start)) out.push([series.start, series.first])
    if (out.length === 0) return
    const [start, date] = pick(out)
    const isLost = start < series.start
    await send('PATCH', date.id, { status: 'publish', scope: 'this' }, isLost ? 400 : 200)
    if (isLost) return
    series.excluded.delete(start)
    if (!startsOf(series).includes(start)) series.added.add(start)
  },
  titleOfFollowing: async (series, all) => {
    const one = anyDate(series)
    if (one === undefined || one.start === series.start || series.added.size > 0) return
    const title = nextTitle()
    await send('PATCH', one.date.id, { title, scope: 'following' })
    const earlier = ruled(series).filter((start) => start < one.start).length
    const known = new Map([...series.known].filter(([start]) => start >= one.start && start !== one.start))
    const rest = { title, start: one.start, interval: series.interval, count: series.count - earlier, known }
    const excluded = new Set([...series.excluded].filter((start) => start >= one.start))
    all.push({ ...rest, id: one.date.id, first: one.date, excluded, added: new Set() })
    for (const start of series.known.keys()) if (start >= one.start) series.known.delete(start)
    series.count = earlier
    keepOnly(series.excluded, before(series.excluded, one.start))
  },
  removeFollowing: async (series) => {
    const one = anyDate(series)
    if (one === undefined || one.start === series.start || series.added.size > 0) return
    await send('DELETE', one.date.id, { scope: 'following' })
    series.count = ruled(series).filter((start) => start < one.start).length
    keepOnly(series.excluded, before(series.excluded, one.start))
  },
}

function keepOnly(all: Set<string>, kept: ReadonlySet<string>): void {
  for (const one of all) if (!kept.has(one)) all.delete(one)
}

async function assertSound(): Promise<void> {
  const { findings } = await examineCopies(app.app.storage)
  assert.deepEqual(
    findings.filter(({ problems }) => problems > 0),
    [],
  )
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
    // Each look is at all there is: so few of them.
    if (sequence === 19 || sequence === 199) await assertSound()
  }
  await assertSound()
  await assertJournalMirrors(app.app.storage)
})
