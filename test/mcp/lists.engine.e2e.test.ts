import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestApp } from '../support/app.ts'
import { toolCaller } from '../support/mcp-tools.ts'

test('a span is on the clock of the site and finds what overlaps it, and what names nothing is refused', async (t) => {
  const app = await openTestApp(t, { siteZone: 'Europe/Berlin' })
  const caller = await toolCaller(t, app, 'editor')
  for (const [title, start_date, end_date, all_day] of [
    ['Late', '2027-04-10 22:00', '2027-04-11 02:00', false],
    ['Whole', '2027-04-11', '2027-04-12', true],
    ['Noon', '2027-04-12 12:00', '2027-04-12 13:00', false],
  ])
    await app.call('editor', 'POST', '/events', { json: { title, start_date, end_date, all_day } })
  const found = async (args: object) =>
    (await caller.result('search_events', { ...args })).events.map(({ title }: { title: string }) => title)
  assert.deepEqual(await found({ from: '2027-04-11', to: '2027-04-11' }), ['Late', 'Whole'])
  assert.deepEqual(await found({ from: '2027-04-11T02:00', to: '2027-04-12T12:00' }), ['Whole'])
  assert.deepEqual(await found({ from: '2027-04-11T01:59', to: '2027-04-12T12:01' }), ['Late', 'Whole', 'Noon'])
  assert.deepEqual(await found({ from: '2027-04-12T10:30Z', to: '2027-04-12T23:00+02:00' }), ['Whole', 'Noon'])
  assert.deepEqual(await found({ from: '2029-04-13' }), [])
  assert.deepEqual(await found({}), ['Late', 'Whole', 'Noon'])
  const [whole] = (await caller.result('search_events', { text: 'whole' })).events
  assert.deepEqual([whole.start, whole.end, whole.all_day], ['2027-04-11', '2027-04-12', true])
  const day = JSON.parse(await caller.read('kalends://day/2027-04-11'))
  assert.deepEqual(
    day.events.map(({ title }: { title: string }) => title),
    ['Late', 'Whole'],
  )
  assert.equal(await caller.code('get_event', { slug: 'half a character \ud800' }), 'rest_invalid_param')
  const { body } = await caller.call('search_events', { from: '2027-02-30', near: { lat: 1, lng: 2, km: 30_000 } })
  assert.deepEqual(Object.keys(body.params).sort(), ['from', 'near'])
})

test('a page that the list no longer has is empty', async (t) => {
  const app = await openTestApp(t)
  const caller = await toolCaller(t, app, 'editor')
  const ids: number[] = []
  for (let day = 1; day <= 3; day += 1) {
    const json = { title: `Day ${day}`, start_date: `2027-04-0${day} 10:00`, end_date: `2027-04-0${day} 11:00` }
    ids.push((await app.call('editor', 'POST', '/events', { json })).body.id)
  }
  const { cursor } = await caller.result('search_events', { limit: 2 })
  for (const id of ids.slice(1)) await app.call('editor', 'DELETE', `/events/${id}`)
  const { events, total, cursor: next } = await caller.result('search_events', { limit: 2, cursor })
  assert.deepEqual([events, total, next], [[], 1, undefined])
})

test('categories and tags are found by names with commas', async (t) => {
  const app = await openTestApp(t)
  const caller = await toolCaller(t, app, 'editor')
  const times = { start: '2027-04-01T10:00', end: '2027-04-01T11:00', publish: true }
  const named = { categories: ['Food, drinks'], tags: ['Bread, butter'] }
  const { id } = await caller.result('create_event', { title: 'Feast', ...times, ...named })
  await caller.result('create_event', { title: 'Other', ...times, categories: ['Food'] })
  for (const args of [{ category: 'Food, drinks' }, { tag: 'Bread, butter' }, { category: 'food-drinks' }]) {
    const { events } = await caller.result('search_events', args)
    assert.deepEqual(
      events.map((one: { id: number }) => one.id),
      [id],
    )
  }
})

test('conflicts that lists do not show are shown to whoever may read them, and what is left out is counted', async (t) => {
  const app = await openTestApp(t, { perPageMax: '5' })
  const editor = await toolCaller(t, app, 'editor')
  const visitor = await toolCaller(t, app, 'anonymous')
  const { body: hall } = await app.call('editor', 'POST', '/venues', { json: { venue: 'Hall' } })
  const add = async (title: string, more: object = {}) => {
    const times = { start_date: '2027-04-01 10:00', end_date: '2027-04-01 11:00' }
    const json = { title, ...times, venue: hall.id, ...more }
    return (await app.call('editor', 'POST', '/events', { json })).body.id
  }
  const ids = [await add('Hidden', { hide_from_listings: true }), await add('Private', { status: 'private' })]
  const planned = { venue: hall.id, start: '2027-04-01T10:00', end: '2027-04-01T11:00' }
  const seen = await editor.result('check_conflicts', planned)
  assert.deepEqual(
    seen.conflicts.map(({ id }: { id: number }) => id),
    ids,
  )
  assert.deepEqual([seen.hidden, seen.more], [0, undefined])
  assert.deepEqual(await visitor.result('check_conflicts', planned), { conflicts: [], hidden: 2 })
  for (let count = 0; count < 7; count += 1) await add(`Open ${count}`)
  const all = await editor.result('check_conflicts', planned)
  assert.deepEqual([all.conflicts.length, all.hidden, all.more], [5, 0, 4])
})

test('changes are listed up to 200 at once', async (t) => {
  const app = await openTestApp(t)
  const caller = await toolCaller(t, app, 'editor')
  const { cursor } = await caller.result('list_changes')
  for (let count = 0; count < 201; count += 1)
    await app.call('editor', 'POST', '/tags', { json: { name: `Tag ${count}` } })
  const { changes, more, cursor: next } = await caller.result('list_changes', { since: cursor, limit: 200 })
  assert.deepEqual([changes.length, more], [200, true])
  assert.equal((await caller.result('list_changes', { since: next, limit: 200 })).changes.length, 1)
})

test('the dates of a recurring event that lists do not show are shown to whoever may read it', async (t) => {
  const app = await openTestApp(t)
  const editor = await toolCaller(t, app, 'editor')
  const visitor = await toolCaller(t, app, 'anonymous')
  const add = async (title: string, more: object) => {
    const times = { start_date: '2027-04-01 10:00', end_date: '2027-04-01 11:00' }
    const json = { title, ...times, recurrence: ['RRULE:FREQ=DAILY;COUNT=4'], hide_from_listings: true, ...more }
    return (await app.call('editor', 'POST', '/events', { json })).body.id
  }
  const [open, closed] = [await add('Hidden', {}), await add('Private', { status: 'private' })]
  const starts = async (caller: typeof editor, id: number): Promise<string[]> => {
    const { dates } = await caller.result('get_event', { id, dates: 3 })
    return dates.map(({ start }: { start: string }) => start.slice(0, 10))
  }
  const first = ['2027-04-01', '2027-04-02', '2027-04-03']
  for (const [caller, id] of [
    [editor, open],
    [editor, closed],
    [visitor, open],
  ] as const)
    assert.deepEqual(await starts(caller, id), first)
  assert.equal(await visitor.code('get_event', { id: closed, dates: 3 }), 'event-not-accessible')
  const { id: second } = (await editor.result('get_event', { id: open, dates: 2 })).dates[1]
  const { version } = await editor.result('get_event', { id: second })
  await editor.result('update_event', { id: second, if_match: version, changes: { title: 'Other' } })
  await editor.result('trash_event', {
    id: open,
    if_match: (await editor.result('get_event', { id: open })).version,
    scope: 'this',
  })
  assert.deepEqual(await starts(visitor, second), ['2027-04-02', '2027-04-03', '2027-04-04'])
  for (const caller of [editor, visitor])
    assert.deepEqual((await caller.result('search_events', { series: 'dates' })).events, [])
})

test('visitors do not see a single date of a recurring event that lists do not show', async (t) => {
  const app = await openTestApp(t)
  const visitor = await toolCaller(t, app, 'anonymous')
  const times = { start_date: '2027-04-01 10:00', end_date: '2027-04-01 11:00' }
  const json = { title: 'Public', ...times, recurrence: ['RRULE:FREQ=DAILY;COUNT=4'] }
  const { body: series } = await app.call('editor', 'POST', '/events', { json })
  const { dates } = await visitor.result('get_event', { id: series.id, dates: 20 })
  assert.equal(dates.length, 4)
  const [first, second, ...others] = dates
  const hiding = { hide_from_listings: true, scope: 'this' }
  assert.equal((await app.call('editor', 'PATCH', `/events/${second.id}`, { json: hiding })).status, 200)
  for (const { id } of [first, ...others])
    assert.deepEqual((await visitor.result('get_event', { id, dates: 20 })).dates, [first, ...others])
  const editor = await toolCaller(t, app, 'editor')
  assert.deepEqual((await editor.result('get_event', { id: first.id, dates: 20 })).dates, dates)
})
