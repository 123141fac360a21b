import assert from 'node:assert/strict'
import test from 'node:test'
import { FORM, visitor } from './support/admin.ts'
import { openTestApp, type TestApp } from './support/app.ts'
import { restoreFrom } from './support/trash.ts'

const WEEKLY = { ...FORM, repeat: 'WEEKLY', repeat_end: 'count', repeat_count: '4' }

async function madeSeries(
  ada: Awaited<ReturnType<typeof visitor>>,
  site: TestApp,
  form: Record<string, string> = WEEKLY,
) {
  const made = await ada.submit('/admin/events/new', { ...form, action: 'publish' })
  const [, id = ''] = /^\/admin\/events\/(\d+)/.exec(made.to) ?? []
  const dates = async (): Promise<{ id: number; title: string; start_date: string }[]> => {
    const { body } = await site.call('anonymous', 'GET', `/events?series=${id}&start_date=2026-01-01`)
    return body.events ?? []
  }
  return { id, made, dates }
}

test('a rule is written with controls, shown in words, and read back into its controls', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const { text } = await ada.submit('/admin/events/new', { ...WEEKLY, action: 'dates' })
  assert.match(text, /<strong>every Saturday, 4 times<\/strong>/)
  assert.match(text, /name="title"[^>]*value="Regatta"/)
  const { id, dates } = await madeSeries(ada, site, { ...WEEKLY, repeat_except: '2026-12-19' })
  assert.deepEqual(
    (await dates()).map(({ start_date }) => start_date.slice(0, 10)),
    ['2026-12-05', '2026-12-12', '2026-12-26'],
  )
  const form = (await ada.show(`/admin/events/${id}`)).text
  assert.match(form, /<option value="WEEKLY" selected>/)
  assert.match(form, /name="repeat_count"[^>]*value="4"/)
  assert.match(form, />\s*2026-12-19</)
  await ada.submit(`/admin/events/${id}`, { ...WEEKLY, repeat: '', action: 'update' })
  assert.deepEqual((await site.call('anonymous', 'GET', `/events/${id}`)).body.recurrence, undefined)
})

test('a rule that is wrong is refused beside the rule, and nothing is lost', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const form = { ...FORM, repeat: 'lines', repeat_lines: 'RRULE:FREQ=SOMETIMES' }
  const { status, text } = await ada.submit('/admin/events/new', { ...form, action: 'publish' })
  assert.equal(status, 400)
  assert.match(text, /id="f-repeat-wrong">[^<]*FREQ/)
  assert.match(text, /RRULE:FREQ=SOMETIMES/)
})

test('a date says which one it is, and is canceled by its own button, which takes that back as well', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const { dates } = await madeSeries(ada, site)
  const [, second] = await dates()
  const path = `/admin/events/${second?.id}`
  const heading = /<h1>Regatta · Sat 12 Dec 2026<\/h1>/
  const { text } = await ada.show(path)
  assert.match(text, heading)
  assert.match(text, /<button [^>]*value="cancel">Cancel this date<\/button>/)
  assert.doesNotMatch(text, /badge canceled/)
  await ada.send(path, text, { action: 'cancel' })
  const canceled = (await ada.show(path)).text
  assert.match(canceled, /<span class="badge canceled">Canceled</)
  const list = (await ada.show('/admin/events')).text
  assert.equal(list.split('badge canceled').length, 2)
  assert.match(list, />Regatta · Sat 12 Dec 2026</)
  await ada.send(path, canceled, { action: 'uncancel' })
  assert.doesNotMatch((await ada.show(path)).text, /badge canceled/)
})

test('this and all later dates that move by the same amount keep IDs and changes, and their pages lead on', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const { dates } = await madeSeries(ada, site)
  const before = await dates()
  const [, second, third] = before
  await ada.submit(`/admin/events/${third?.id}`, { title: 'Guests', scope: 'this', action: 'update' })
  const { url } = (await site.call('anonymous', 'GET', `/events/${third?.id}`)).body
  await ada.submit(`/admin/events/${second?.id}`, { start_date_time: '11:30', scope: 'following', action: 'update' })
  const { body } = await site.call('anonymous', 'GET', '/events?start_date=2026-01-01')
  const moved = body.events.map((one: { id: number; title: string; start_date: string; end_date: string }) => [
    ...[one.id, one.title, one.start_date.slice(11, 16), one.end_date.slice(11, 16)],
  ])
  assert.deepEqual(moved, [
    [before[0]?.id, 'Regatta', '10:00', '12:00'],
    [second?.id, 'Regatta', '11:30', '13:30'],
    [third?.id, 'Guests', '11:30', '13:30'],
    [before[3]?.id, 'Regatta', '11:30', '13:30'],
  ])
  const page = await (await fetch(url)).text()
  assert.match(page, /<h1[^>]*>(?:<[^>]*>)*\s*Guests/)
})

test('what not every event needs stands in closed sections that say what they hold', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const { id } = await madeSeries(ada, site, { ...WEEKLY, organizer: 'Rowers', categories: 'Sport, Water', cost: '€5' })
  const { text } = await ada.show(`/admin/events/${id}`)
  const held = [...text.matchAll(/<details class="box section \w+"><summary><h2>([^<]*)<\/h2> <span><bdi>([^<]*)</g)]
  const texts = Object.fromEntries(held.map(([, title, what]) => [title, what]))
  assert.equal(texts['Categories and tags'], 'Sport, Water')
  assert.equal(texts['Repeats'], 'every Saturday, 4 times')
  assert.equal(texts['Price and tickets'], '€5')
  assert.equal(texts['Organizers'], 'Rowers')
  const refused = await ada.send(`/admin/events/${id}`, text, { organizer: 'x'.repeat(2_000), action: 'update' })
  assert.match(refused.text, /<details class="box section organizers" open>/)
})

test('dates of a series are changed alone, from one on, and all together; and taken out and brought back', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const { id, dates } = await madeSeries(ada, site)
  const titles = async () => (await dates()).map(({ title }) => title)
  const [, second, third] = await dates()
  await ada.submit(`/admin/events/${second?.id}`, { title: 'Cup', scope: 'this', action: 'update' })
  assert.deepEqual(await titles(), ['Regatta', 'Cup', 'Regatta', 'Regatta'])
  await ada.submit(`/admin/events/${id}`, { title: 'Race', scope: 'all', action: 'update' })
  assert.deepEqual(await titles(), ['Race', 'Cup', 'Race', 'Race'])
  const trashed = await ada.submit(`/admin/events/${second?.id}`, { scope: 'this', action: 'trash' })
  assert.deepEqual(await titles(), ['Race', 'Race', 'Race'])
  assert.match((await ada.show('/admin/trash')).text, />Cup \([^<]*\)<\/bdi><\/th><td>This date only</)
  await restoreFrom(ada, (await ada.show(trashed.to)).text)
  assert.deepEqual(await titles(), ['Race', 'Cup', 'Race', 'Race'])
  await ada.submit(`/admin/events/${third?.id}`, { title: 'Finals', scope: 'following', action: 'update' })
  assert.deepEqual(await titles(), ['Race', 'Cup'])
  await ada.submit(`/admin/events/${id}`, { scope: 'all', action: 'trash' })
  assert.deepEqual(await titles(), [])
})

test('dates that were changed go to the trash only where somebody agrees, and where all shift none does', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const { id, dates } = await madeSeries(ada, site)
  const [, second, third] = await dates()
  await ada.submit(`/admin/events/${second?.id}`, { title: 'Cup', scope: 'this', action: 'update' })
  await ada.submit(`/admin/events/${third?.id}`, { title: 'Finals', scope: 'this', action: 'update' })
  const shown = async () => (await dates()).map(({ title, start_date }) => `${title} ${start_date.slice(5, 13)}`)
  const shifted = { start_date: '2026-12-06', end_date: '2026-12-06', start_date_time: '11:00', end_date_time: '12:00' }
  await ada.submit(`/admin/events/${id}`, { ...shifted, scope: 'all', action: 'update' })
  const before = ['Regatta 12-06 11', 'Cup 12-13 11', 'Finals 12-20 11', 'Regatta 12-27 11']
  assert.deepEqual(await shown(), before)
  const rule = { repeat_interval: '2', scope: 'all', action: 'update' }
  const asked = await ada.submit(`/admin/events/${id}`, rule)
  assert.equal(asked.status, 400)
  assert.match(asked.text, /name="lost_dates" value="1"/)
  assert.match(asked.text, /name="repeat_interval"[^>]*value="2"/)
  assert.deepEqual(await shown(), before)
  // No more than was agreed to.
  assert.equal((await ada.submit(`/admin/events/${id}`, { ...rule, lost_dates: '2' })).status, 400)
  await ada.submit(`/admin/events/${id}`, { ...rule, lost_dates: '1' })
  assert.deepEqual(await shown(), ['Regatta 12-06 11', 'Finals 12-20 11', 'Regatta 01-03 11', 'Regatta 01-17 11'])
  assert.equal((await site.call('administrator', 'GET', `/events/${second?.id}`)).body.status, 'trash')
})

test('dates that were removed from one on come back as they were, unless the series was changed since', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const series = await madeSeries(ada, site)
  const dates = async () => {
    const all = await series.dates()
    return all.map(({ id, title, start_date }) => ({ id, title, start_date }))
  }
  const [, second, third] = await dates()
  await ada.submit(`/admin/events/${third?.id}`, { title: 'Cup', scope: 'this', action: 'update' })
  const before = await dates()
  assert.deepEqual(
    before.map(({ title }) => title),
    ['Regatta', 'Regatta', 'Cup', 'Regatta'],
  )
  const end = async () => {
    const { to } = await ada.submit(`/admin/events/${second?.id}`, { scope: 'following', action: 'trash' })
    assert.equal((await dates()).length, 1)
    const { text } = await ada.show(to)
    assert.match(text, /role="status">Moved to trash[\s\S]*>Restore</)
    return text
  }
  const undo = async (ended: string) => (await restoreFrom(ada, ended, '/admin/events')).text
  site.clock.now += 60_000
  assert.match(await undo(await end()), /role="status">Restored/)
  assert.deepEqual(await dates(), before)
  site.clock.now += 60_000
  const ended = await end()
  site.clock.now += 60_000
  await ada.submit(`/admin/events/${series.id}`, { title: 'Race', scope: 'all', action: 'update' })
  assert.match(
    await undo(ended),
    /role="alert"[\s\S]{0,200}?Regatta [^<]*: The series has changed since then\. You’ll find the earlier version in its history\.</,
  )
  assert.deepEqual(
    (await dates()).map(({ title }) => title),
    ['Race'],
  )
})

test('an event is cancelled with a reason, moved online, and scheduled', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const online = { is_virtual: 'true', virtual_url: 'https://meet.example/1', virtual_type: 'hybrid' }
  const made = await ada.submit('/admin/events/new', { ...FORM, ...online, action: 'publish' })
  const path = made.to.split('?')[0] ?? ''
  const id = path.split('/').at(-1)
  await ada.submit(path, { event_status: 'canceled', event_status_reason: 'Storm & rain', action: 'update' })
  const { body } = await site.call('anonymous', 'GET', `/events/${id}`)
  assert.deepEqual(
    [body.event_status, body.event_status_reason, body.is_virtual, body.virtual_url, body.virtual_type],
    ['canceled', 'Storm &amp; rain', true, 'https://meet.example/1', 'hybrid'],
  )
  await ada.submit(path, { event_status: '', event_status_reason: '', action: 'update' })
  assert.equal((await site.call('anonymous', 'GET', `/events/${id}`)).body.event_status, undefined)
  const later = { ...FORM, date: '2030-01-02', date_time: '08:00', action: 'publish' }
  assert.match((await ada.submit('/admin/events/new', later)).to, /done=scheduled$/)
})

test('the preview of a published event shows what was typed and saves nothing', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const made = await ada.submit('/admin/events/new', { ...FORM, action: 'publish' })
  const path = made.to.split('?')[0] ?? ''
  const { text } = await ada.submit(path, {
    title: 'Great regatta',
    description: '<b>Row!</b><script>x</script>',
    action: 'preview',
  })
  assert.match(text, /<h2 id="preview-title" dir="auto">Great regatta<\/h2>/)
  assert.match(text, /<b>Row!<\/b>/)
  assert.doesNotMatch(text, /<script>x/)
  assert.match(text, /name="title"[^>]*value="Great regatta"/)
  const { body } = await site.call('anonymous', 'GET', `/events/${path.split('/').at(-1)}`)
  assert.equal(body.title, 'Regatta')
})

test('tickets are added, changed and removed in rows, and keep what has no control', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const seat = { name: 'Seat & drink', price: '12.50', currency: 'EUR', available_from: '2026-11-01 09:00:00' }
  const json = {
    title: 'Regatta',
    start_date: '2026-12-05',
    end_date: '2026-12-05',
    tickets: [seat],
    status: 'publish',
  }
  const { id } = (await site.call('editor', 'POST', '/events', { json })).body
  const tickets = async () => (await site.call('anonymous', 'GET', `/events/${id}`)).body.tickets ?? []
  const before = await tickets()
  await ada.submit(`/admin/events/${id}`, { title: 'Great regatta', action: 'update' })
  assert.deepEqual(await tickets(), before)
  await ada.submit(`/admin/events/${id}`, { 'ticket_name[]': 'Standing', action: 'update' })
  assert.deepEqual(await tickets(), [{ ...before[0], name: 'Standing' }])
  const refused = await ada.submit(`/admin/events/${id}`, { 'ticket_price[]': 'much', action: 'update' })
  assert.equal(refused.status, 400)
  assert.match(refused.text, /value="much"/)
  const none = { 'ticket_name[]': '', 'ticket_price[]': '', 'ticket_currency[]': '', action: 'update' }
  await ada.submit(`/admin/events/${id}`, none)
  assert.deepEqual(await tickets(), [])
})
