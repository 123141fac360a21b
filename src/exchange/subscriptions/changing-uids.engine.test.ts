import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/support/app.ts'
import { openRemoteSite } from '../../../test/support/images.ts'
import { rowsOf } from '../../../test/support/storage.ts'

/*
 * Feeds that give every event a new UID at each visit, as Outlook and some generators do.
 */

interface Entry {
  readonly title: string
  readonly start: string
  readonly uid?: string
  readonly more?: readonly string[]
}

function fileOf(entries: readonly Entry[], visit: number): string {
  const events = entries.flatMap(({ title, start, uid, more = [] }, index) => [
    ...['BEGIN:VEVENT', `UID:${uid ?? `${visit}-${index}-${visit * 7}`}`, `SUMMARY:${title}`],
    ...[`DTSTART;TZID=Europe/Berlin:${start}`, ...more, 'END:VEVENT'],
  ])
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events, 'END:VCALENDAR', ''].join('\r\n')
}

const WEEKLY = ['RRULE:FREQ=WEEKLY;COUNT=3', 'LOCATION:Room 2']
const ENTRIES: readonly Entry[] = [
  { title: 'Board meeting', start: '20270114T200000', more: ['LOCATION:Room 1'] },
  { title: 'Board meeting', start: '20270114T200000', more: ['LOCATION:Room 2'] },
  { title: 'Open evening', start: '20270121T200000' },
  { title: 'Choir', start: '20270201T190000', more: WEEKLY },
  { title: 'Long ago', start: '20260101T190000' },
]

async function subscribed(t: TestContext) {
  const app = await openTestApp(t, { fetchAllow: '127.0.0.1' })
  let file = ''
  const site = await openRemoteSite(t, { '/diary.ics': (response) => void response.end(file) })
  const subscriptions = `${app.origin}/kalends/v1/subscriptions`
  const { body } = await app.call('administrator', 'POST', subscriptions, { json: { url: `${site.origin}/diary.ics` } })
  let visits = 0
  const visit = async (entries: readonly Entry[]) => {
    visits += 1
    file = fileOf(entries, visits)
    const sync = await app.call('administrator', 'POST', `${subscriptions}/${body.id}/sync`)
    assert.deepEqual([sync.body.problem, sync.body.failures], ['', 0])
    return sync.body.report
  }
  return { app, visit }
}

function stored(app: TestApp) {
  return rowsOf(app.app.storage, 'select id, slug, status, title, start_local, revision, extra from event order by id')
}

test('a feed that gives every event a new UID at each visit keeps them', async (t) => {
  const { app, visit } = await subscribed(t)
  await visit(ENTRIES)
  const [first] = await stored(app)
  await app.call('administrator', 'POST', `/events/${first?.['id']}`, { json: { title: 'Board, open to all' } })
  const before = await stored(app)
  assert.equal(before.length, ENTRIES.length)
  for (const order of [1, -1, 1, -1]) {
    const report = await visit(ENTRIES.toSorted(() => order))
    const { created, updated, unchanged, trashed } = report
    assert.deepEqual({ created, updated, unchanged, trashed }, { created: 0, updated: 0, unchanged: 5, trashed: 0 })
    assert.deepEqual(await stored(app), before)
  }
})

test('what is new in such a feed comes, and what it has no more goes', async (t) => {
  const { app, visit } = await subscribed(t)
  await visit(ENTRIES)
  const before = await stored(app)
  const [, , ...others] = ENTRIES
  const fresh = { title: 'Lecture', start: '20270301T190000' }
  const moved = { ...ENTRIES[1], title: 'Board meeting', start: '20270115T200000' }
  const report = await visit([...others, moved, fresh])
  assert.deepEqual([report.created, report.trashed, report.updated], [1, 1, 1])
  const after = await stored(app)
  assert.deepEqual(
    after.map(({ id, title, start_local, status }) => [id, title, start_local, status === 'trash']),
    [
      [before[0]?.['id'], 'Board meeting', '2027-01-14 20:00:00', true],
      [before[1]?.['id'], 'Board meeting', '2027-01-15 20:00:00', false],
      ...before.slice(2).map(({ id, title, start_local }) => [id, title, start_local, false]),
      [after.at(-1)?.['id'], 'Lecture', '2027-03-01 19:00:00', false],
    ],
  )
  const again = await visit([...others, moved, fresh, ENTRIES[0] ?? fresh])
  assert.deepEqual([again.created, again.updated, again.trashed], [0, 1, 0])
  assert.ok((await stored(app)).every(({ status }) => status !== 'trash'))
})

test('once its UIDs stay, an event is the same under them whatever else changes', async (t) => {
  const { app, visit } = await subscribed(t)
  await visit(ENTRIES)
  const before = await stored(app)
  const steady = ENTRIES.map((one, index) => ({ ...one, uid: `steady-${index}` }))
  await visit(steady)
  const report = await visit(
    steady.map((one) => ({ ...one, title: `${one.title}!`, start: one.start.replace(/^2027/, '2028') })),
  )
  assert.deepEqual([report.created, report.trashed], [0, 0])
  assert.deepEqual(
    (await stored(app)).map(({ id, title }) => [id, title]),
    before.map(({ id, title }) => [id, `${title}!`]),
  )
})

test('what was thrown away or deleted here stays so under a new UID', async (t) => {
  const { app, visit } = await subscribed(t)
  await visit(ENTRIES)
  const [first, second] = await stored(app)
  await app.call('administrator', 'DELETE', `/events/${first?.['id']}`)
  await app.call('administrator', 'DELETE', `/events/${second?.['id']}`)
  await app.call('administrator', 'DELETE', `/events/${second?.['id']}`, { query: { force: 'true' } })
  const before = await stored(app)
  for (const _visit of [1, 2, 3]) {
    const report = await visit(ENTRIES)
    assert.deepEqual([report.created, report.updated, report.trashed], [0, 0, 0])
    assert.deepEqual(await stored(app), before)
  }
})
