import assert from 'node:assert/strict'
import test from 'node:test'
import { addField } from '../src/calendar/events/index.ts'
import { FORM, visitor } from './support/admin.ts'
import { openTestApp } from './support/app.ts'

test('declared fields have controls of their types, and fields that are not declared stay', async (t) => {
  const site = await openTestApp(t)
  const { storage } = site.app
  const json = {
    title: 'Old',
    start_date: '2026-12-05 10:00',
    end_date: '2026-12-05 12:00',
    custom_fields: { legacy: 'x' },
  }
  const { body: old } = await site.call('editor', 'POST', '/events', { json })
  await addField({ storage }, { name: 'level', type: 'choice', label: 'Level of skill', choices: 'easy, hard' })
  await addField({ storage }, { name: 'places', type: 'number', label: 'Places' })
  await addField({ storage }, { name: 'indoors', type: 'boolean', label: 'Indoors' })
  await addField({ storage }, { name: 'until', type: 'date', label: 'Registration until' })
  await addField({ storage }, { name: 'fields', type: 'text', label: 'Fields' })
  const { show, submit } = await visitor(site, 'editor')
  const { text } = await show('/admin/events/new')
  assert.match(text, /<label for="f-field_level">Level of skill<\/label><select [^>]*name="field_level"/)
  assert.match(text, /name="field_until" type="date"/)
  assert.match(text, /type="checkbox" name="field_indoors"/)
  const values = { field_level: 'hard', field_places: '12', field_indoors: 'true', field_until: '2027-01-31' }
  const made = await submit('/admin/events/new', { ...FORM, ...values, field_fields: 'Two', action: 'publish' })
  const id = /events\/(\d+)/.exec(made.to)?.[1]
  const stored = async (of: unknown) => (await site.call('editor', 'GET', `/events/${String(of)}`)).body.custom_fields
  const expected = { level: 'hard', places: '12', indoors: 'true', until: '2027-01-31', fields: 'Two' }
  assert.deepEqual(await stored(id), expected)
  await submit(`/admin/events/${id}`, { field_level: '', field_places: '13', action: 'update' })
  assert.deepEqual(await stored(id), { places: '13', indoors: 'true', until: '2027-01-31', fields: 'Two' })
  await submit(`/admin/events/${old.id}`, { field_level: 'easy', action: 'update' })
  assert.deepEqual(await stored(old.id), { legacy: 'x', level: 'easy' })
  const wrong = await submit(`/admin/events/${id}`, { field_places: 'many', title: 'Renamed', action: 'update' })
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /Must be a number\.<\/p><input [^>]*value="many"[^>]*aria-invalid="true">/)
  assert.match(wrong.text, /value="Renamed"/)
  assert.deepEqual((await stored(id)).places, '13')
})

test('an event at a taken venue is refused with the names of the others, and a venue lists what overlaps there', async (t) => {
  const site = await openTestApp(t)
  const { show, submit } = await visitor(site, 'editor')
  const { body: venue } = await site.call('editor', 'POST', '/venues', { json: { venue: 'Hall' } })
  const event = (title: string, status = 'publish') =>
    site.call('editor', 'POST', '/events', {
      json: { title, status, start_date: '2026-12-05 10:00', end_date: '2026-12-05 12:00', venue: venue.id },
    })
  await event('Choir & band')
  await event('Quiz')
  const { to } = await submit(`/admin/venues/${venue.id}`, { exclusive: 'true' })
  assert.equal(to, `/admin/venues/${venue.id}?done=saved`)
  const { text } = await show(to)
  assert.match(text, /Overlapping events[\s\S]*Choir &amp; band<\/a>[\s\S]*Quiz<\/a>/)
  const refused = await submit('/admin/events/new', { ...FORM, venue: 'Hall', action: 'publish' })
  assert.equal(refused.status, 400)
  assert.match(
    refused.text,
    /role="alert"[\s\S]{0,200}?This venue takes one event at a time[^<]*Choir &amp; band \([^<]*Quiz \(/,
  )
  assert.match(refused.text, /value="Regatta"/)
  const secret = await visitor(site, 'author')
  const { body: second } = await site.call('editor', 'POST', '/venues', { json: { venue: 'Cellar', exclusive: true } })
  await site.call('editor', 'POST', '/events', {
    json: {
      title: 'Secret',
      status: 'private',
      start_date: '2026-12-05 10:00',
      end_date: '2026-12-05 12:00',
      venue: second.id,
    },
  })
  const hidden = await secret.submit('/admin/events/new', { ...FORM, venue: 'Cellar', action: 'publish' })
  assert.match(hidden.text, /At that time, it’s already taken by: events that you can’t see\./)
  assert.doesNotMatch(hidden.text, /Secret/)
})

test('the history tells of declared fields and of those that nobody declares, and brings both back where it may', async (t) => {
  const site = await openTestApp(t)
  const { storage } = site.app
  const { show, submit } = await visitor(site, 'editor')
  const first = { level: 'easy', indoors: 'true', legacy: 'x' }
  const times = { start_date: '2026-12-05 10:00', end_date: '2026-12-05 12:00' }
  const json = { title: 'Choir', ...times, custom_fields: first }
  const { body } = await site.call('editor', 'POST', '/events', { json })
  const [path, page] = [`/events/${body.id}`, `/admin/events/${body.id}/history`]
  const stored = async () => (await site.call('editor', 'GET', path)).body.custom_fields
  const change = { json: { custom_fields: { level: 'hard' } } }
  await site.call('editor', 'POST', path, change)
  await submit(page, { revision: '1' })
  assert.deepEqual(await stored(), first)
  await addField({ storage }, { name: 'level', type: 'choice', label: 'Level of skill', choices: 'easy, hard' })
  await addField({ storage }, { name: 'indoors', type: 'boolean', label: 'Indoors' })
  await site.call('editor', 'POST', path, change)
  const { text } = await show(page)
  for (const line of ['Level of skill: <del>easy</del> → <ins>hard<', '>Indoors<', 'legacy: <del>x</del> → <ins>–<'])
    assert.ok(text.includes(line), line)
  // What nobody declares is refused from everybody by now.
  await submit(page, { revision: '1' })
  assert.deepEqual(await stored(), { level: 'easy', indoors: 'true' })
})
