import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { examineCopies } from '../src/ops/doctor/copies.ts'
import { openTestApp } from './support/app.ts'
import { rowsOf } from './support/storage.ts'

/* Series of very many dates are written slice by slice; whoever reads meanwhile sees all of a change or nothing. */

const app = await openTestApp({ after })
const DATES = 1_200
const DAILY = { title: 'Yoga', start_date: '2027-01-01 10:00', end_date: '2027-01-01 11:00', timezone: 'Europe/Berlin' }

async function send(method: string, path: string, json?: object) {
  const { status, body } = await app.call('administrator', method, path, json === undefined ? {} : { json })
  assert.ok(status < 300, `${method} ${path}: ${status} ${JSON.stringify(body)}`)
  return body
}

async function datesOf(series: number, page = 1): Promise<{ ids: number[]; total: number; first: string | undefined }> {
  const query = { series, start_date: '2020-01-01', end_date: '2099-01-01', per_page: 50, page }
  const { status, body } = await app.call('administrator', 'GET', '/events', { query })
  // There is no such series any more.
  if (status === 400) return { ids: [], total: 0, first: undefined }
  return { ids: body.events.map((one: { id: number }) => one.id), total: body.total, first: body.events[0]?.start_date }
}

/** Totals of the dates of a series as a reader sees them while something is done. */
async function totalsDuring(series: number, action: Promise<unknown>): Promise<Set<number>> {
  const totals = new Set<number>()
  let isDone = false
  const done = action.finally(() => {
    isDone = true
  })
  while (!isDone) totals.add((await datesOf(series)).total)
  await done
  return totals
}

async function problems() {
  const { findings } = await examineCopies(app.app.storage)
  return findings.filter((finding) => finding.problems > 0)
}

test('a series of 1,200 dates with many exceptions is moved, thinned out and deleted as a whole', async () => {
  const made = await send('POST', '/events', { ...DAILY, recurrence: [`RRULE:FREQ=DAILY;COUNT=${DATES}`] })
  const before = await datesOf(made.id)
  assert.equal(before.total, DATES)
  for (const [index, id] of before.ids.slice(1, 14).entries())
    await send('PATCH', `/events/${id}`, { title: `Guest ${index}` })

  const moved = { start_date: '2027-01-01 12:00', end_date: '2027-01-01 13:00' }
  await totalsDuring(made.id, send('PATCH', `/events/${made.id}`, moved))
  const after = await datesOf(made.id)
  assert.deepEqual([after.total, after.first, after.ids[0]], [DATES, '2027-01-01 12:00:00', made.id])
  assert.deepEqual(after.ids, before.ids)

  const thinned = send('PATCH', `/events/${made.id}`, { recurrence: ['RRULE:FREQ=WEEKLY;COUNT=600'] })
  const totals = await totalsDuring(made.id, thinned)
  assert.deepEqual(
    [...totals].filter((total) => total !== DATES && total !== 600),
    [],
  )
  assert.equal((await datesOf(made.id)).total, 600)
  assert.deepEqual(await problems(), [])

  const left = await totalsDuring(made.id, send('DELETE', `/events/${made.id}?scope=all&force=true`))
  assert.deepEqual(
    [...left].filter((total) => total !== 600 && total !== 0),
    [],
  )
  assert.equal((await app.call('administrator', 'GET', `/events/${made.id}`)).status, 404)
  for (const table of ['event', 'occurrence', 'occurrence_link', 'series_date'] as const)
    assert.deepEqual(await rowsOf(app.app.storage, `select * from ${table}`), [], table)
  assert.deepEqual(await problems(), [])
})
