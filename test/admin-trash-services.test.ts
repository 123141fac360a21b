import assert from 'node:assert/strict'
import test from 'node:test'
import { Webhook as Verifier } from 'standardwebhooks'
import { openExpiry } from '../src/http/stored-replies/index.ts'
import { visitor } from './support/admin.ts'
import { openTestApp, type TestApp } from './support/app.ts'
import type { TestScope } from './support/at-end.ts'
import { openRemoteSite } from './support/images.ts'
import { numbersOf } from './support/storage.ts'
import { restorableIn, restoreFrom } from './support/trash.ts'
import { eventually, openReceiver } from './support/webhook-receiver.ts'

type Person = Awaited<ReturnType<typeof visitor>>

const FLAGS = { fetchAllow: '127.0.0.1' } as const
const WHEN = { start_date: '2027-01-06 10:00', end_date: '2027-01-06 12:00', status: 'publish' }

/** What programs are answered below their own namespace. */
async function own({ call, origin }: TestApp, path: string) {
  return (await call('administrator', 'GET', `${origin}/kalends/v1${path}`)).body
}

/** The text of a page without its tags. */
function plain(text: string): string {
  return text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
}

/** Everything that is kept of what was removed, as text. */
async function keptIn({ app }: TestApp): Promise<string> {
  const { storage } = app
  return JSON.stringify(await storage.all(storage.db.selectFrom('removed_item').select('kept')))
}

/** Moves a webhook to the trash by its form; the address and text of the page that follows. */
async function removeHook(person: Person, id: number) {
  const { to } = await person.submit(`/admin/webhooks/${id}`, { action: 'delete' })
  return { to, text: (await person.show(to)).text }
}

test('a webhook that was deleted comes back with its secret, and is told what waited and what happened meanwhile', async (t) => {
  const site = await openTestApp(t, FLAGS)
  const receiver = await openReceiver(t)
  receiver.answer = (response) => void response.writeHead(500).end()
  const ada = await visitor(site, 'administrator')
  const json = { url: `${receiver.origin}/in`, events: ['event.created'], description: 'Search' }
  const { body: made } = await site.call('administrator', 'POST', `${site.origin}/kalends/v1/webhooks`, { json })
  const { id, secret } = made
  await site.call('administrator', 'POST', '/events', { json: { ...WHEN, title: 'First' } })
  await eventually('an attempt', async () => (await own(site, `/webhooks/${id}`)).failures === 1)
  const before = await own(site, `/webhooks/${id}`)
  const { to, text } = await removeHook(ada, id)
  assert.match(text, /role="status">Moved to trash</)
  const key = secret.slice('whsec_'.length)
  for (const shown of [to, text, decodeURIComponent(to)]) assert.equal(shown.includes(key), false)
  assert.deepEqual((await own(site, '/webhooks')).webhooks, [])
  await site.call('administrator', 'POST', '/events', { json: { ...WHEN, title: 'Second' } })
  const back = await restoreFrom(ada, text, '/admin/webhooks')
  assert.equal(back.to, '/admin/webhooks?done=back')
  assert.match(back.text, /role="status">Restored</)
  // What happened meanwhile may have been tried already.
  assert.deepEqual({ ...(await own(site, `/webhooks/${id}`)), failures: 1 }, before)
  assert.equal(await keptIn(site), '[]')
  receiver.answer = (response) => void response.writeHead(204).end()
  site.clock.now += 86_400_000
  await site.call('administrator', 'POST', '/events', { json: { ...WHEN, title: 'Third' } })
  const titles = () => receiver.messages.map(({ json: sent }) => sent.data.item?.title)
  await eventually('all messages', () => ['First', 'Second', 'Third'].every((one) => titles().slice(1).includes(one)))
  const [failed, ...others] = receiver.messages
  assert.ok(others.some(({ headers }) => headers['webhook-id'] === failed?.headers['webhook-id']))
  for (const { headers, body } of receiver.messages) {
    const sent = new Date(Number(headers['webhook-timestamp']) * 1000)
    assert.equal(headers['webhook-signature'], new Verifier(secret).sign(String(headers['webhook-id']), sent, body))
  }
})

test('what was deleted comes back once, for 30 days and for administrators, and is then forgotten', async (t) => {
  const site = await openTestApp(t, FLAGS)
  const ada = await visitor(site, 'administrator')
  const json = { url: 'http://127.0.0.1:9/in', events: ['event.created'] }
  const hooks = `${site.origin}/kalends/v1/webhooks`
  const { body: made } = await site.call('administrator', 'POST', hooks, { json })
  const count = async () => (await own(site, '/webhooks')).webhooks.length
  const { text } = await removeHook(ada, made.id)
  await restoreFrom(await visitor(site, 'editor'), text)
  assert.equal(await count(), 0)
  await restoreFrom(ada, text)
  assert.equal(await count(), 1)
  assert.match((await restoreFrom(ada, text)).text, /role="status">Someone else has already removed this\./)
  assert.equal(await count(), 1)
  const late = await removeHook(ada, made.id)
  // The removal before this one is not the one in the trash now.
  await restoreFrom(ada, text)
  assert.equal(await count(), 0)
  site.clock.now += 3_602_000
  assert.equal(restorableIn((await ada.show(late.to)).text), '', 'long ago')
  site.clock.now += 30 * 86_400_000
  const later = await visitor(site, 'administrator')
  await restoreFrom(later, late.text)
  assert.equal(await count(), 0)
  assert.match((await later.show('/admin/trash')).text, /The trash is empty/)
  const errors: unknown[] = []
  const work = openExpiry({
    storage: site.app.storage,
    now: () => site.clock.now,
    report: (error) => void errors.push(error),
  })
  t.after(() => work.stop())
  work.begin()
  await eventually('nothing is kept', async () => (await keptIn(site)) === '[]')
  assert.deepEqual(errors, [])
})

/** A calendar elsewhere with an event, which is followed. */
async function following(t: TestScope) {
  const event = ['BEGIN:VEVENT', 'UID:regatta', 'DTSTART:20270105T100000Z', 'SUMMARY:Regatta', 'END:VEVENT']
  const file = ['BEGIN:VCALENDAR', 'VERSION:2.0', ...event, 'END:VCALENDAR', ''].join('\r\n')
  const elsewhere = await openRemoteSite(t, { '/diary.ics': (response) => void response.end(file) })
  const site = await openTestApp(t, FLAGS)
  const ada = await visitor(site, 'administrator')
  const url = `${elsewhere.origin}/diary.ics`
  await ada.submit('/admin/subscriptions', {
    url,
    name: 'Rowers',
    every: '21600',
    status: 'publish',
    categories: 'Water',
  })
  await synced(site)
  return { site, ada, url }
}

/** Waits until a subscription has been synced and has its event. */
function synced(site: TestApp, id = 1): Promise<void> {
  return eventually('a sync', async () => {
    const { events, visiting } = await own(site, `/subscriptions/${id}`)
    return events === 1 && visiting === false
  })
}

/** Unsubscribes; the page that follows. */
async function removeSubscription(person: Person, events: 'keep' | 'trash'): Promise<string> {
  const { to } = await person.submit('/admin/subscriptions/1/remove', { events })
  return (await person.show(to)).text
}

const STATES = `select case status when 'publish' then 1 when 'trash' then 2 else 0 end as n from event`

test('a calendar that was followed no longer is followed again as before, with its events and syncs', async (t) => {
  const { site, ada } = await following(t)
  const before = [await own(site, '/subscriptions/1'), await own(site, '/subscriptions/1/visits')]
  const text = await removeSubscription(ada, 'keep')
  assert.deepEqual((await own(site, '/subscriptions')).sources, [])
  const back = await restoreFrom(ada, text, '/admin/subscriptions')
  assert.equal(back.to, '/admin/subscriptions?done=back')
  assert.match(back.text, /role="status">Restored</)
  assert.deepEqual([await own(site, '/subscriptions/1'), await own(site, '/subscriptions/1/visits')], before)
  assert.equal(await keptIn(site), '[]')
})

test('events that went to the trash with their calendar come back when it is synced again', async (t) => {
  const { site, ada } = await following(t)
  const text = await removeSubscription(ada, 'trash')
  assert.deepEqual(await numbersOf(site.app.storage, STATES), [2])
  await restoreFrom(ada, text)
  assert.equal((await own(site, '/subscriptions/1')).paused, false)
  await ada.submit('/admin/subscriptions/1', { action: 'sync' })
  await synced(site)
  assert.deepEqual(await numbersOf(site.app.storage, STATES), [1])
})

test('a calendar that is followed otherwise by now is not followed twice, and can be brought back after that', async (t) => {
  const { site, ada, url } = await following(t)
  const text = await removeSubscription(ada, 'keep')
  await ada.submit('/admin/subscriptions', { url, name: 'Other' })
  await synced(site, 2)
  const refused = await restoreFrom(ada, text)
  assert.equal(refused.status, 400)
  assert.match(
    plain(refused.text),
    /This calendar cannot be used for a subscription: there is already a subscription to it\./,
  )
  await site.call('administrator', 'DELETE', `${site.origin}/kalends/v1/subscriptions/2`)
  assert.equal((await restoreFrom(ada, text)).to, '/admin/trash?done=back')
  const { sources } = await own(site, '/subscriptions')
  assert.deepEqual([sources.length, sources[0].name, sources[0].events], [1, 'Rowers', 1])
})
