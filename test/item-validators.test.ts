import assert from 'node:assert/strict'
import test, * as nodeTest from 'node:test'
import { openTestApp, type Sending } from './support/app.ts'
import { paint } from './support/images.ts'
import { upload } from './support/upload.ts'
import { openReceiver } from './support/webhook-receiver.ts'

/* Every item of every namespace has the validators of RFC 9110 section 8.8, and changes only in the state that is meant. */

const app = await openTestApp(nodeTest, { fetchAllow: '127.0.0.1' })
const receiver = await openReceiver(nodeTest)
const { call, origin, clock } = app
const admin = (method: string, path: string, sending: Sending = {}) => call('administrator', method, path, sending)
const OWN = `${origin}/kalends/v1`

const made = async (path: string, json: object) => (await admin('POST', path, { json })).body
const event = { title: 'Regatta', start_date: '2027-05-01', end_date: '2027-05-01' }
const hook = await made(`${OWN}/webhooks`, { url: `${receiver.origin}/in`, events: ['event.created'] })
const items: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  events: await made('/events', event),
  venues: await made('/venues', { venue: 'Boathouse' }),
  organizers: await made('/organizers', { organizer: 'Rowers' }),
  categories: await made('/categories', { name: 'Rowing' }),
  tags: await made('/tags', { name: 'outdoors' }),
  media: (await upload(app, 'editor', { bytes: await paint(40, 32).png().toBuffer() })).body,
  subscriptions: await made(`${OWN}/subscriptions`, { url: `${receiver.origin}/diary.ics` }),
  webhooks: hook,
  'webhook-deliveries': (await admin('POST', `${OWN}/webhooks/${hook.id}/test`)).body,
}

/** Pages and files of an item, and lists below it: not the item itself. */
const NOT_THE_ITEM = /\.|\/(visits|deliveries)$/

/** Addresses of all items, by the documents of the server. */
async function addresses(): Promise<string[]> {
  const documents = await Promise.all(
    [`${origin}/cal/events/v1`, OWN].map(async (base) => {
      const { body } = await call('administrator', 'GET', `${base}/doc`)
      return Object.entries<object>(body.paths).flatMap(([path, methods]) =>
        'get' in methods ? [`${base}${path}`] : [],
      )
    }),
  )
  const templates = documents.flat().filter((path) => path.includes('{') && !NOT_THE_ITEM.test(new URL(path).pathname))
  return templates.map((template) => {
    const [, collection = ''] = /v1\/([^/]+)/.exec(template) ?? []
    const item = items[collection]
    assert.ok(item, `an item of ${collection}`)
    return template.replace(/\{(\w+)\}/g, (_all, name: string) => String(item[name]))
  })
}

test('every item that GET answers has a strong tag and the moment of its last change', async () => {
  const all = await addresses()
  assert.ok(all.length >= 12, String(all))
  for (const address of [
    ...all,
    ...['tags', 'categories'].map((kind) => `${origin}/wp/v2/${kind}/${items[kind]?.['id']}`),
  ]) {
    const { status, headers } = await admin('GET', address)
    assert.equal(status, 200, address)
    assert.match(headers.get('etag') ?? '', /^"[\w-]{22}\.[\w-]{16}"$/, address)
    assert.equal(headers.get('last-modified'), new Date(clock.now).toUTCString(), address)
  }
})

const CHANGES: Readonly<Record<string, object>> = {
  subscriptions: { name: 'Rowers' },
  webhooks: { description: 'Index' },
  media: { alt_text: 'Boats' },
  events: { title: 'Other' },
  venues: { venue: 'Other' },
  organizers: { organizer: 'Other' },
  categories: { name: 'Other' },
  tags: { name: 'other' },
}

for (const [collection, json] of Object.entries(CHANGES)) {
  test(`${collection}: what has changed since is not changed on top of it`, async () => {
    const base = ['events', 'venues', 'organizers', 'categories', 'tags'].includes(collection) ? '' : OWN
    const id = String(items[collection]?.['id'])
    const path = `${collection === 'media' ? `${origin}/wp/v2` : base}/${collection}/${id}`
    const since = { 'if-unmodified-since': new Date(clock.now).toUTCString() }
    clock.now += 5000
    const changed = await admin('POST', path, { json, headers: since })
    const moment = new Date(clock.now).toUTCString()
    assert.deepEqual([changed.status, changed.headers.get('last-modified')], [200, moment])
    // What changes nothing is no change.
    clock.now += 5000
    const same = await admin('POST', path, { json, headers: { 'if-unmodified-since': moment } })
    assert.deepEqual([same.status, same.headers.get('last-modified')], [200, moment])
    const read = await admin('GET', path)
    assert.deepEqual([read.headers.get('last-modified'), read.headers.get('etag')], [moment, same.headers.get('etag')])
    const late = await admin('POST', path, { json, headers: since })
    assert.deepEqual([late.status, late.body.code], [412, 'precondition_failed'])
    const removal = `${base}/${collection}/${id}${collection === 'media' ? '?force=true' : ''}`
    assert.equal((await admin('DELETE', removal, { headers: since })).status, 412)
  })
}

test('a visit, a test message and a repeated message are asked for under the version that is meant, too', async () => {
  const deliveries = `${OWN}/webhook-deliveries/${items['webhook-deliveries']?.['id']}`
  for (const [address, step] of [
    [`${OWN}/subscriptions/${items['subscriptions']?.['id']}`, 'sync'],
    [`${OWN}/webhooks/${hook.id}`, 'test'],
    [deliveries, 'replay'],
  ] as const) {
    const stale = await admin('POST', `${address}/${step}`, { headers: { 'if-match': '"x"' } })
    assert.deepEqual([stale.status, stale.body.code], [412, 'precondition_failed'], address)
    const tag = (await admin('GET', address)).headers.get('etag') ?? ''
    const done = await admin('POST', `${address}/${step}`, { headers: { 'if-match': tag } })
    assert.notEqual(done.status, 412, address)
  }
})
