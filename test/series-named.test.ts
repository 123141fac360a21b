import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestApp } from './support/app.ts'

const WEEKLY = {
  title: 'Yoga',
  start_date: '2027-01-04 10:00:00',
  end_date: '2027-01-04 11:00:00',
  recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'],
}

/** Ids that such a series takes, that of the event among them. */
const WEEKLY_DATES = 4

for (const [path, field] of [
  ['/categories', 'categories'],
  ['/tags', 'tags'],
] as const) {
  test(`the ${field} of a date of a series are listed like those of an event, and follow each change`, async (t) => {
    const { call } = await openTestApp(t)
    const send = async (method: string, at: string, json: object) => {
      const { status, body } = await call('administrator', method, at, { json })
      assert.ok(status < 300, `${status} ${JSON.stringify(body)}`)
      return body
    }
    const { id } = await send('POST', '/events', { ...WEEKLY, [field]: ['Sport'] })
    const query = { series: id, start_date: '2027-01-01' }
    const [, second, third] = (await call('anonymous', 'GET', '/events', { query })).body.events
    /** Their names, asked for twice: the second answer may have been kept. */
    const named = async (event: number) => {
      const asked = async (name: 'post' | 'event') => {
        const { status, body } = await call('anonymous', 'GET', path, { query: { [name]: event } })
        return status === 200 ? body[field].map((one: { readonly name: string }) => one.name) : status
      }
      const [one, other] = [await asked('post'), await asked('event')]
      assert.deepEqual(await asked('post'), one)
      assert.deepEqual(other, one)
      return one
    }
    const all = async () => [await named(id), await named(second.id), await named(third.id)]
    assert.deepEqual(await all(), [['Sport'], ['Sport'], ['Sport']])
    await send('PATCH', `/events/${second.id}`, { [field]: ['Sport', 'Free'] })
    assert.deepEqual(await all(), [['Sport'], ['Free', 'Sport'], ['Sport']])
    // The series has as many terms as before.
    await send('PATCH', `/events/${third.id}`, { [field]: ['Free'] })
    assert.deepEqual(await all(), [['Sport'], ['Free', 'Sport'], ['Free']])
    await send('PATCH', `/events/${id}`, { [field]: ['Free', 'Sport'], scope: 'this' })
    assert.deepEqual(await all(), [['Free', 'Sport'], ['Free', 'Sport'], ['Free']])
    await send('PATCH', `/events/${id}`, { password: 'sesame' })
    assert.deepEqual(await all(), [[], [], []])
    await send('PATCH', `/events/${id}`, { password: '' })
    await send('DELETE', `/events/${third.id}`, {})
    assert.deepEqual(await all(), [['Free', 'Sport'], ['Free', 'Sport'], 400])
  })
}

test('an id that is nothing yet is listed as soon as it is that of a date', async (t) => {
  const { call } = await openTestApp(t)
  const first = (await call('administrator', 'POST', '/events', { json: WEEKLY })).body
  const listed = async (id: number) => {
    const { status, body } = await call('anonymous', 'GET', '/events', { query: { include: id } })
    return [status, body.events.map((one: { readonly id: number }) => one.id)]
  }
  const next = first.id + WEEKLY_DATES + 1
  assert.deepEqual(
    [await listed(next), await listed(next)],
    [
      [200, []],
      [200, []],
    ],
  )
  const second = (await call('administrator', 'POST', '/events', { json: WEEKLY })).body
  assert.equal(second.id, next - 1)
  assert.deepEqual(await listed(next), [200, [next]])
})
