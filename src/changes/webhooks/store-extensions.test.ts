import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestApp } from '../../../test/support/app.ts'
import { rowsOf } from '../../../test/support/storage.ts'
import { eventually, openReceiver } from '../../../test/support/webhook-receiver.ts'
import { moveHorizons } from '../../calendar/events/series/horizon.ts'

const DAILY = {
  ...{ title: 'Open "house" \\', start_date: '2027-01-04 10:00:00', end_date: '2027-01-04 11:00:00', timezone: 'UTC' },
  ...{
    recurrence: ['RRULE:FREQ=DAILY', 'EXDATE:20311122T100000'],
    description: '"recurrence":"{\\"until\\":\\"9\\"}"',
  },
}

/** Days by which the horizon moves on; one of them is taken out. */
const DAYS = 130

test('receivers are told of the further dates of a rule without end as new events, and of no change of the series', async (t) => {
  const receiver = await openReceiver(t)
  const app = await openTestApp(t, { fetchAllow: '127.0.0.1' })
  const { body } = await app.call('administrator', 'POST', '/events', { json: DAILY })
  const draft = await app.call('administrator', 'POST', '/events', { json: { ...DAILY, status: 'draft' } })
  assert.deepEqual([typeof body.id, typeof draft.body.id], ['number', 'number'])
  const hook = { url: `${receiver.origin}/in`, events: ['event.created', 'event.updated', 'event.deleted'] }
  const added = await app.call('administrator', 'POST', `${app.origin}/kalends/v1/webhooks`, { json: hook })
  assert.equal(added.status, 201, JSON.stringify(added.body))
  const { storage } = app.app
  const later = { now: Date.UTC(2026, 10, 20 + DAYS, 18), recurrenceYears: 5 }
  await moveHorizons(storage, later, new AbortController().signal)
  const query =
    'select id, recurrence_id from series_date where series_id = ? and recurrence_id > ? order by recurrence_id'
  const dates = await rowsOf(storage, query, body.id, '2031-11-20 18:00:00')
  // More than one transaction stores.
  assert.ok(dates.length > 100)
  await eventually('a message about each further date', () => receiver.messages.length >= dates.length)
  const told = receiver.messages.map(({ json }) => json)
  assert.deepEqual([...new Set(told.map(({ type }) => type))], ['event.created'])
  const byStart = told.map(({ data }) => [data.item.series.recurrence_id, data.id, data.item.id]).sort()
  assert.deepEqual(
    byStart,
    dates.map(({ id, recurrence_id }) => [recurrence_id, id, id]),
  )
  // Rows are queued in the order of the journal: there is none for anything before this change.
  await app.call('administrator', 'PATCH', `/events/${body.id}`, { json: { title: 'Closed' } })
  const queued = 'select event, item_id from webhook_delivery order by id'
  await eventually('a message about the change', () => receiver.messages.length > dates.length)
  const rows = await rowsOf(storage, queued)
  assert.equal(rows.length, dates.length + 1)
  assert.deepEqual(rows.at(-1), { event: 'event.updated', item_id: body.id })
})
