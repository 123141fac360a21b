import assert from 'node:assert/strict'
import test from 'node:test'
import { makeLink } from '../src/accounts/sessions/index.ts'
import { listUsers } from '../src/accounts/users/index.ts'
import { visitor } from './support/admin.ts'
import { openTestApp } from './support/app.ts'

const NEW = { siteHost: undefined, siteZone: undefined } as const
const FORM = { siteName: 'Harbour', siteZone: 'Europe/Oslo', name: 'Ada', password: 'seven loud herons' }
const HOST = /Host name in global IDs<\/dt><dd><bdi>([^<]+)<\/bdi>(<p class="warning">)?/

/** Sends the form of a set-up as a browser does. */
async function send(origin: string, path: string, form: Record<string, string>): Promise<void> {
  const body = new URLSearchParams({ ...FORM, ...form })
  const response = await fetch(origin + path, { method: 'POST', redirect: 'manual', headers: { origin }, body })
  assert.equal(response.status, 303, await response.text())
}

async function newSite(t: test.TestContext) {
  const site = await openTestApp(t, NEW)
  const link = async () => (await makeLink(site.app, { name: 'administrator', purpose: 'setup' })).path
  const setUp = async (form: Record<string, string>) => send(site.origin, await link(), form)
  const create = async (): Promise<string> => {
    const json = { title: 'Ride', start_date: '2027-03-01 10:00', end_date: '2027-03-01 11:00' }
    const { body } = await site.call('administrator', 'POST', '/events', { json })
    return String(body.global_id)
  }
  return { site, link, setUp, create }
}

test('the public URL of the set-up is the host of identifiers, and no warning remains', async (t) => {
  const { site, setUp, create } = await newSite(t)
  const ada = await visitor(site, 'administrator')
  const [, before = '', warned] = HOST.exec((await ada.show('/admin/system')).text) ?? []
  assert.match(before, /^kalends-[0-9a-f]{8}\.invalid$/)
  assert.ok(warned)
  await setUp({ baseUrl: 'https://events.example.org' })
  const [, after, isWarned] = HOST.exec((await ada.show('/admin/system')).text) ?? []
  assert.deepEqual([after, isWarned], ['events.example.org', undefined])
  assert.match(await create(), /^events\.example\.org\?id=\d+$/)
})

test('an address that has no meaning elsewhere is no host of identifiers', async (t) => {
  const { setUp, create } = await newSite(t)
  await setUp({ baseUrl: 'http://192.168.1.20:3000' })
  assert.match(await create(), /\.invalid\?id=/)
})

test('once something has an identifier, a public URL changes none', async (t) => {
  const { setUp, create } = await newSite(t)
  const made = await create()
  assert.match(made, /\.invalid\?id=/)
  await setUp({ baseUrl: 'https://events.example.org' })
  assert.equal((await create()).split('?')[0], made.split('?')[0])
})

test('a host that an option names stays, whatever the public URL is', async (t) => {
  const site = await openTestApp(t, { ...NEW, siteHost: 'ids.example.org' })
  const { path } = await makeLink(site.app, { name: 'administrator', purpose: 'setup' })
  await send(site.origin, path, { baseUrl: 'https://events.example.org' })
  const { body } = await site.call('administrator', 'POST', '/events', {
    json: { title: 'Ride', start_date: '2027-03-01', end_date: '2027-03-01' },
  })
  assert.match(body.global_id, /^ids\.example\.org\?/)
})

test('the set-up presets language and currency of the browser, and stores what was chosen', async (t) => {
  const { site, link, setUp } = await newSite(t)
  const response = await fetch(site.origin + (await link()), {
    headers: { 'accept-language': 'de-CH,de;q=0.9,en;q=0.5' },
  })
  const text = await response.text()
  assert.match(text, /<option value="de" selected>/)
  assert.match(text, /name="currencySymbol" type="text" value="CHF"/)
  assert.match(text, /<option value="prefix" selected>/)
  assert.match(text, /admin-setup|setup\.[0-9a-f]+\.js/)
  await setUp({ language: 'de', currencySymbol: 'CHF', currencyPosition: 'prefix' })
  const { body } = await site.call('administrator', 'POST', '/events', {
    json: { title: 'Ride', start_date: '2027-03-01', end_date: '2027-03-01', cost: '20' },
  })
  assert.equal(body.cost, 'CHF20')
})

for (const purpose of ['setup', 'password'] as const) {
  test(`a ${purpose} link that is used several times at once works once`, async (t) => {
    const site = await openTestApp(t, NEW)
    const { path } = await makeLink(site.app, { name: 'administrator', purpose })
    const before = (await listUsers(site.app)).length
    const names = ['Ada', 'Bea', 'Cleo', 'Dora', 'Eve']
    const answers = await Promise.all(
      names.map(async (name) => {
        const body = new URLSearchParams({ ...FORM, name })
        const { origin } = site
        const response = await fetch(origin + path, { method: 'POST', redirect: 'manual', headers: { origin }, body })
        return { status: response.status, text: await response.text() }
      }),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 404, 404, 404, 404])
    assert.ok(answers.every(({ status, text }) => status === 303 || text.includes('already been used')))
    assert.equal((await listUsers(site.app)).length - before, purpose === 'setup' ? 1 : 0)
  })
}
