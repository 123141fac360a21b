import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApp } from './support/app.ts'
import { assertSound } from './support/sound.ts'

/* A date that is the same as before a change of its series has the same ID, slug and page, whatever the series is called. */

const app = await openTestApp({ after })
const WEEKLY = {
  title: 'Swim',
  start_date: '2027-01-04 10:00:00',
  end_date: '2027-01-04 11:00:00',
  recurrence: ['RRULE:FREQ=WEEKLY;COUNT=5'],
}

// biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests assert
type Item = any

async function send(method: string, path: string, json: object = {}): Promise<Item> {
  const { status, body } = await app.call('administrator', method, path, { json })
  assert.ok(status < 300, `${method} ${path} ${status} ${JSON.stringify(body)}`)
  return body
}

async function datesOf(series: number): Promise<Item[]> {
  const query = { series, start_date: '2020-01-01', end_date: '2099-01-01', per_page: 50 }
  return (await app.call('anonymous', 'GET', '/events', { query })).body.events
}

const named = ({ id, slug, url }: Item): unknown => [id, slug, new URL(url).pathname]

/** What its slug and its page lead to is each date itself. */
async function assertFound(dates: readonly Item[]): Promise<void> {
  for (const { id, slug, url } of dates) {
    assert.equal((await app.call('anonymous', 'GET', `/events/by-slug/${slug}`)).body.id, id, slug)
    const page = await fetch(url, { redirect: 'manual' })
    assert.equal(page.status, 200, url)
    assert.ok((await page.text()).includes(`/events/${id}`), url)
    assert.equal((await fetch(`${url}ical/`, { redirect: 'manual' })).status, 200, url)
  }
}

/** Days and hours by which the named date moves. */
const MOVES = [
  ['another title', { title: 'Late swim' }],
  ['another time', { start_date: '2027-01-18 18:00:00', end_date: '2027-01-18 19:00:00' }],
  ['another weekday', { start_date: '2027-01-20 10:00:00', end_date: '2027-01-20 11:00:00' }],
  ['another week', { start_date: '2027-01-25 10:00:00', end_date: '2027-01-25 11:00:00' }],
  ['the week before', { start_date: '2027-01-12 10:00:00', end_date: '2027-01-12 11:00:00' }],
] as const

for (const [index, [name, change]] of MOVES.entries()) {
  for (const scope of ['following', 'all'] as const) {
    test(`${name}: with the scope ${scope} every date keeps its id, slug and page`, async () => {
      const { id } = await send('POST', '/events', { ...WEEKLY, slug: `swim-${scope}-${index}` })
      const before = await datesOf(id)
      const third = before[2].id
      await send('DELETE', `/events/${before[3].id}`)
      await send('PATCH', `/events/${third}`, { ...change, scope })
      await send('PATCH', `/events/${before[3].id}`, { status: 'publish' })
      const parts = scope === 'all' ? [id] : [id, third]
      const dates = (await Promise.all(parts.map(datesOf))).flat()
      const { slug } = (await app.call('anonymous', 'GET', `/events/${third}`)).body
      assert.equal(slug, `swim-${scope}-${index}-2027-01-18`)
      const byId = (one: Item, other: Item): number => one.id - other.id
      assert.deepEqual(dates.toSorted(byId).map(named), before.toSorted(byId).map(named))
      await assertFound(dates)
      const month = await (await fetch(`${app.origin}/events/2027-01/`)).text()
      for (const { url, start_date } of dates.filter(({ start_date }) => start_date < '2027-02'))
        assert.ok(month.includes(`${new URL(url).pathname}"`), `${url} ${start_date}`)
    })
  }
}

test('dates that are added where another date keeps its address get the next number', async () => {
  const { id } = await send('POST', '/events', { ...WEEKLY, slug: 'dive' })
  const before = await datesOf(id)
  await send('PATCH', `/events/${before[2].id}`, {
    ...{ start_date: '2027-01-19 10:00:00', end_date: '2027-01-19 11:00:00', scope: 'following' },
  })
  // The first part goes on over the days of the second one, and another event wants such a slug, too.
  await send('PATCH', `/events/${id}`, { recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'] })
  const plain = await send('POST', '/events', { ...WEEKLY, recurrence: [], slug: 'dive-2027-02-01' })
  const first = await datesOf(id)
  assert.deepEqual(
    [...first, plain].map(({ slug }) => slug),
    ['dive', 'dive-2027-01-11', 'dive-2027-01-18-2', 'dive-2027-01-25-2', 'dive-2027-02-01-2'],
  )
  const second = await datesOf(before[2].id)
  assert.deepEqual(second.map(named), before.slice(2).map(named))
  await assertFound([...first, ...second, plain])
  // A series that moves to Tuesdays, and gets a Monday back.
  const { id: other } = await send('POST', '/events', {
    ...WEEKLY,
    slug: 'run',
    recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'],
  })
  await send('PATCH', `/events/${other}`, { start_date: '2027-01-05 10:00:00', end_date: '2027-01-05 11:00:00' })
  await send('PATCH', `/events/${other}`, { recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3', 'RDATE:20270111T100000'] })
  const run = await datesOf(other)
  assert.deepEqual(
    run.map(({ slug }) => slug),
    ['run', 'run-2027-01-11-2', 'run-2027-01-11', 'run-2027-01-18'],
  )
  await assertFound(run)
})

test('a series that gets another name takes all its dates along, and old addresses lead to them', async () => {
  const { id } = await send('POST', '/events', { ...WEEKLY, slug: 'row' })
  const before = await datesOf(id)
  const third = before[2].id
  await send('PATCH', `/events/${third}`, { title: 'Regatta', scope: 'following' })
  const shown = (await app.call('anonymous', 'GET', `/events/${third}`)).body
  // Sent back as it is, it changes nothing.
  const { title, slug, start_date, end_date, recurrence } = shown
  await send('PUT', `/events/${third}`, { title, slug, start_date, end_date, recurrence, scope: 'all' })
  assert.deepEqual((await datesOf(third)).map(named), before.slice(2).map(named))
  await send('DELETE', `/events/${third}?scope=all`)
  await send('PATCH', `/events/${third}`, { status: 'publish', scope: 'all' })
  assert.deepEqual((await datesOf(third)).map(named), before.slice(2).map(named))
  await send('PATCH', `/events/${third}`, { slug: 'regatta', scope: 'all' })
  const after = await datesOf(third)
  assert.deepEqual(
    after.map(({ slug }) => slug),
    ['regatta', 'regatta-2027-01-25', 'regatta-2027-02-01'],
  )
  await assertFound(after)
  for (const [index, { url }] of before.slice(2).entries()) {
    const page = await fetch(url, { redirect: 'manual' })
    const target = new URL(page.headers.get('location') ?? '', url).pathname
    assert.deepEqual([page.status, target], [301, new URL(after[index].url).pathname])
  }
})

test('a part that is named when it begins has its own addresses, and old ones lead to them', async () => {
  const { id } = await send('POST', '/events', { ...WEEKLY, slug: 'sail' })
  const before = await datesOf(id)
  const third = before[2].id
  const moved = { start_date: '2027-01-18 18:00:00', end_date: '2027-01-18 19:00:00' }
  await send('PATCH', `/events/${third}`, { ...moved, slug: 'sunset-sail', scope: 'following' })
  const after = await datesOf(third)
  assert.deepEqual(
    after.map(({ slug }) => slug),
    ['sunset-sail', 'sunset-sail-2027-01-25', 'sunset-sail-2027-02-01'],
  )
  await assertFound(after)
  for (const { url } of before.slice(2)) assert.equal((await fetch(url)).status, 200)
})

test('everything that is made of these series is whole', async () => {
  await assertSound(app.app.storage)
})
