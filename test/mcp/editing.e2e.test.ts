import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApp } from '../support/app.ts'
import { toolCaller } from '../support/mcp-tools.ts'

const app = await openTestApp({ after }, { limitMcp: 'none', limitMcpWrites: 'none' })
const editor = await toolCaller({ after }, app, 'editor')

let day = 0

/** An event of its own day, so that it is no duplicate of another one. */
function meeting(more: object = {}) {
  day += 1
  const date = new Date(Date.UTC(2027, 0, day)).toISOString().slice(0, 10)
  return { title: `Meeting ${day}`, start: `${date}T10:00`, end: `${date}T12:00`, ...more }
}

test('moments may have fractions and offsets in every form that ISO 8601 has', async () => {
  for (const [start, end, shown] of [
    ['T10:00:00.000Z', 'T11:00:00.123456Z', 'T10:00:00+00:00'],
    ['T10:00:00+0200', 'T11:00+02', 'T08:00:00+00:00'],
    ['t10:00z', 'T11:00:00,5Z', 'T10:00:00+00:00'],
  ] as const) {
    const { title, start: from } = meeting()
    const date = from.slice(0, 10)
    const made = await editor.result('create_event', { title, start: date + start, end: date + end, timezone: 'UTC' })
    assert.equal(made.start, date + shown)
  }
})

test('an event from one date to another lasts all day unless its caller says otherwise', async () => {
  const { title, start } = meeting()
  const date = start.slice(0, 10)
  const made = await editor.result('create_event', { title, start: date, end: date })
  assert.deepEqual([made.start, made.end, made.all_day], [date, date, true])
  const timed = meeting()
  const { id, version } = await editor.result('create_event', timed)
  const day = timed.start.slice(0, 10)
  const changed = await editor.result('update_event', { id, if_match: version, changes: { start: day, end: day } })
  assert.deepEqual([changed.start, changed.end, changed.all_day], [day, day, true])
  const other = meeting()
  const midnight = { title: other.title, start: other.start.slice(0, 10), end: other.start.slice(0, 10) }
  assert.equal((await editor.result('create_event', { ...midnight, all_day: false })).all_day, false)
  // What is only planned, too.
  const venue = { name: 'Day hall' }
  const placed = await editor.result('create_event', meeting({ venue, publish: true }))
  const planned = { start: placed.start.slice(0, 10), end: placed.start.slice(0, 10) }
  for (const times of [planned, { start: planned.start }]) {
    const { conflicts } = await editor.result('check_conflicts', { venue: placed.venue.id, ...times })
    assert.deepEqual(
      conflicts.map((one: { id: number }) => one.id),
      [placed.id],
    )
  }
  const { dates } = await editor.result('preview_recurrence', { ...planned, recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
  assert.deepEqual(dates[0], planned)
})

test('a description of which a part is shown is cleared before it is written anew', async () => {
  const numbered = Array.from({ length: 400 }, (_none, number) => `<p>Paragraph ${number} counts &lt;b&gt;.</p>`).join(
    '',
  )
  const made = await editor.result('create_event', meeting({ description: numbered }))
  assert.equal(made.truncated, true)
  const change = (if_match: string, description: string | null) =>
    editor.call('update_event', { id: made.id, if_match, changes: { description, cost: '€1' } })
  const part: string = made.description
  for (const text of [part, part.slice(0, 3000), part.replace(/[^.]*$/, ''), `${part} More.`, numbered, 'Short.']) {
    const { body } = await change(made.version, text)
    assert.deepEqual([body.code, body.status, Object.keys(body.params)], ['rest_invalid_param', 400, ['description']])
    assert.match(body.params.description, /longer than what was read .* null first/)
  }
  const { body } = await app.call('editor', 'GET', `/events/${made.id}`)
  assert.deepEqual([body.description.length > 4500, body.cost], [true, ''])
  const cleared = await change(made.version, null)
  assert.deepEqual([cleared.isError, cleared.body.description, cleared.body.truncated], [false, '', false])
  const { isError, body: anew } = await change(cleared.body.version, numbered)
  assert.deepEqual([isError, anew.description, anew.truncated], [false, part, true])
})

test('a description that is shown whole is replaced by whatever is sent', async () => {
  const whole = 'Every word counts. '.repeat(200).trim()
  const made = await editor.result('create_event', meeting({ description: whole }))
  assert.deepEqual([made.description, made.truncated], [whole, false])
  let { version } = made
  for (const description of [whole, whole.slice(0, 3000), 'Another text. '.repeat(300), null]) {
    const { isError, body } = await editor.call('update_event', {
      id: made.id,
      if_match: version,
      changes: { description },
    })
    assert.equal(isError, false, JSON.stringify(body))
    version = body.version
  }
})

test('all that is refused of a change is named at once', async () => {
  const recurrence = ['RRULE:FREQ=DAILY;COUNT=2']
  const { id, version: if_match } = await editor.result(
    'create_event',
    meeting({ recurrence, description: 'ab '.repeat(2000) }),
  )
  day += 1
  const { body } = await editor.call('update_event', { id, if_match, changes: { description: 'Short.' } })
  assert.deepEqual([body.code, Object.keys(body.params)], ['rest_invalid_param', ['scope', 'description']])
})

test('a recurring event that was moved to the trash by one of its dates comes back by it', async () => {
  const recurring = meeting({ recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
  const series = await editor.result('create_event', recurring)
  day += 2
  const { dates } = await editor.result('get_event', { id: series.id, dates: 3 })
  for (const { id } of [dates[1], dates[0]]) {
    const { version } = await editor.result('get_event', { id })
    await editor.result('trash_event', { id, if_match: version, scope: 'all' })
    assert.equal((await editor.result('restore_event', { id })).status, 'draft')
    assert.deepEqual((await editor.result('get_event', { id: series.id, dates: 3 })).dates, dates)
  }
})

test('a cancellation can be taken back, with its reason', async () => {
  const made = await editor.result('create_event', meeting())
  const named = { id: made.id, if_match: made.version }
  const canceled = await editor.result('cancel_event', { ...named, reason: 'Rain' })
  assert.deepEqual([canceled.event_status, canceled.event_status_reason], ['canceled', 'Rain'])
  const { version: if_match } = canceled
  const changes = { event_status: 'scheduled' }
  const back = await editor.result('update_event', { id: made.id, if_match, changes })
  assert.deepEqual([back.event_status, back.event_status_reason], [made.event_status, undefined])
  const canceling = { id: made.id, if_match: back.version, changes: { event_status: 'canceled' } }
  assert.equal(await editor.code('update_event', canceling), 'rest_invalid_param')
})

test('null in a new event is nothing', async () => {
  const made = await editor.result('create_event', meeting({ venue: null, organizers: null, description: null }))
  assert.deepEqual([made.venue, made.organizers, made.description], [undefined, [], ''])
})

test('a date is changed by its own version only', async () => {
  const recurrence = ['RRULE:FREQ=DAILY;COUNT=3']
  const series = await editor.result('create_event', meeting({ recurrence }))
  day += 2
  const [first, second, third] = (await editor.result('get_event', { id: series.id, dates: 3 })).dates
  const versions = new Map<number, string>()
  for (const { id } of [first, second, third]) versions.set(id, (await editor.result('get_event', { id })).version)
  const change = { scope: 'this', changes: { cost: '€1' } }
  const { version } = await editor.result('update_event', {
    id: second.id,
    if_match: versions.get(second.id),
    ...change,
  })
  assert.equal(await editor.code('update_event', { id: third.id, if_match: version, ...change }), 'precondition_failed')
  assert.equal(
    await editor.code('update_event', { id: second.id, if_match: versions.get(second.id), ...change }),
    'precondition_failed',
  )
})

test('the ID of a recurring event changes, cancels or trashes nothing unless it says which dates', async () => {
  const recurrence = ['RRULE:FREQ=DAILY;COUNT=3']
  const series = await editor.result('create_event', meeting({ recurrence, publish: true }))
  day += 2
  const [first, second] = (await editor.result('get_event', { id: series.id, dates: 3 })).dates
  assert.equal(first.id, series.id)
  const named = { id: series.id, if_match: series.version }
  const calls = [
    ['update_event', { changes: { title: 'Moved' } }],
    ['cancel_event', {}],
    ['trash_event', {}],
  ] as const
  for (const [tool, more] of calls) {
    const { body } = await editor.call(tool, { ...named, ...more })
    assert.deepEqual([body.code, Object.keys(body.params)], ['rest_invalid_param', ['scope']], tool)
  }
  const canceled = await editor.result('cancel_event', { ...named, scope: 'this' })
  assert.equal(canceled.event_status, 'canceled')
  const further = await editor.result('get_event', { id: second.id })
  assert.deepEqual([further.event_status, further.title], [undefined, series.title])
  const changes = { cost: '€1' }
  const own = await editor.result('update_event', { id: second.id, if_match: further.version, changes })
  assert.equal(own.cost, '€1')
  assert.equal((await editor.result('get_event', { id: series.id })).cost, undefined)
})

test('a change says which events take the venue at the same time', async () => {
  const first = await editor.result('create_event', meeting({ venue: { name: 'Busy hall' }, publish: true }))
  assert.equal(first.conflicts, undefined)
  const { start, end } = first
  const venue = first.venue.id
  const draft = await editor.result('create_event', { title: 'At once', start, end, venue, allow_duplicate: true })
  assert.deepEqual(draft.conflicts, { ids: [first.id], others: false })
  const change = { id: draft.id, if_match: draft.version, changes: { status: 'publish' } }
  const published = await editor.result('update_event', change)
  assert.deepEqual(published.conflicts, { ids: [first.id], others: false })
  const json = { title: 'Behind', start_date: start, end_date: end, venue, status: 'private' }
  await app.call('administrator', 'POST', '/events', { json })
  const author = await toolCaller({ after }, app, 'author')
  const late = { title: 'Third', start, end, venue, publish: true, allow_duplicate: true }
  const { conflicts } = await author.result('create_event', late)
  assert.deepEqual([conflicts.ids.toSorted(), conflicts.others], [[first.id, draft.id], true])
})
