import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { addUser } from '../src/accounts/users/index.ts'
import { openApp } from '../src/app/app.ts'
import { openSettings } from '../src/app/settings.ts'
import { readConfig } from '../src/base/config.ts'
import { createLog } from '../src/base/log.ts'
import type { JournalEntry } from '../src/storage/journal/entry.ts'
import { deliver, subscribe } from '../src/storage/journal/subscribe.ts'
import { visitor, visitorAt } from './support/admin.ts'
import { databaseFlags, openTestApp } from './support/app.ts'
import { knowPassword } from './support/known-password.ts'

const EVENT = { title: 'Regatta', start_date: '2026-12-05 10:00:00', end_date: '2026-12-05 12:00:00' }

/** A calendar whose settings somebody changes while programs and visitors use it. */
async function openSite(t: TestContext) {
  const site = await openTestApp(t, { limitWrites: undefined, limitLogIns: undefined })
  const ada = await visitor(site, 'administrator')
  const page = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`${site.origin}${path}`, { headers, redirect: 'manual' })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const set = async (form: Readonly<Record<string, string>>): Promise<void> =>
    assert.match((await ada.submit('/admin/settings', form)).to, /done=saved$/, JSON.stringify(form))
  return { ...site, ada, page, set }
}

test('the form of visitors is there as long as the settings say so', async (t) => {
  const { page, set, origin } = await openSite(t)
  const isOffered = async () => (await page('/events/')).text.includes('/submit/')
  const send = () => fetch(`${origin}/submit/`, { method: 'POST', headers: { origin }, body: new FormData() })
  assert.deepEqual([(await page('/submit/')).status, (await send()).status, await isOffered()], [404, 404, false])
  await set({ submissions: 'yes' })
  assert.deepEqual([(await page('/submit/')).status, (await send()).status, await isOffered()], [200, 400, true])
  await set({ submissions: 'no' })
  assert.deepEqual([(await page('/submit/')).status, (await send()).status, await isOffered()], [404, 404, false])
})

test('maps, their policy and the address for faults of security follow the settings on pages that were cached', async (t) => {
  const { page, set, call } = await openSite(t)
  const venue = { venue: 'Pier', geo_lat: 40.7, geo_lng: -74 }
  const { body } = await call('editor', 'POST', '/events', { json: { ...EVENT, venue } })
  const shown = () => page(`/event/${body.slug}/`)
  assert.doesNotMatch((await shown()).text, /tiles\.example/)
  assert.equal((await page('/.well-known/security.txt')).status, 404)
  assert.doesNotMatch((await page('/events/')).text, /events\/map\//)
  await set({
    ...{ mapTiles: 'https://tiles.example/{z}/{x}/{y}.png', mapAttribution: '© Chart makers' },
    securityContact: 'mailto:security@example.org',
  })
  assert.match((await page('/.well-known/security.txt')).text, /^Contact: mailto:security@example\.org$/m)
  assert.match((await page('/events/')).text, /events\/map\//)
  const mapped = await shown()
  assert.match(mapped.text, /tiles\.example[^>]*Chart makers|Chart makers[^>]*tiles\.example/)
  assert.match(mapped.headers.get('content-security-policy') ?? '', /img-src [^;]*https:\/\/tiles\.example/)
  await set({ mapTiles: '', securityContact: '' })
  assert.equal((await page('/.well-known/security.txt')).status, 404)
  assert.doesNotMatch((await page('/events/')).text, /events\/map\//)
})

test('what programs may do follows the settings', async (t) => {
  const { page, set, call, origin } = await openSite(t)
  const frame = '<p>Film</p><iframe src="https://videos.example.org/1"></iframe>'
  const write = async (title: string) =>
    (await call('editor', 'POST', '/events', { json: { ...EVENT, title, description: frame } })).body
  const first = await write('First')
  assert.doesNotMatch(first.description, /iframe/)
  await set({ iframeHosts: 'videos.example.org, other.example' })
  assert.match((await write('Second')).description, /<iframe [^>]*videos\.example\.org/)

  const list = '/wp-json/tribe/events/v1/events?per_page=10'
  const shown = async () => JSON.parse((await page(list)).text) as { events: unknown[]; total_pages: number }
  assert.deepEqual([(await shown()).events.length, (await shown()).total_pages], [2, 1])
  await set({ perPageMax: '1' })
  assert.deepEqual([(await shown()).events.length, (await shown()).total_pages], [1, 2])

  const from = { origin: 'https://www.club.example' }
  const allowed = async () => (await page(list, from)).headers.get('access-control-allow-credentials')
  assert.equal(await allowed(), null)
  await set({ corsOrigins: from.origin })
  assert.equal(await allowed(), 'true')

  const change = { json: { title: 'Changed' } }
  const batch = {
    json: { atomic: false, requests: [{ method: 'POST', path: `/events/${first.id}`, body: change.json }] },
  }
  await set({ requireIfMatch: 'yes' })
  assert.equal((await call('editor', 'POST', `/events/${first.id}`, change)).status, 428)
  const { body } = await call('editor', 'POST', `${origin}/kalends/v1/batch`, batch)
  assert.equal(body.responses[0].status, 428)
  await set({ requireIfMatch: 'no' })
  assert.equal((await call('editor', 'POST', `/events/${first.id}`, change)).status, 200)
})

test('limits follow the settings, and none can be set that locks everybody out', async (t) => {
  const { set, call, ada } = await openSite(t)
  const left = async () => (await call('editor', 'POST', '/tags', { json: { name: 'Tag' } })).headers.get('ratelimit')
  assert.match((await left()) ?? '', /"writes";r=2\d{4}/)
  await set({ limitWrites: '300/600' })
  assert.match((await left()) ?? '', /"writes";r=2\d\d;t=\d{1,3}\b/)
  await set({ limitWrites: 'none' })
  assert.equal(await left(), null)
  for (const tight of ['59/60', '100000/86400', 'many', '60']) {
    const refused = await ada.submit('/admin/settings', { limitWrites: tight })
    assert.equal(refused.status, 400, tight)
    assert.match(refused.text, /id="f-limitWrites-wrong"/)
    assert.ok(refused.text.includes(`value="${tight}"`), 'what was typed stays')
  }
  assert.equal(await left(), null)
  await set({ limitWrites: '' })
  assert.match((await left()) ?? '', /"writes";r=2\d{4}/)
})

test('settings that an option of the server says are shown, and stay as they are', async (t) => {
  // One of them says what would hold without it.
  const said = { perPageMax: '7', submissions: 'yes', iframeHosts: 'a.example,b.example', requireIfMatch: 'no' }
  const site = await openTestApp(t, said)
  const ada = await visitor(site, 'administrator')
  const { text } = await ada.show('/admin/settings')
  assert.match(text, /<bdi>7<\/bdi>/)
  assert.match(text, /<bdi>Yes<\/bdi>/)
  assert.match(text, /<bdi>a\.example,b\.example<\/bdi>/)
  assert.doesNotMatch(text, /name="(perPageMax|submissions|iframeHosts|limitReads|requireIfMatch)"/)
  await ada.submit('/admin/settings', { submissions: 'no', perPageMax: '1', requireIfMatch: 'yes' })
  const made = await site.call('editor', 'POST', '/events', { json: EVENT })
  const changed = await site.call('editor', 'POST', `/events/${made.body.id}`, { json: { title: 'Race' } })
  assert.equal(changed.status, 200)
  assert.equal((await fetch(`${site.origin}/submit/`)).status, 200)
})

test('settings outlive the server, and the log follows its level', async (t) => {
  const data = await mkdtemp(join(tmpdir(), 'kalends-settings-'))
  t.after(() => rm(data, { recursive: true, force: true }))
  const lines: string[] = []
  const now = (): number => Date.UTC(2026, 10, 20, 18)
  const config = readConfig({ port: '0', data, synchronous: 'NORMAL', ...(await databaseFlags()) }, {})
  const open = async () => {
    const log = createLog({ level: 'info', now, stream: { write: (line) => void lines.push(line) } })
    return { log, app: await openApp(config, { now, log, role: 'serve' }) }
  }
  const first = await open()
  const settings = await openSettings(first.app.storage, config, now)
  assert.equal(first.log.level, 'info')
  await settings.save({ logLevel: 'debug', limitReads: '900/60', submissions: 'yes' }, 0)
  assert.equal(first.log.level, 'debug')
  await first.app.close()
  assert.ok(
    lines.some((line) => line.includes('server closed')),
    'a line of that level',
  )
  const second = await open()
  assert.equal(second.log.level, 'debug')
  const { current } = await openSettings(second.app.storage, config, now)
  assert.deepEqual([current.limitReads, current.submissions], [{ count: 900, seconds: 60 }, true])
  await settingsBack(second.app.storage, config, now)
  assert.equal(second.log.level, 'info')
  await second.app.close()
})

test('a change of another process that is heard of late does not undo a later one', async (t) => {
  const { app } = await openTestApp(t)
  const heard: JournalEntry[] = []
  subscribe(app.storage, (entries) => void heard.push(...entries.filter(({ resource }) => resource === 'site')))
  const settings = await openSettings(app.storage, readConfig({}, {}), app.now)
  await settings.save({ siteName: 'Former name' }, 0)
  await settings.save({ siteName: 'Present name' }, 0)
  const [former] = heard
  assert.ok(former)
  deliver(app.storage.db, [{ ...former, elsewhere: true }])
  assert.equal(settings.current.siteName, 'Present name')
})

test('who silences the log is in the log', async (t) => {
  const data = await mkdtemp(join(tmpdir(), 'kalends-settings-'))
  t.after(() => rm(data, { recursive: true, force: true }))
  const lines: string[] = []
  const config = readConfig({ port: '0', data, synchronous: 'NORMAL', ...(await databaseFlags()) }, {})
  const log = createLog({ level: 'info', now: Date.now, stream: { write: (line) => void lines.push(line) } })
  const app = await openApp(config, { now: Date.now, log, role: 'serve' })
  t.after(() => app.close())
  await addUser(app, { name: 'ada', email: 'ada@example.org', role: 'administrator' })
  await knowPassword(app, 'ada')
  const { addresses } = await app.listen()
  const ada = await visitorAt(addresses[0] ?? '', 'ada')
  const set = async (logLevel: string): Promise<number> => {
    assert.match((await ada.submit('/admin/settings', { logLevel })).to, /done=saved$/)
    return lines.filter((line) => line.includes(`"logLevel":"${logLevel}"`)).length
  }
  assert.deepEqual([await set('silent'), await set('error'), await set('info')], [1, 0, 1])
})

/** Gives the log its level back. */
async function settingsBack(...parts: Parameters<typeof openSettings>): Promise<void> {
  await (await openSettings(...parts)).save({ logLevel: '' }, 0)
}
