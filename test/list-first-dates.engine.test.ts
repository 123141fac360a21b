import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Answer, openTestApp } from './support/app.ts'

/* Lists with each series once that have more dates than are looked at for their first pages. */

const { call } = await openTestApp({ after })

type Query = Readonly<Record<string, string | number>>
type Item = Answer['body']

async function sent(method: string, path: string, json: object): Promise<Item> {
  const { status, body } = await call('editor', method, path, { json })
  assert.ok(status < 300, JSON.stringify(body))
  return body
}

async function whole(query: Query): Promise<Item[]> {
  const all: Item[] = []
  for (let page = 1; ; page += 1) {
    const { status, body } = await call('anonymous', 'GET', '/events', { query: { ...query, page, _fields: FIELDS } })
    assert.equal(status, 200, JSON.stringify(body))
    all.push(...body.events)
    if (page >= body.total_pages) return all
  }
}

const FIELDS = 'events.id,events.series,total_pages'

test('of each series the first date is listed, on every page', async () => {
  const clock = ['08', '12', '15', '19']
  const rules = ['DAILY;COUNT=60', 'DAILY;INTERVAL=2;COUNT=60', 'WEEKLY;COUNT=40']
  const ids: number[] = []
  for (let number = 0; number < 18; number += 1) {
    const hour = clock[number % 4] ?? ''
    // Some begin after all that is looked at first.
    const day = number < 14 ? `2029-01-${String(1 + number).padStart(2, '0')}` : `2029-04-0${number - 12}`
    const { id } = await sent('POST', '/events', {
      ...{ title: `Long ${number}`, start_date: `${day} ${hour}:00`, end_date: `${day} ${hour}:30` },
      recurrence: [`RRULE:FREQ=${rules[number % 3]}`],
    })
    ids.push(id)
  }
  for (let number = 0; number < 20; number += 1) {
    const day = `2029-0${1 + (number % 5)}-1${number % 9}`
    await sent('POST', '/events', { title: 'One', start_date: `${day} 09:00`, end_date: `${day} 10:00` })
  }
  const [moved, canceled] = await whole({
    series: ids[16] ?? 0,
    start_date: '2029-04-01',
    end_date: '2030-01-01',
    per_page: 50,
  })
  const early = { start_date: '2029-01-02 07:00', end_date: '2029-01-02 08:00' }
  await sent('PATCH', `/events/${moved.id}`, { scope: 'this', ...early })
  await sent('PATCH', `/events/${canceled.id}`, { scope: 'this', event_status: 'canceled' })
  const year: Query = { start_date: '2029-01-01', end_date: '2030-01-01' }
  const since: Query = { ends_after: '2029-01-05 12:00:00', strict_dates: 'true' }
  for (const query of [year, { ...year, start_date: '2029-01-20' }, since]) {
    const first = new Map<number, number>()
    for (const { id, series } of await whole({ ...query, per_page: 50 }))
      if (!first.has(series?.id ?? id)) first.set(series?.id ?? id, id)
    assert.ok(first.size >= 18, `${first.size} events`)
    for (const per_page of [10, 50]) {
      const listed = await whole({ ...query, per_page, hide_subsequent_recurrences: 'true' })
      assert.deepEqual(
        listed.map(({ id }) => id),
        [...first.values()],
        JSON.stringify({ ...query, per_page }),
      )
    }
  }
})
