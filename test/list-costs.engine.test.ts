import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApp } from './support/app.ts'

/** Events are found by what they cost, whatever the currency. */

const { call } = await openTestApp({ after })
const SPAN = { start_date: '2027-03-01 10:00', end_date: '2027-03-01 12:00' }

async function make(title: string, json: object): Promise<number> {
  const { status, body } = await call('editor', 'POST', '/events', { json: { title, ...SPAN, ...json } })
  assert.equal(status, 201, JSON.stringify(body))
  return body.id
}

for (const cost of [
  '',
  '0',
  'Free',
  'Eintritt frei',
  '€5',
  '$5 – $12.50',
  '20',
  'Ask us',
  'Free, 8',
  'Entrée libre, 6',
  `${'9 or '.repeat(80)}9`,
])
  await make(`For ${cost.slice(0, 20)}`, { cost })
const WORDS = ['Free admission', 'Gratis, Anmeldung nötig', '入場無料']
for (const cost of WORDS) await make(`For ${cost}`, { cost })
await make('For members', { cost: 'Free for members' })
await make('protected', { cost: '0', status: 'draft' })

async function titles(query: Readonly<Record<string, string | number>>): Promise<string[]> {
  return (await found(query)).map(({ title }) => title.replace('For ', ''))
}

interface Found {
  readonly id: number
  readonly title: string
}

async function found(query: Readonly<Record<string, string | number>>): Promise<readonly Found[]> {
  const { status, body } = await call('anonymous', 'GET', '/events', { query: { per_page: 50, ...query } })
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.total, body.events.length)
  assert.deepEqual((await call('anonymous', 'GET', body.rest_url)).body.total, body.total)
  return body.events
}

test('free events, and those with an amount in a range, are found', async () => {
  assert.deepEqual(await titles({ cost: 'free' }), ['0', 'Free', 'Eintritt frei', ...WORDS])
  assert.deepEqual(await titles({ cost_min: 12.5 }), ['$5 – $12.50', '20'])
  const low = ['0', 'Free', 'Eintritt frei', '€5', '$5 – $12.50', 'Free, 8', 'Entrée libre, 6', ...WORDS]
  assert.deepEqual(await titles({ cost_max: 5 }), low)
  assert.deepEqual(await titles({ cost_min: 6, cost_max: 10 }), ['$5 – $12.50', 'Free, 8', 'Entrée libre, 6'])
  assert.deepEqual(await titles({ cost_min: 6, cost_max: 10, search: 'free' }), ['Free, 8'])
  assert.deepEqual(await titles({ cost: 'free', orderby: 'title' }), ['0', 'Eintritt frei', 'Free', ...WORDS])
})

test('JSON-LD has a price of zero for what these filters take for nothing', async () => {
  const free = await titles({ cost_max: 0 })
  for (const { id, title } of await found({})) {
    const { json_ld } = (await call('anonymous', 'GET', `/events/${id}`)).body
    assert.equal(json_ld.offers?.price === '0', free.includes(title.replace('For ', '')), title)
  }
})

test('a cached list follows a change of the cost', async () => {
  const id = await make('Changing', { cost: '500' })
  assert.deepEqual(await titles({ cost_min: 400 }), ['Changing'])
  assert.equal((await call('editor', 'PATCH', `/events/${id}`, { json: { cost: '300' } })).status, 200)
  assert.deepEqual(await titles({ cost_min: 400 }), [])
})

test('a date of a series has the cost that it has for itself', async () => {
  const id = await make('Course', { cost: '70', recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
  const { body } = await call('anonymous', 'GET', '/events', { query: { series: id } })
  const trial = { cost: '61', scope: 'this' }
  assert.equal((await call('editor', 'PATCH', `/events/${body.events[1].id}`, { json: trial })).status, 200)
  assert.equal((await titles({ cost_min: 70, cost_max: 70 })).length, 2)
  assert.equal((await titles({ cost_min: 61, cost_max: 61 })).length, 1)
})

test('what is no cost is refused', async () => {
  const { status, body } = await call('anonymous', 'GET', '/events', { query: { cost: 'cheap', cost_min: 'x' } })
  assert.deepEqual([status, Object.keys(body.data.params)], [400, ['cost', 'cost_min']])
})
