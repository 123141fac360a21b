import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestApp } from '../../../test/support/app.ts'
import { openRemoteSite } from '../../../test/support/images.ts'
import { withoutSecrets } from '../../storage/export/without-secrets.ts'
import { changeRow } from '../../storage/row-writes.ts'

const EVENT = ['BEGIN:VEVENT', 'UID:1', 'DTSTART:20270105T100000Z', 'SUMMARY:Talk', 'END:VEVENT']
const CALENDAR = ['BEGIN:VCALENDAR', 'VERSION:2.0', ...EVENT, 'END:VCALENDAR', ''].join('\r\n')
const BASIC = `Basic ${Buffer.from('ada:open sesame').toString('base64')}`
const SECRET = /sesame|b3BlbiBzZXNhbWU|YWRhOm9wZW4/

/** A calendar that subscribes, and one that only opens with a password. */
async function open(t: Parameters<typeof openTestApp>[0]) {
  const app = await openTestApp(t, { fetchAllow: '127.0.0.1' })
  const answer = { type: 'text/calendar', text: CALENDAR }
  const site = await openRemoteSite(t, {
    '/a.ics': (response, request) => {
      if (request.headers.authorization !== BASIC) response.writeHead(401).end('Sign in')
      else response.writeHead(200, { 'content-type': answer.type }).end(answer.text)
    },
  })
  const path = `${app.origin}/kalends/v1/subscriptions`
  const call = (method: string, at = '', json?: Readonly<Record<string, unknown>>) =>
    app.call('administrator', method, `${path}${at}`, json === undefined ? {} : { json })
  const address = (scheme: string, login = 'ada:open%20sesame@') => `${scheme}://${login}${site.origin.slice(7)}/a.ics`
  const stored = () => app.app.storage.all(app.app.storage.db.selectFrom('source').selectAll())
  return { app, site, answer, call, address, stored }
}

for (const scheme of ['http', 'webcal']) {
  test(`a calendar behind a password is subscribed to by ${scheme}: the password is stored sealed and never shown`, async (t) => {
    const { site, call, address, stored } = await open(t)
    const added = await call('POST', '', { url: address(scheme) })
    assert.equal(added.status, 201)
    const at = `/${added.body.id}`
    const synced = await call('POST', `${at}/sync`)
    assert.deepEqual([synced.body.problem, synced.body.events], ['', 1])
    const shown = [added, synced, await call('GET'), await call('GET', at), await call('GET', `${at}/visits`)]
    assert.doesNotMatch(JSON.stringify(shown), SECRET)
    const [row] = await stored()
    assert.doesNotMatch(JSON.stringify(row) + Buffer.from(row?.login ?? '', 'base64url').toString('latin1'), SECRET)
    assert.deepEqual([row?.login === '', row && withoutSecrets('source')({ ...row })['login']], [false, ''])
    // What the form sends back is the address as it is shown.
    await call('PATCH', at, { url: synced.body.url, name: 'Club' })
    assert.equal((await call('POST', `${at}/sync`)).body.problem, '')
    const twice = await call('POST', '', { url: address(scheme) })
    assert.equal(twice.status, 400)
    assert.doesNotMatch(JSON.stringify(twice), SECRET)
    assert.equal(site.asked.length, 2)
  })
}

test('a password goes with the host it was entered for: another address has none, another password takes its place', async (t) => {
  const { call, address, stored } = await open(t)
  const { body } = await call('POST', '', { url: address('http', 'ada:old@') })
  const at = `/${body.id}`
  assert.equal((await call('POST', `${at}/sync`)).body.problem, 'its server rejects the username and password')
  await call('PATCH', at, { url: address('http') })
  const synced = await call('POST', `${at}/sync`)
  assert.deepEqual([synced.body.problem, synced.body.events], ['', 1])
  await call('PATCH', at, { url: 'https://elsewhere.example/a.ics' })
  assert.equal((await stored())[0]?.login, '')
  await call('PATCH', at, { url: address('http', '') })
  assert.match((await call('POST', `${at}/sync`)).body.problem, /requires a username and password/)
})

test('a subscription says why its calendar cannot be read, and a password of another key is asked for again', async (t) => {
  const { app, answer, call, address } = await open(t)
  const { body } = await call('POST', '', { url: address('http') })
  const problem = async () => (await call('POST', `/${body.id}/sync`)).body.problem
  answer.text = '<!DOCTYPE html><title>Sign in</title>'
  assert.equal(await problem(), 'the server responded with a web page (HTML), not with a calendar')
  answer.text = '{"no": "calendar"}'
  assert.equal(await problem(), 'the response is not a calendar: it starts with “{"no": "calendar"}”')
  answer.text = ''
  assert.equal(await problem(), 'the response is empty')
  await app.app.storage.write((tx) =>
    changeRow(tx, 'source', { id: body.id, login: 'c2VhbGVkIGVsc2V3aGVyZSB3aXRoIGEga2V5IG9mIHRoZWlycw' }),
  )
  assert.match(await problem(), /its password was stored with another key/)
})
