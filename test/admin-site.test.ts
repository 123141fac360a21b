// One engine: backups of PostgreSQL are made by the same command, which has tests of its own.
import assert from 'node:assert/strict'
import test from 'node:test'
import { TEST_ENGINE } from '../src/storage/engines/testing.ts'
import { visitor } from './support/admin.ts'
import { openTestApp } from './support/app.ts'

const skip = TEST_ENGINE === 'postgres' && 'it needs a pg_dump that is as new as the server'

test('a backup is begun in the administration, made by another process, and listed', { skip }, async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'administrator')
  assert.match((await ada.show('/admin/system')).text, /There is no backup yet/)
  assert.equal((await ada.submit('/admin/system', { action: 'backup' })).to, '/admin/system')
  let { text } = await ada.show('/admin/system')
  // Each look is a request; the process takes as long as it takes.
  for (let looks = 0; looks < 5_000 && text.includes('A backup is being made'); looks += 1)
    ({ text } = await ada.show('/admin/system'))
  assert.match(text, /<code>kalends-\d{8}-\d{6}<\/code>/)
  assert.doesNotMatch(text, /failed/)
})

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
  assert.match(sheet, /:root\{--accent:#8a1538\}/)
  assert.match(sheet, /dark\)\{:root\{--accent:#ffb3c7\}/)
  for (const logo of ['javascript:alert(1)', '"><script>', '//evil.example/x.svg'])
    assert.equal((await ada.submit('/admin/settings', { siteLogo: logo })).status, 400, logo)
})

test('the last log-ins that failed are listed for administrators', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'administrator')
  assert.match((await ada.show('/admin/system')).text, /None since this server process started/)
  const { origin } = site
  const body = new URLSearchParams({ login: '<b>editor</b>', password: 'guessed wrong' })
  assert.equal((await fetch(`${origin}/admin/login`, { method: 'POST', headers: { origin }, body })).status, 401)
  const { text } = await ada.show('/admin/system')
  assert.match(text, /<span dir="ltr">127\.0\.0\.1<\/span><\/td><td><bdi>&lt;b&gt;editor&lt;\/b&gt;<\/bdi>/)
  assert.doesNotMatch(text, /guessed wrong/)
})
