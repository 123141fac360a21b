import assert from 'node:assert/strict'
import test from 'node:test'
import { FORM, visitor } from './support/admin.ts'
import { openTestApp } from './support/app.ts'

/** What a form says of the end, and the end of the event that it makes. */
const ENDS = [
  [{ end_date: '', end_date_time: '' }, '2026-12-05 12:00:00'],
  [{ end_date: '', end_date_time: '11:30' }, '2026-12-05 11:30:00'],
  [{ end_date: '', end_date_time: '01:00' }, '2026-12-06 01:00:00'],
  [{ end_date: '2026-12-07', end_date_time: '' }, '2026-12-07 10:00:00'],
  [{ end_date: '', end_date_time: '', start_date_time: '23:00' }, '2026-12-06 01:00:00'],
  [{ end_date: '', end_date_time: '', all_day: 'true' }, '2026-12-05 23:59:59'],
] as const

test('an end that is left empty follows from the start, for new events and for those that are there', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  for (const [form, end] of ENDS) {
    const made = await ada.submit('/admin/events/new', { ...FORM, ...form, action: 'publish' })
    const id = /events\/(\d+)\?done=published/.exec(made.to)?.[1]
    assert.equal((await site.call('editor', 'GET', `/events/${id}`)).body.end_date, end, JSON.stringify(form))
    const later = { start_date: '2026-12-05', end_date: '2026-12-09', end_date_time: '12:00', all_day: '' }
    await ada.submit(`/admin/events/${id}`, { ...later, action: 'update' })
    const again = await ada.submit(`/admin/events/${id}`, { ...form, action: 'update' })
    assert.match(again.to, /done=saved$/, JSON.stringify(form))
    assert.equal((await site.call('editor', 'GET', `/events/${id}`)).body.end_date, end, JSON.stringify(form))
  }
})

test('an end before the start, and a start that is none, are refused beside their fields', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const early = await ada.submit('/admin/events/new', { ...FORM, end_date: '2026-12-04', action: 'publish' })
  assert.match(early.text, /id="f-end_date"[^>]*aria-invalid="true"/)
  for (const start_date of ['', '2026-02-31', 'nonsense']) {
    const form = { ...FORM, start_date, end_date: '', end_date_time: '', action: 'publish' }
    const { status, text } = await ada.submit('/admin/events/new', form)
    assert.equal(status, 400, start_date)
    assert.match(text, /id="f-start_date"[^>]*aria-invalid="true"/, start_date)
    assert.match(text, /name="title" type="text" value="Regatta"/)
  }
})

test('an end that nobody has touched moves with the start, and without one the form says what is wrong', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const end = async (id: string | undefined) => (await site.call('editor', 'GET', `/events/${id}`)).body.end_date
  const start = { start_date: '2027-03-08', start_date_time: '22:30' }
  const made = await ada.submit('/admin/events/new', { title: 'Night', ...start, action: 'publish' })
  const id = /events\/(\d+)\?done=published/.exec(made.to)?.[1]
  assert.equal(await end(id), '2027-03-09 00:30:00')
  await ada.submit(`/admin/events/${id}`, { start_date: '2027-03-01', action: 'update' })
  assert.equal(await end(id), '2027-03-02 00:30:00')
  await ada.submit(`/admin/events/${id}`, { start_date: '2027-02-20', all_day: 'true', action: 'update' })
  assert.equal(await end(id), '2027-02-21 23:59:59')
  const touched = { start_date: '2027-02-20', end_date: '2027-02-19', action: 'update' }
  const refused = await ada.submit(`/admin/events/${id}`, touched)
  assert.equal(refused.status, 400)
  assert.match(refused.text, /<div class="problem" role="alert"[^>]* autofocus><h2[^>]*>There is a problem</)
  assert.match(refused.text, /<a href="#f-end_date">The end is before the start</)
  assert.match(refused.text, /id="f-end_date-wrong">The end is before the start</)
  const moved = await ada.send(`/admin/events/${id}`, refused.text, {
    start_date: '2027-02-10',
    end_date: '2027-02-10',
  })
  assert.match(moved.to, /done=saved/)
})

test('a category that is gone when its event is saved is told of at its field, and nothing else is lost', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'editor')
  const made = async (path: string, json: object) => (await site.call('editor', 'POST', path, { json })).body.id
  const [kept, gone] = [await made('/categories', { name: 'Sport' }), await made('/categories', { name: 'Water' })]
  const organizer = await made('/organizers', { organizer: 'Rowers', status: 'publish' })
  const { text } = await ada.show('/admin/events/new')
  await site.call('editor', 'DELETE', `/categories/${gone}`)
  await site.call('administrator', 'DELETE', `/organizers/${organizer}?force=true`)
  const ticked = text
    .replace(`name="categories_ids[]" value="${kept}"`, '$& checked')
    .replace(`name="categories_ids[]" value="${gone}"`, '$& checked')
  const refused = await ada.send('/admin/events/new', ticked, { ...FORM, action: 'publish' })
  assert.equal(refused.status, 400)
  assert.match(
    refused.text,
    /Must be an existing category or tag\.<\/p>[\s\S]{0,500}id="f-categories"[^>]*aria-invalid="true"/,
  )
  assert.match(refused.text, new RegExp(`name="categories_ids\\[\\]" value="${kept}" checked`))
  assert.match(refused.text, /name="title" type="text" value="Regatta"/)
  const saved = await ada.send('/admin/events/new', refused.text, { action: 'publish' })
  assert.match(saved.to, /done=published$/)
  const id = /events\/(\d+)/.exec(saved.to)?.[1]
  const { body } = await site.call('editor', 'GET', `/events/${id}`)
  assert.deepEqual(
    body.categories.map((one: { name: string }) => one.name),
    ['Sport'],
  )
})
