import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { addToLocal } from '../src/base/time/zones.ts'
import { openTestApp } from './support/app.ts'
import { draws } from './support/draws.ts'
import { assertJournalMirrors } from './support/mirror.ts'
import { assertSound } from './support/sound.ts'

const app = await openTestApp({ after })
const TIMED = { title: 'Market', start_date: '2027-01-05 18:00:00', end_date: '2027-01-05 19:30:00' }
const WHOLE = { title: 'Fair', start_date: '2027-01-05', end_date: '2027-01-06', all_day: true }

// biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests assert
type Item = any

async function send(method: string, path: string, json: object): Promise<Item> {
  const { status, body } = await app.call('administrator', method, path, { json })
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`)
  return body
}

/** Most dates of a series that are looked at. */
const MANY = 50

async function datesOf(series: number): Promise<Item[]> {
  const query = { series, start_date: '2020-01-01', end_date: '2099-01-01', per_page: MANY }
  return (await app.call('anonymous', 'GET', '/events', { query })).body.events
}

/** What no division changes of a date. */
function unchanged({ id, start_date, end_date, all_day, timezone }: Item): unknown {
  return { id, start_date, end_date, all_day, timezone }
}

const FORTNIGHTLY = 'RRULE:FREQ=WEEKLY;INTERVAL=2'
const OFF_BEAT = 'RDATE:20270115T180000'

test('a series begins with a date beside its rule, and holds the same later dates', async () => {
  for (const end of [';COUNT=6', ';UNTIL=20270331', '']) {
    const { id } = await send('POST', '/events', { ...TIMED, recurrence: [`${FORTNIGHTLY}${end}`, OFF_BEAT] })
    const before = await datesOf(id)
    const named = before[1].id
    await send('PATCH', `/events/${before[3].id}`, { title: 'With music' })
    const begun = await send('PATCH', `/events/${named}`, { scope: 'following', title: 'Night market' })
    assert.deepEqual([begun.id, begun.title, begun.series.position], [named, 'Night market', 1])
    const [first, later] = [await datesOf(id), await datesOf(named)]
    assert.deepEqual([...first, ...later].slice(0, MANY).map(unchanged), before.map(unchanged))
    assert.deepEqual(
      [first.length, ...later.slice(0, 3).map(({ title }) => title)],
      [1, 'Night market', 'Night market', 'With music'],
    )
    // Only a rule without end has to go on from a date before.
    assert.equal(begun.series.id === named, end !== '')
    const event = (await app.call('anonymous', 'GET', `/events/${begun.series.id}`)).body
    assert.equal(event.recurrence_until !== undefined, end === '')
  }
})

test('a series that begins with a date beside its rule moves with it, and that date keeps its id', async () => {
  for (const days of [0, 1, 14]) {
    const { id } = await send('POST', '/events', { ...TIMED, recurrence: [FORTNIGHTLY, OFF_BEAT] })
    const [, added, ...others] = await datesOf(id)
    await send('PATCH', `/events/${added.id}`, { title: 'Concert', scope: 'this' })
    const move = (start: string): string => addToLocal(start, { days, seconds: 3600 })
    const moved = { start_date: move(added.start_date), end_date: move(added.end_date) }
    const begun = await send('PATCH', `/events/${added.id}`, { ...moved, cost: '4', scope: 'following' })
    assert.deepEqual(
      [begun.id, begun.status, begun.start_date, begun.title, begun.series.position],
      [added.id, 'publish', moved.start_date, 'Concert', 1],
    )
    const later = await datesOf(added.id)
    assert.deepEqual(
      later.slice(1, 40).map(({ start_date }) => start_date),
      others.slice(0, 39).map(({ start_date }) => move(start_date)),
    )
    assert.equal((await datesOf(id)).length, 1)
  }
})

test('what comes from a date beside the rule on is removed, and replaced by another rule', async () => {
  const lines = [FORTNIGHTLY, OFF_BEAT]
  const { id } = await send('POST', '/events', { ...TIMED, recurrence: lines })
  const [first, added] = await datesOf(id)
  const path = `/events/${added.id}`
  const { status } = await app.call('administrator', 'DELETE', path, { query: { scope: 'following' } })
  assert.equal(status, 200)
  assert.deepEqual((await datesOf(id)).map(unchanged), [first].map(unchanged))
  await send('PATCH', `/events/${id}`, { recurrence: lines })
  const before = await datesOf(id)
  const replaced = await send('PATCH', path, { scope: 'following', recurrence: ['RRULE:FREQ=DAILY;COUNT=5'] })
  assert.deepEqual([replaced.id, replaced.series.id, replaced.series.position], [added.id, added.id, 1])
  // The 19th is a date of both.
  assert.deepEqual((await datesOf(added.id)).map(unchanged)[4], unchanged(before[2]))
})

test('a series that is divided counts twice for the categories and tags of both parts', async () => {
  const categories = [(await send('POST', '/categories', { name: 'Markets' })).id]
  const tags = [(await send('POST', '/tags', { name: 'Outdoors' })).id]
  const counts = async (): Promise<number[]> => {
    const read = [`/categories/${categories[0]}`, `/tags/${tags[0]}`].map((path) => app.call('anonymous', 'GET', path))
    return (await Promise.all(read)).map(({ body }) => body.count)
  }
  const recurrence = ['RRULE:FREQ=DAILY;COUNT=5']
  const { id } = await send('POST', '/events', { ...TIMED, categories, tags, recurrence })
  const [, , named, own] = await datesOf(id)
  await send('PATCH', `/events/${own.id}`, { title: 'With music', scope: 'this' })
  assert.deepEqual(await counts(), [1, 1])
  await send('PATCH', `/events/${named.id}`, { title: 'Night market', scope: 'following' })
  assert.deepEqual(await counts(), [2, 2])
  await send('PATCH', `/events/${named.id}`, { categories: [], scope: 'all' })
  assert.deepEqual(await counts(), [1, 2])
  for (const one of [named.id, id]) await send('DELETE', `/events/${one}`, { force: true, scope: 'all' })
  assert.deepEqual(await counts(), [0, 0])
})

test('the dates after a series is divided are those of before, with their ids, wherever that is', async () => {
  const days = ['DAILY;INTERVAL=3', 'WEEKLY', 'WEEKLY;INTERVAL=2', 'WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU', 'MONTHLY']
  const sets = ['MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', 'MONTHLY;INTERVAL=2;BYDAY=MO,TU;BYSETPOS=2,-1']
  const ends = fc.constantFrom('', ';COUNT=9', ';UNTIL=20270930')
  const listed = fc.subarray(['20270106', '20270115', '20270119', '20270131', '20270208', '20270418', '20270419'], {
    maxLength: 4,
  })
  const series = fc.record({
    rule: fc.constantFrom(...days, ...sets),
    end: ends,
    added: listed,
    excluded: listed,
    isWhole: fc.boolean(),
    place: fc.nat(),
    moves: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(series, async ({ rule, end, added, excluded, isWhole, place, moves }) => {
      const [type, time] = isWhole ? [';VALUE=DATE', ''] : ['', 'T180000']
      const linesOf = (name: string, dates: readonly string[]): string[] =>
        dates.length === 0 ? [] : [`${name}${type}:${dates.map((date) => `${date}${time}`)}`]
      const recurrence = [`RRULE:FREQ=${rule}${end}`, ...linesOf('RDATE', added), ...linesOf('EXDATE', excluded)]
      const { id } = await send('POST', '/events', { ...(isWhole ? WHOLE : TIMED), tags: ['Divided'], recurrence })
      const further = (await datesOf(id)).filter((date) => date.id !== id)
      if (further.length === 0) return
      const named = further[place % further.length].id
      const moved = { start_date: '2027-05-01 09:00:00', end_date: '2027-05-01 10:00:00', scope: 'this' }
      if (moves && !isWhole) await send('PATCH', `/events/${named}`, moved)
      const before = new Set((await datesOf(id)).map((date) => JSON.stringify(unchanged(date))))
      const begun = await send('PATCH', `/events/${named}`, { scope: 'following', cost: '7' })
      // The last date alone is a plain event.
      assert.deepEqual([begun.id, begun.cost, begun.series?.position ?? 1], [named, '$7', 1])
      const all = [...(await datesOf(id)), ...(await datesOf(named))]
      const shown = new Set(all.map((date) => JSON.stringify(unchanged(date))))
      assert.deepEqual(
        [...before].filter((date) => !shown.has(date)),
        [],
      )
      if (before.size < MANY) assert.equal(all.length, before.size)
    }),
    { numRuns: draws(100) },
  )
  await assertSound(app.app.storage)
  await assertJournalMirrors(app.app.storage)
})
