import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { after } from 'node:test'
import { visitor } from './support/admin.ts'
import { openTestApp, type TestApp } from './support/app.ts'
import { openRemoteSite } from './support/images.ts'
import { testFolder } from './support/test-storage.ts'

/** What the other site answers with. */
const other = { status: 200, lines: [] as string[] }

const site = await openRemoteSite(
  { after },
  {
    '/diary.ics': (response) => {
      const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', ...other.lines, 'END:VCALENDAR', '']
      response.writeHead(other.status).end(lines.join('\r\n'))
    },
  },
)
const url = `${site.origin}/diary.ics`

function event(uid: string, start: string): string[] {
  return ['BEGIN:VEVENT', `UID:${uid}`, `DTSTART:${start}`, `SUMMARY:${uid}`, 'END:VEVENT']
}

async function open(t: Parameters<typeof openTestApp>[0], flags: Record<string, string> = {}) {
  Object.assign(other, { status: 200, lines: [...event('Regatta', '20270105T100000Z'), ...event('Race', 'nonsense')] })
  const app = await openTestApp(t, { fetchAllow: '127.0.0.1', ...flags })
  return { app, ada: await visitor(app, 'administrator') }
}

async function subscriptionsIn(app: TestApp) {
  const { body } = await app.call('administrator', 'GET', `${app.origin}/kalends/v1/subscriptions`)
  return body.sources
}

/** The text of a page without its tags. */
function plain(text: string): string {
  return text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
}

test('a calendar is followed, synced, paused, resumed, changed and followed no longer, without scripts', async (t) => {
  const { app, ada } = await open(t)
  assert.match((await ada.show('/admin/subscriptions')).text, /Nothing here yet/)
  const form = { url, name: 'Rowers', every: '21600', status: 'pending', categories: 'Water, Sports', timezone: '' }
  const { to } = await ada.submit('/admin/subscriptions', form)
  assert.equal(to, '/admin/subscriptions/1?done=synced')
  const [subscription] = await subscriptionsIn(app)
  assert.deepEqual(
    [
      subscription.name,
      subscription.url,
      subscription.every,
      subscription.status,
      subscription.categories,
      subscription.events,
    ],
    ['Rowers', url, 21_600, 'pending', ['Water', 'Sports'], 1],
  )
  const shown = plain((await ada.show(to)).text)
  for (const text of [/Synced/, /6 hours/, /Status Active/, /Skipped \(1\)/]) assert.match(shown, text)
  const list = plain((await ada.show('/admin/subscriptions')).text)
  assert.match(list, /Rowers Active Events: 1 Last sync: 20 Nov 2026, 13:00/)
  assert.equal((await ada.submit('/admin/subscriptions', { sync: '1' })).to, '/admin/subscriptions?done=synced')
  await ada.submit('/admin/subscriptions/1', { action: 'pause' })
  assert.match(plain((await ada.show('/admin/subscriptions/1')).text), /Status Paused/)
  await ada.submit('/admin/subscriptions/1', { action: 'resume' })
  await ada.submit('/admin/subscriptions/1', {
    action: 'save',
    name: 'Rowing club',
    categories: '',
    timezone: 'Europe/Berlin',
  })
  const [changed] = await subscriptionsIn(app)
  assert.deepEqual(
    [changed.name, changed.categories, changed.timezone, changed.paused, changed.every],
    ['Rowing club', [], 'Europe/Berlin', false, 21_600],
  )
  assert.match(
    plain((await ada.show('/admin/subscriptions/1/remove')).text),
    /Unsubscribe from Rowing club\?.*What happens to its 1 event\?/,
  )
  const removed = await ada.submit('/admin/subscriptions/1/remove', { events: 'trash' })
  assert.equal(removed.to.split('&')[0], '/admin/subscriptions?done=trash')
  assert.deepEqual(await subscriptionsIn(app), [])
  const { body } = await app.call('administrator', 'GET', '/events', {
    query: { status: 'trash', start_date: '2027-01-01' },
  })
  assert.deepEqual(
    body.events.map(({ title }: { title: string }) => title),
    ['Regatta'],
  )
})

test('what is refused stands beside its field or above the form, and nothing typed is lost', async (t) => {
  const { app, ada } = await open(t)
  const wrong = await ada.submit('/admin/subscriptions', {
    url: 'no address',
    timezone: 'Middle/Earth',
    categories: 'Water',
  })
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /id="f-url-wrong"/)
  assert.match(wrong.text, /id="f-timezone-wrong"/)
  assert.match(wrong.text, /value="no address"/)
  assert.match(wrong.text, /value="Water"/)
  assert.deepEqual(await subscriptionsIn(app), [])
  await ada.submit('/admin/subscriptions', { url })
  const twice = await ada.submit('/admin/subscriptions', { url })
  assert.match(
    plain(twice.text),
    /This calendar cannot be used for a subscription: there is already a subscription to it\./,
  )
  assert.equal((await ada.show('/admin/subscriptions/9')).status, 404)
})

test('a subscription that fails says why in words, on its page, in the list and on the overview, in the language of the reader', async (t) => {
  const { ada } = await open(t)
  assert.doesNotMatch((await ada.show('/admin')).text, /class="warnings"/)
  other.status = 503
  const { to } = await ada.submit('/admin/subscriptions', { url, name: 'Rowers' })
  assert.equal(to, '/admin/subscriptions/1')
  await ada.submit('/admin/subscriptions/1', { action: 'sync' })
  assert.match(plain((await ada.show(to)).text), /the server responded with 503 \(2 failed syncs in a row\)/)
  assert.match(plain((await ada.show('/admin/subscriptions')).text), /Failed the server responded with 503/)
  assert.match(plain((await ada.show('/admin')).text), /Rowers can’t be synced: the server responded with 503/)
  assert.match(
    plain((await ada.show('/de/admin')).text),
    /Rowers kann nicht abgeglichen werden: der Server hat mit 503 geantwortet/,
  )
  other.status = 200
  other.lines = []
  assert.equal(
    (await ada.submit('/admin/subscriptions/1', { action: 'sync' })).to,
    '/admin/subscriptions/1?done=synced',
  )
  assert.doesNotMatch((await ada.show('/admin')).text, /class="warnings"/)
})

test('only administrators see the subscriptions, and what is wrong with them', async (t) => {
  const { app, ada } = await open(t)
  other.status = 500
  await ada.submit('/admin/subscriptions', { url })
  const eve = await visitor(app, 'editor')
  for (const path of ['/admin/subscriptions', '/admin/subscriptions/1', '/admin/subscriptions/1/remove']) {
    assert.equal((await eve.show(path)).status, 403, path)
    assert.equal((await eve.submit(path, { url, action: 'pause' })).status, 403, path)
  }
  const { text } = await eve.show('/admin')
  assert.doesNotMatch(text, /class="warnings"|\/admin\/subscriptions/)
  assert.equal((await subscriptionsIn(app))[0].paused, false)
})

test('a calendar without a backup for a week is told on the overview; a new one is not', async (t) => {
  const data = testFolder(t)
  const { app } = await open(t, { data })
  // Sessions end earlier than that.
  const warned = async (): Promise<boolean> => {
    const { text } = await (await visitor(app, 'administrator')).show('/admin')
    assert.match(text, /Upcoming events/)
    return /No backup has been made in the past week/.test(text)
  }
  await app.call('administrator', 'POST', '/events', { json: { title: 'Regatta', start_date: '2026-12-01' } })
  assert.equal(await warned(), false)
  app.clock.now += 8 * 86_400_000
  assert.equal(await warned(), true)
  await writeFile(join(data, 'last-backup'), '2026-11-27 18:00:00\n')
  assert.equal(await warned(), false)
  app.clock.now += 7 * 86_400_000
  assert.equal(await warned(), true)
})
