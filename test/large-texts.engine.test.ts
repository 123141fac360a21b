import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestApp } from './support/app.ts'

const TIMES = { start_date: '2027-04-17 09:30:00', end_date: '2027-04-17 11:00:00', status: 'publish' }

test('few large events make no large piece: files are sent bit by bit, and pages of changes are short', async (t) => {
  const { call, origin } = await openTestApp(t)
  const start = (await call('anonymous', 'GET', `${origin}/kalends/v1/changes`)).body.cursor
  const description = `<p>${'word '.repeat(90_000)}</p>`
  const ids: number[] = []
  for (let index = 0; index < 12; index += 1)
    ids.push((await call('editor', 'POST', '/events', { json: { ...TIMES, title: `E${index}`, description } })).body.id)
  const feed = await call('anonymous', 'GET', '/events', { headers: { accept: 'application/feed+json' } })
  assert.deepEqual([feed.status, feed.headers.get('content-length')], [200, null])
  assert.equal((typeof feed.body === 'string' ? JSON.parse(feed.body) : feed.body).items.length, 10)
  const calendar = await call('anonymous', 'GET', `${origin}/kalends/v1/events.ics`)
  assert.deepEqual([calendar.status, calendar.headers.get('content-length')], [200, null])
  assert.equal(calendar.body.match(/^BEGIN:VEVENT/gm).length, 12)
  assert.match(calendar.body, /END:VCALENDAR\r\n$/)

  const seen: number[] = []
  for (let cursor = start, more = true, pages = 0; more; pages += 1) {
    const { body } = await call('anonymous', 'GET', `${origin}/kalends/v1/changes?expand=item&since=${cursor}`)
    seen.push(...body.changes.map((change: { id: number; item: object }) => change.item && change.id))
    assert.ok(body.changes.length <= 10 && pages < 3)
    ;({ cursor, more } = body)
  }
  assert.deepEqual(seen, ids)
})
