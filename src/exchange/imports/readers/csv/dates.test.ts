import assert from 'node:assert/strict'
import test from 'node:test'
import { openTestApp, type TestApp } from '../../../../../test/support/app.ts'

function send(app: TestApp, rows: readonly string[], more: Record<string, unknown> = {}) {
  assert.ok(app.app.importCalendars)
  const files = [{ name: 'events.csv', bytes: Buffer.from(rows.join('\n')) }]
  return app.app.importCalendars({ files, isDryRun: false, ...more }, () => undefined)
}

/** Days on which the events start and end, by title. */
async function days(app: TestApp): Promise<Record<string, string>> {
  const query = { start_date: '2026-01-01', end_date: '2029-01-01', per_page: 50 }
  const { body } = await app.call('administrator', 'GET', '/events', { query })
  const events: readonly Record<'title' | 'start_date' | 'end_date', string>[] = body.events
  return Object.fromEntries(
    events.map((one) => [one.title, `${one.start_date.slice(0, 10)} ${one.end_date.slice(0, 10)}`]),
  )
}

const HEAD = 'title,start_date,end_date'

test('a part above 12 decides for all dates of its column, also for those of rows before it', async (t) => {
  const app = await openTestApp(t)
  const report = await send(app, [HEAD, 'A,03/04/2027,05/04/2027', 'B,04/04/2027 10:00,', 'C,25/04/2027,26/04/2027'])
  assert.deepEqual([report.skipped, report.undecided], [[], []])
  assert.deepEqual(await days(app), {
    A: '2027-04-03 2027-04-05',
    B: '2027-04-04 2027-04-04',
    C: '2027-04-25 2027-04-26',
  })
})

test('a column that shows nothing is read like the other one', async (t) => {
  const app = await openTestApp(t)
  const report = await send(app, [HEAD, 'A,05-01-2027,05-02-2027', 'B,05-03-2027,05-25-2027'])
  assert.deepEqual([report.skipped, report.undecided], [[], []])
  assert.deepEqual(await days(app), { A: '2027-05-01 2027-05-02', B: '2027-05-03 2027-05-25' })
})

test('where nothing shows the order the report says which one was taken and for how many dates', async (t) => {
  const app = await openTestApp(t)
  const rows = [HEAD, 'A,03/04/2027,', 'B,05/05/2027,06/05/2027', 'C,1-2-2027,', 'D,5.6.2027,', 'E,2027-07-08,']
  const report = await send(app, rows)
  assert.deepEqual(report.skipped, [])
  assert.deepEqual(report.undecided, [
    { file: 'events.csv', order: 'month-first', count: 2, example: '03/04/2027' },
    { file: 'events.csv', order: 'day-first', count: 1, example: '1-2-2027' },
  ])
  assert.deepEqual(await days(app), {
    A: '2027-03-04 2027-03-04',
    B: '2027-05-05 2027-06-05',
    C: '2027-02-01 2027-02-01',
    D: '2027-06-05 2027-06-05',
    E: '2027-07-08 2027-07-08',
  })
})

test('what is said of dates counts for all, and a date that is none in that order is told', async (t) => {
  const app = await openTestApp(t)
  const rows = [HEAD, 'A,03/04/2027 10:00,', 'B,1-2-2027,', 'C,04/25/2027,']
  const report = await send(app, rows, { dates: 'day-first' })
  assert.deepEqual(report.undecided, [])
  assert.deepEqual(report.skipped, [
    { what: 'events.csv: line 4', why: 'import.problem.unreadStart?value=04%2F25%2F2027', title: 'C' },
  ])
  assert.deepEqual(await days(app), { A: '2027-04-03 2027-04-03', B: '2027-02-01 2027-02-01' })
  await send(app, [HEAD, 'D,1-2-2027,'], { dates: 'month-first' })
  assert.equal((await days(app))['D'], '2027-01-02 2027-01-02')
  await assert.rejects(send(app, rows, { dates: 'year-first' }), { code: 'wrong_usage' })
})

test('where a column has both orders the commoner one counts, and its doubtful dates are told', async (t) => {
  const app = await openTestApp(t)
  const rows = [HEAD, 'A,13/04/2027,', 'B,14/04/2027,', 'C,04/15/2027,', 'D,03/04/2027,']
  const report = await send(app, rows)
  assert.deepEqual(report.undecided, [{ file: 'events.csv', order: 'day-first', count: 1, example: '03/04/2027' }])
  assert.deepEqual(report.skipped, [
    { what: 'events.csv: line 4', why: 'import.problem.unreadStart?value=04%2F15%2F2027', title: 'C' },
  ])
  assert.equal((await days(app))['D'], '2027-04-03 2027-04-03')
})
