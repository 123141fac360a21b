import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { takeNumbers } from '../src/storage/numbers.ts'
import { visitor } from './support/admin.ts'
import { openTestApp } from './support/app.ts'
import { sampleImage } from './support/sample-image.ts'
import { TEST_ENGINE } from './support/test-engine.ts'
import { testFolder } from './support/test-storage.ts'

const skip = TEST_ENGINE === 'postgres' && 'it needs a pg_dump that is as new as the server'

test('a backup is begun in the administration, made by another process, and listed', { skip }, async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'administrator')
  const first = await ada.show('/admin/system')
  assert.match(first.text, /There are no backups yet/)
  assert.equal((await ada.send('/admin/system', first.text, { action: 'backup' })).to, '/admin/system')
  const text = await afterBackup(ada)
  const [, row = ''] = /<tr>((?:(?!<tr>).)*<code>kalends-\d{8}-\d{6}<\/code>.*?)<\/tr>/s.exec(text) ?? []
  assert.match(row, /Verified: <\/span>Yes.*<bdi>administrator<\/bdi>/)
  assert.doesNotMatch(text, /failed/)
  const [, path = ''] = /href="(\/admin\/work\/\d+)">Backup from /.exec(text) ?? []
  const report = (await ada.show(path)).text
  assert.match(report, /<dt>Status<\/dt><dd><span class="badge publish">Done/)
  assert.match(report, /<dt>Database rows<\/dt><dd>[1-9]/)
  const eve = await visitor(site, 'editor')
  assert.equal((await eve.show(path)).status, 404)
  assert.equal((await ada.show('/admin/work/999')).status, 404)
})

test('a backup of another process is shown with how far it is, and no second one begins', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'administrator')
  const { storage } = site.app
  site.clock.now = Date.parse('2026-11-20T18:00:00Z')
  const row = {
    ...{ id: 1, kind: 'backup', lane: 'backup', state: 'running', by_id: 1, by_name: 'ann', about: '{}', done: 500 },
    ...{ total: 2000, started_at: '2026-11-20 17:59:40', seen_at: '2026-11-20 17:59:58', ended_at: null },
    ...{ is_stopping: 0, follows: 0, outcome: null, problem: null },
  }
  const { text } = await ada.show('/admin/system')
  await storage.write(async (tx) => {
    await takeNumbers(tx, 'long_work')
    await tx.run(tx.db.insertInto('long_work').values(row))
  })
  const now = (await ada.show('/admin/system')).text
  assert.match(now, /Rows and files copied and verified: 500 of 2,000 · About 60 seconds left/)
  assert.doesNotMatch(now, /Back up now/)
  const again = await ada.send('/admin/system', text, { action: 'backup' })
  assert.equal(again.status, 409)
  assert.match(again.text, /A backup is already running\./)
  site.clock.now += 120_000
  assert.match((await ada.show('/admin/system')).text, /Interrupted because the server process ended/)
})

test('a backup that fails says why', async (t) => {
  const data = testFolder(t)
  const site = await openTestApp(t, { data })
  writeFileSync(join(data, 'backups'), 'in the way')
  const ada = await visitor(site, 'administrator')
  await ada.submit('/admin/system', { action: 'backup' })
  assert.match(
    await afterBackup(ada),
    /The last backup failed: .*backups cannot be created or written to: it is no folder/,
  )
})

/** The page once no backup is being made: each look is a request, and the process takes as long as it takes. */
async function afterBackup(ada: Awaited<ReturnType<typeof visitor>>): Promise<string> {
  for (;;) {
    const { text } = await ada.show('/admin/system')
    if (!text.includes('Backing up')) return text
  }
}

test('colours and logo of the settings are those of public pages, if they can be read', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'administrator')
  const page = async (path: string) => (await fetch(`${site.origin}${path}`)).text()
  assert.doesNotMatch(await page('/events/'), /theme\.css/)
  const pale = await ada.submit('/admin/settings', { accent: '#ffee88' })
  assert.equal(pale.status, 400)
  assert.match(pale.text, /id="f-accent-wrong"/)
  const theme = { accent: '#8a1538', accentDark: '#ffb3c7', siteLogo: 'https://example.org/logo.svg' }
  assert.match((await ada.submit('/admin/settings', theme)).to, /done=saved/)
  const text = await page('/events/')
  const [, address = ''] = /href="[^"]*(\/theme\.css\?v=\w+)"/.exec(text) ?? []
  assert.match(text, /<img class="logo" src="https:\/\/example\.org\/logo\.svg" alt="">/)
  const sheet = await page(address)
  assert.match(sheet, /:root\{--accent:light-dark\(#8a1538,#ffb3c7\)/)
  for (const logo of ['javascript:alert(1)', '"><script>', '//evil.example/x.svg'])
    assert.equal((await ada.submit('/admin/settings', { siteLogo: logo })).status, 400, logo)
})

test('the last log-ins that failed are listed for administrators', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'administrator')
  assert.match((await ada.show('/admin/system')).text, /None since the server process started/)
  const { origin } = site
  const body = new URLSearchParams({ login: '<b>editor</b>', password: 'guessed wrong' })
  assert.equal((await fetch(`${origin}/admin/login`, { method: 'POST', headers: { origin }, body })).status, 401)
  const { text } = await ada.show('/admin/system')
  assert.match(text, /<span dir="ltr">127\.0\.0\.1<\/span><\/td><td><bdi>&lt;b&gt;editor&lt;\/b&gt;<\/bdi>/)
  assert.doesNotMatch(text, /guessed wrong/)
})

test('a logo is uploaded, and taken away; the standard colors are none of the own ones', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'administrator')
  const { text } = await ada.show('/admin/settings')
  assert.match(text, /<input id="f-accent" name="accent" type="color" value="#0a6b4a"/)
  const csrf = /name="_csrf" value="([^"]*)"/.exec(text)?.[1] ?? ''
  const body = new FormData()
  for (const [name, value] of Object.entries({ _csrf: csrf, siteLogo: '', accent: '#0a6b4a' })) body.append(name, value)
  body.append('file', new File([new Uint8Array(await sampleImage(1))], 'logo.png'))
  const headers = { cookie: ada.cookie, origin: site.origin }
  const saved = await fetch(`${site.origin}/admin/settings`, { method: 'POST', headers, body, redirect: 'manual' })
  assert.match(saved.headers.get('location') ?? '', /done=saved/)
  const page = async () => (await fetch(`${site.origin}/events/`)).text()
  const [, address = ''] = /<img class="logo" src="([^"]*)"/.exec(await page()) ?? []
  assert.equal((await fetch(new URL(address, site.origin))).status, 200)
  assert.doesNotMatch(await page(), /theme\.css/)
  await ada.submit('/admin/settings', { logo_remove: 'true' })
  assert.doesNotMatch(await page(), /class="logo"/)
})
