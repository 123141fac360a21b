import assert from 'node:assert/strict'
import test from 'node:test'
import { objectsIn } from '../src/admin/form-values.ts'
import { visitor } from './support/admin.ts'
import type { TestApp } from './support/app.ts'
import { sampleImage } from './support/sample-image.ts'
import { mailFlags, openSmtp } from './support/smtp.ts'
import { DAY, decided, everything, FORM, openWithForm, rows, submit, submitterAt } from './support/submissions.ts'
import { upload } from './support/upload.ts'
import { eventually } from './support/webhook-receiver.ts'

/** Submits an event; its ID. */
async function pending(site: TestApp, form: Readonly<Record<string, string>>): Promise<number> {
  assert.equal((await submit(site, form)).status, 303)
  return Number((await everything(site)).find(({ status }) => status === 'pending')?.['id'])
}

test('without a mail server those who publish are shown what to send, one box for each submitter', async (t) => {
  const site = await openWithForm(t)
  const ids: number[] = []
  for (const title of ['Lantern walk', 'Lantern run', 'Lantern ride']) {
    const email = `${title.slice(8)}@example.net`
    assert.equal((await submit(site, { ...FORM, title, submitter_email: email })).status, 303)
    ids.push(Number((await everything(site)).find((one) => one['title'] === title)?.['id']))
  }
  const editor = await visitor(site, 'editor')
  const chosen = ids.slice(0, 2).map((id) => `${id}-pending`)
  const shown = await editor.submit('/admin/queue', { action: 'publish', ids: chosen.join(',') })
  assert.equal(shown.status, 200)
  assert.match(shown.text, /Mail is not configured/)
  const mails = [...shown.text.matchAll(/href="mailto:(\w+)@example\.net\?subject=/g)]
  assert.deepEqual(
    mails.map(([, to]) => to),
    ['walk', 'run'],
  )
  const boxes = [...shown.text.matchAll(/data-copy="([^"]*)"/g)].map(([, box]) => box)
  assert.equal(new Set(boxes).size, 2)
  const one = await editor.submit(`/admin/events/${ids[2]}`, { action: 'publish' })
  assert.match(one.text, /href="mailto:ride@example\.net/)
  assert.equal((await decided(site)).length, 3)
  assert.deepEqual(await rows(site), [])
})

test('without a mail server nobody forgets for 30 days whom to tell of an event that a program published', async (t) => {
  const site = await openWithForm(t)
  const id = await pending(site, { ...FORM, venue: 'Old Pier' })
  const { body } = await site.call('editor', 'POST', `/events/${id}`, { json: { status: 'publish' } })
  const isPublic = async () => (await site.call('anonymous', 'GET', `/venues/${body.venue.id}`)).status === 200
  await eventually('publishing what came with it', isPublic)
  assert.deepEqual(
    (await rows(site)).map(({ email, state }) => [email, state]),
    [['grace@example.net', 'waiting']],
  )
  site.clock.now += 31 * DAY
  await site.call('editor', 'POST', '/tags', { json: { name: 'wind' } })
  await eventually('forgetting who sent it', async () => (await rows(site)).length === 0)
})

test('whoever submitted an event that is scheduled for later than 60 days is not forgotten before it is published', async (t) => {
  const smtp = await openSmtp(t)
  const site = await openWithForm(t, mailFlags(smtp))
  const id = await pending(site, { ...FORM, start_date: '2027-12-05', end_date: '2027-12-05' })
  const date = new Date(site.clock.now + 100 * DAY).toISOString().slice(0, 10)
  await site.call('editor', 'POST', `/events/${id}`, { json: { status: 'publish', date: `${date} 00:00:00` } })
  assert.equal((await site.call('editor', 'GET', `/events/${id}`)).body.status, 'future')
  site.clock.now += 61 * DAY
  // One round follows both.
  const other = await pending(site, { ...FORM, title: 'Another' })
  await site.call('editor', 'POST', `/events/${other}`, { json: { status: 'publish' } })
  await smtp.arrived(3)
  assert.deepEqual(
    (await rows(site)).map(({ event_id }) => event_id),
    [id],
  )
  // As the form says, which counts from the publication.
  const form = await (await fetch(`${site.origin}/submit/`)).text()
  assert.match(form, /within 30 days after the event is published or declined, or after 60 days without a decision/)
  const today = new Date(site.clock.now).toISOString().slice(0, 10)
  await site.call('editor', 'POST', `/events/${id}`, { json: { status: 'publish', date: `${today} 00:00:00` } })
  assert.equal((await smtp.arrived(4)).at(-1)?.to[0], 'grace@example.net')
  await eventually('forgetting who sent it', async () => (await rows(site)).length === 0)
})

test('an event that somebody has moved to the trash meanwhile is gone for those who decline it', async (t) => {
  const site = await openWithForm(t)
  const id = await pending(site, FORM)
  const editor = await visitor(site, 'editor')
  const path = `/admin/queue/${id}/decline`
  const form = (await editor.show(path)).text
  await site.call('editor', 'DELETE', `/events/${id}`)
  assert.equal((await editor.send(path, form, { action: 'decline', reason: 'No.' })).to, '/admin/queue?done=gone')
  assert.equal((await editor.show(path)).status, 303)
  assert.equal((await rows(site)).length, 1)
})

const LEFT = /1 item was changed in the meantime and left alone\. Look at it again first\./

test('what a submitter changes after a reviewer has looked is not published unseen', async (t) => {
  const site = await openWithForm(t)
  const ids: number[] = []
  const links: string[] = []
  for (const title of ['Lantern walk', 'Lantern run']) {
    links.push(new URL((await submit(site, { ...FORM, title })).to, site.origin).searchParams.get('link') ?? '')
    ids.push(Number((await everything(site)).find((one) => one['title'] === title)?.['id']))
  }
  const editor = await visitor(site, 'editor')
  const seen = (await editor.show('/admin/queue')).text
  const choices = [...seen.matchAll(/name="ids\[\]" value="([^"]+)"/g)].map(([, choice = '']) => choice)
  assert.deepEqual(choices.map((choice) => choice.split('-pending~')[0]).sort(), ids.map(String).sort())
  const submitter = await submitterAt(site, `/submit/link/${links[0]}/`)
  await submitter.send({ ...FORM, action: 'save', title: 'Buy my watches', mark: submitter.mark })
  const sent = await editor.submit('/admin/queue', { action: 'publish', ids: choices.join(',') })
  assert.match(sent.text, LEFT, 'beside what has to be told')
  const states = Object.fromEntries((await everything(site)).map(({ title, status }) => [title, status]))
  assert.deepEqual(states, { 'Buy my watches': 'pending', 'Lantern run': 'publish' })
  const again = (await editor.show('/admin/queue')).text
  const [, fresh = ''] = /name="ids\[\]" value="([^"]+)"/.exec(again) ?? []
  const stale = choices.find((choice) => choice.startsWith(`${ids[0]}-`)) ?? ''
  const refused = await editor.submit('/admin/queue', { action: 'publish', 'ids[]': stale })
  assert.match((await editor.show(refused.to)).text, LEFT)
  await editor.submit('/admin/queue', { action: 'publish', 'ids[]': fresh })
  assert.equal((await site.call('anonymous', 'GET', `/events/${ids[0]}`)).body.title, 'Buy my watches')
})

test('everything in the queue at once publishes only what was there when the page was shown, as it was', async (t) => {
  const site = await openWithForm(t)
  const links = new Map<string, string>()
  for (const title of ['Lantern walk', 'Lantern run'])
    links.set(title, new URL((await submit(site, { ...FORM, title })).to, site.origin).searchParams.get('link') ?? '')
  const editor = await visitor(site, 'editor')
  const seen = (await editor.show('/admin/queue')).text
  const submitter = await submitterAt(site, `/submit/link/${links.get('Lantern walk')}/`)
  await submitter.send({ ...FORM, action: 'save', title: 'Buy my watches', mark: submitter.mark })
  await submit(site, { ...FORM, title: 'Buy my shoes' })
  const { to } = await editor.send('/admin/queue', seen, { action: 'publish', all: 'true' })
  await eventually('publishing', async () => /<h3>/.test((await editor.show(to)).text))
  const states = Object.fromEntries((await everything(site)).map(({ title, status }) => [title, status]))
  assert.deepEqual(states, { 'Buy my watches': 'pending', 'Buy my shoes': 'pending', 'Lantern run': 'publish' })
})

for (const way of ['everything in the queue at once', 'what is ticked in the queue'])
  test(`${way} publishes no recurring event that was changed or added since the page was shown`, async (t) => {
    const site = await openWithForm(t)
    const weekly = { start_date: '2026-12-05 10:00:00', end_date: '2026-12-05 11:00:00', status: 'pending' }
    const propose = async (title: string): Promise<number> => {
      const json = { title, ...weekly, recurrence: 'RRULE:FREQ=WEEKLY;COUNT=3' }
      const { status, body } = await site.call('contributor', 'POST', '/events', { json })
      assert.equal(status, 201)
      return body.id
    }
    const [changed] = [await propose('Lantern walk'), await propose('Lantern run')]
    const editor = await visitor(site, 'editor')
    const seen = (await editor.show('/admin/queue')).text
    const choices = [...seen.matchAll(/name="ids\[\]" value="([^"]+)"/g)].map(([, choice]) => choice)
    assert.equal(choices.length, 6, 'each date')
    const json = { title: 'Buy my watches', scope: 'all' }
    assert.equal((await site.call('contributor', 'POST', `/events/${changed}`, { json })).status, 200)
    await propose('Buy my shoes')
    const all: Readonly<Record<string, string>> = way.startsWith('every') ? { all: 'true' } : { ids: choices.join(',') }
    const { to } = await editor.send('/admin/queue', seen, { action: 'publish', ...all })
    await eventually('publishing', async () =>
      /<h3>|3 items were changed in the meantime/.test((await editor.show(to)).text),
    )
    const states = Object.fromEntries((await everything(site)).map(({ title, status }) => [title, status]))
    assert.deepEqual(states, { 'Buy my watches': 'pending', 'Buy my shoes': 'pending', 'Lantern run': 'publish' })
  })

test('a picture that a submitter replaces does not stay, but one of the library does', async (t) => {
  const site = await openWithForm(t)
  const sent = await submit(site, FORM, { file: await sampleImage(1) })
  const id = Number((await everything(site))[0]?.['id'])
  const link = `/submit/link/${new URL(sent.to, site.origin).searchParams.get('link')}/`
  const images = async () => {
    const { body } = await site.call('editor', 'GET', `${site.origin}/kalends/v1/media`)
    return body.media.map((one: { readonly id: number }) => one.id)
  }
  const replace = async (sample: number): Promise<void> => {
    const { send, mark } = await submitterAt(site, link)
    const { to } = await send({ ...FORM, action: 'save', mark }, await sampleImage(sample))
    assert.equal(to, `${link}?done=saved`)
  }
  const [first] = await images()
  await replace(2)
  const [second, ...others] = await images()
  assert.notEqual(second, first)
  assert.deepEqual(others, [])
  const { body } = await upload(site, 'editor', { bytes: await sampleImage(3), name: 'library.png' })
  const library = body.id
  await site.call('editor', 'POST', `/events/${id}`, { json: { image: library } })
  await replace(4)
  assert.ok((await images()).includes(library))
})

test('a submitter who sends further pictures is counted as for further events, and keeps what was typed', async (t) => {
  const site = await openWithForm(t, { limitSubmissions: '2/3600' })
  const { to } = await submit(site, FORM, { file: await sampleImage(1) })
  const { send, mark } = await submitterAt(site, `/submit/link/${new URL(to, site.origin).searchParams.get('link')}/`)
  const first = await send({ ...FORM, action: 'save', mark }, await sampleImage(2))
  assert.equal(first.status, 303)
  const again = { ...FORM, action: 'save', mark: (await submitterAt(site, first.to)).mark, title: 'Lantern run' }
  const refused = await send(again, await sampleImage(3))
  assert.equal(refused.status, 429)
  assert.match(refused.text, /role="alert"[\s\S]{0,200}?Your network has sent too many images\. Save without an image/)
  assert.doesNotMatch(refused.text, /Choose the image again|Too many events/)
  assert.match(refused.text, /value="Lantern run"/)
  assert.equal((await send(again)).status, 303, 'without a picture')
})

test('the name of an organizer may have commas, and commas separate those that are known', async (t) => {
  const site = await openWithForm(t)
  await site.call('editor', 'POST', '/organizers', { json: { organizer: 'Rowers' } })
  const sent = await submit(site, { ...FORM, organizer: 'Moor, Lake & Sons' })
  const link = `/submit/link/${new URL(sent.to, site.origin).searchParams.get('link')}/`
  const names = async () => {
    const [event] = await everything(site)
    return objectsIn(event?.['organizer']).map(({ organizer }) => organizer)
  }
  assert.deepEqual(await names(), ['Moor, Lake &amp; Sons'])
  const save = async (organizer: string): Promise<void> => {
    const { send, mark } = await submitterAt(site, link)
    assert.equal((await send({ ...FORM, action: 'save', mark, organizer })).to, `${link}?done=saved`)
  }
  await save('rowers, Moor, Lake & Sons')
  assert.deepEqual((await names()).sort(), ['Moor, Lake &amp; Sons', 'Rowers'])
  await save('Rowers, Moor, Lake & Sons, Night Club')
  assert.deepEqual((await names()).sort(), ['Moor, Lake &amp; Sons', 'Night Club', 'Rowers'])
  const all = await site.call('editor', 'GET', '/organizers', { query: { status: 'any' } })
  assert.equal(all.body.total, 3)
  await save('')
  assert.deepEqual(await names(), [])
})
