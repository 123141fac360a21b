import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApp } from './support/app.ts'

const app = await openTestApp({ after })
const FORCE = { query: { force: 'true' } }
const SPAN = { start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 12:00:00' }

const ENTRIES = {
  '/events': { title: 'Board meeting', ...SPAN },
  '/venues': { venue: 'Hall' },
  '/organizers': { organizer: 'Club' },
} as const
const TERMS = { '/categories': { name: 'Jazz' }, '/tags': { name: 'free' } } as const

async function make(path: string, json: object): Promise<number> {
  const answer = await app.call('administrator', 'POST', path, { json })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.id
}

async function remove(path: string, id: number): Promise<void> {
  const answer = await app.call('administrator', 'DELETE', `${path}/${id}`, FORCE)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
}

for (const kinds of [ENTRIES, TERMS]) {
  test(`an id of ${Object.keys(kinds).join()} is given once, whatever was deleted for good in between`, async () => {
    const given: number[] = []
    for (let round = 0; round < 3; round += 1) {
      for (const [path, json] of Object.entries(kinds)) {
        const id = await make(path, json)
        given.push(id)
        await remove(path, id)
      }
    }
    assert.deepEqual(
      given,
      given.map((_id, index) => (given[0] ?? 0) + index),
    )
  })
}

test('a term that an event made and lost again leaves its id taken', async () => {
  const event = await app.call('administrator', 'POST', '/events', {
    json: { ...ENTRIES['/events'], tags: ['fleeting'], venue: { venue: 'Fleeting hall' } },
  })
  const [tag, venue] = [event.body.tags[0].id, event.body.venue.id]
  await remove('/tags', tag)
  await remove('/venues', venue)
  assert.ok((await make('/tags', { name: 'fleeting' })) > tag)
  assert.ok((await make('/venues', { venue: 'Fleeting hall' })) > venue)
})

/** Status and code for an id that names nothing here. */
function expected(path: string, wasEntryOfOtherKind: boolean): (string | number)[] {
  return path === '/events' && !wasEntryOfOtherKind ? [404, 'rest-event-not-found'] : [400, 'rest_invalid_param']
}

for (const role of ['anonymous', 'administrator'] as const) {
  test(`an id of another kind is not an id that was never given (${role})`, async () => {
    const living = { ...(await makeAll(ENTRIES)), ...(await makeAll(TERMS)) }
    const gone = { ...(await makeAll(ENTRIES)), ...(await makeAll(TERMS)) }
    for (const [path, id] of Object.entries(gone)) await remove(path, id)
    const isEntry = (path: string): boolean => Object.hasOwn(ENTRIES, path)
    for (const path of [...Object.keys(ENTRIES), ...Object.keys(TERMS)]) {
      for (const [other, id] of [...Object.entries(living), ...Object.entries(gone)]) {
        // Entries and terms have counters of their own: the id of a term may be that of an entry.
        if (isEntry(other) !== isEntry(path) || (other === path && living[path] === id)) continue
        const answer = expected(path, isEntry(other) && other !== path)
        for (const method of ['GET', 'PATCH', 'DELETE']) {
          const { status, body } = await app.call(role, method, `${path}/${id}`, method === 'PATCH' ? { json: {} } : {})
          assert.deepEqual([status, body.code], answer, `${method} ${path}/${id} of ${other}`)
        }
      }
      const unknown = await app.call(role, 'GET', `${path}/1999999`)
      assert.deepEqual([unknown.status, unknown.body.code], expected(path, false), path)
      const zero = await app.call(role, 'GET', `${path}/0`)
      assert.deepEqual([zero.status, zero.body.code], [400, 'rest_invalid_param'], path)
    }
  })
}

let round = 0

async function makeAll(kinds: Readonly<Record<string, object>>): Promise<Record<string, number>> {
  round += 1
  const ids: Record<string, number> = {}
  for (const [path, json] of Object.entries(kinds)) {
    const named = Object.entries(json).map(([name, value]) => [name, /date/.test(name) ? value : `${value} ${round}`])
    ids[path] = await make(path, Object.fromEntries(named))
  }
  return ids
}
