import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { visitor } from './support/admin.ts'
import type { TestApp } from './support/app.ts'
import { mailFlags, openSmtp } from './support/smtp.ts'
import { DAY, everything, FORM, openWithForm, rows, submit } from './support/submissions.ts'
import { eventually } from './support/webhook-receiver.ts'

/** A calendar that tells by mail: who sent an event is forgotten as soon as that is done. */
const openSite = async (t: TestContext): Promise<TestApp> => openWithForm(t, mailFlags(await openSmtp(t)))

test('with an event that a program publishes its new venue and organizer are published', async (t) => {
  const site = await openSite(t)
  const { body: other } = await site.call('contributor', 'POST', '/venues', {
    json: { venue: 'Cellar', status: 'pending' },
  })
  assert.equal(other.status, 'pending')
  assert.equal((await submit(site, { ...FORM, venue: 'Old Pier', organizer: 'Night Club' })).status, 303)
  const [event] = await everything(site)
  const json = { status: 'publish' }
  const { body } = await site.call('editor', 'POST', `/events/${String(event?.['id'])}`, { json })
  assert.equal(body.status, 'publish')
  const isPublic = async (path: string) => (await site.call('anonymous', 'GET', path)).status === 200
  await eventually('publishing what came with it', () => isPublic(`/venues/${body.venue.id}`))
  assert.ok(await isPublic(`/organizers/${body.organizer[0].id}`))
  assert.deepEqual(await rows(site), [])
  assert.ok(!(await isPublic(`/venues/${other.id}`)), 'what others wait for goes on waiting')
})

for (const days of [20, 100]) {
  test(`what came with an event that is published in ${days} days is published with it, and not before`, async (t) => {
    const site = await openSite(t)
    assert.equal((await submit(site, { ...FORM, venue: 'Old Pier', organizer: 'Night Club' })).status, 303)
    const id = String((await everything(site))[0]?.['id'])
    const editor = await visitor(site, 'editor')
    const date = new Date(site.clock.now + days * DAY).toISOString().slice(0, 10)
    await editor.submit(`/admin/events/${id}`, { action: 'publish', date, date_time: '00:00' })
    const { body } = await site.call('editor', 'GET', `/events/${id}`)
    assert.equal(body.status, 'future')
    const places = [`/venues/${body.venue.id}`, `/organizers/${body.organizer[0].id}`]
    const arePublic = async () => {
      const answers = await Promise.all(places.map((path) => site.call('anonymous', 'GET', path)))
      return answers.map(({ status }) => status === 200)
    }
    // Another event is followed in the same round as this one.
    const followed = async (title: string) => {
      assert.equal((await submit(site, { ...FORM, title })).status, 303)
      const other = (await everything(site)).find((one) => one['title'] === title)?.['id']
      await site.call('editor', 'POST', `/events/${String(other)}`, { json: { status: 'publish' } })
      await eventually('following another event', async () => !(await rows(site)).some((row) => row.event_id === other))
    }
    await followed('Today')
    assert.deepEqual(await arePublic(), [false, false])
    if (days > 60) {
      site.clock.now += 61 * DAY
      await followed('Two months later')
      assert.equal((await rows(site)).length, 1, 'who sent it is told when it is published')
      assert.deepEqual(await arePublic(), [false, false])
    }
    site.clock.now += days * DAY
    // The timer looks at the clock of the computer: a write has what is due looked for again.
    await site.call('editor', 'POST', '/tags', { json: { name: 'Sea' } })
    await eventually('publishing what came with it', async () => (await arePublic()).every(Boolean))
    assert.equal((await site.call('anonymous', 'GET', `/events/${id}`)).status, 200)
    assert.deepEqual(await rows(site), [])
  })
}

test('with an event that is made private nothing is published before the event is', async (t) => {
  const site = await openSite(t)
  for (const title of ['Hidden', 'Shown']) {
    const sent = { ...FORM, title, venue: `Pier of ${title}`, organizer: `Club of ${title}` }
    assert.equal((await submit(site, sent)).status, 303)
  }
  const idOf = async (title: string) => (await everything(site)).find((one) => one['title'] === title)?.['id']
  const [hidden, shown] = [await idOf('Hidden'), await idOf('Shown')]
  const set = async (id: unknown, status: string) =>
    (await site.call('editor', 'POST', `/events/${String(id)}`, { json: { status } })).body
  const { venue, organizer } = await set(hidden, 'private')
  const published = await set(shown, 'publish')
  const isPublic = async (path: string) => (await site.call('anonymous', 'GET', path)).status === 200
  // One round follows all events.
  await eventually('what came with the other', () => isPublic(`/venues/${published.venue.id}`))
  const places = [`/venues/${venue.id}`, `/organizers/${organizer[0].id}`]
  for (const path of places) assert.ok(!(await isPublic(path)), path)
  await set(hidden, 'publish')
  for (const path of places) await eventually(path, () => isPublic(path))
  assert.deepEqual(await rows(site), [])
})
