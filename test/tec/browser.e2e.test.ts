import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { openTestApp } from '../support/app.ts'
import { closeBrowser, NO_BROWSER, visit } from '../support/browser.ts'
import { tecClient } from '../support/tec.ts'

after(closeBrowser)

/** Origins of pages that are not the server's: one that may write, and any other. */
const [listed, stranger] = await Promise.all([openOrigin(), openOrigin()])
const app = await openTestApp({ after }, { corsOrigins: listed })
const tec = tecClient(app)

/** Serves an empty page; the origin. */
async function openOrigin(): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><link rel="icon" href="data:,">')
  }).listen(0, '127.0.0.1')
  after(() => server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** What a page of another origin sees of an answer. */
interface Seen {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the test asserts
  readonly body: any
}

test('must hold 9: a page of another origin reads lists and their headers, and writes', {
  skip: NO_BROWSER,
}, async (t) => {
  for (const title of ['One', 'Two', 'Three'])
    await tec.create('/events', { title, start_date: '2031-05-06 17:00:00', duration: 3600 })
  const { page } = await visit(t, { provokes: /403|410/ })
  const ask = (method: string, path: string, json?: object): Promise<Seen> =>
    page.evaluate(
      async ({ url, method, authorization, text }) => {
        const headers = {
          ...{ 'x-tec-eea': 'I understand.', authorization },
          ...(text === undefined ? {} : { 'content-type': 'application/json' }),
        }
        const answer = await fetch(url, { method, headers, ...(text !== undefined && { body: text }) })
        return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.json() }
      },
      { url: tec.url(path), method, authorization: app.authorization('editor'), text: json && JSON.stringify(json) },
    )
  for (const origin of [listed, stranger]) {
    await page.goto(`${origin}/`)
    const list = await ask('GET', '/events?per_page=2')
    assert.deepEqual([list.status, list.body.length], [200, 2])
    for (const [name, value] of [
      ['x-wp-total', '3'],
      ['x-wp-totalpages', '2'],
      ['x-tec-total', '3'],
      ['x-tec-totalpages', '2'],
    ] as const)
      assert.equal(list.headers[name], value, name)
    assert.match(list.headers['link'] ?? '', /rel="next"/)
    assert.ok(list.headers['etag'])
  }
  assert.equal((await ask('POST', '/organizers', { title: 'Club' })).body.code, 'rest_cross_origin')
  await page.goto(`${listed}/`)
  const made = await ask('POST', '/organizers', { title: 'Club' })
  assert.deepEqual([made.status, made.headers['location']], [201, tec.url(`/organizers/${made.body.id}`)])
  const changed = await ask('PUT', `/organizers/${made.body.id}`, { phone: '1' })
  assert.deepEqual([changed.status, changed.body.phone], [200, '1'])
  assert.deepEqual((await ask('PATCH', `/organizers/${made.body.id}`, { phone: '2' })).body.phone, '2')
  assert.deepEqual((await ask('DELETE', `/organizers/${made.body.id}`)).body, [])
  assert.equal((await ask('DELETE', `/organizers/${made.body.id}`)).status, 410)
})
