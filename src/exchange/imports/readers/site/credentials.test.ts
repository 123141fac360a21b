import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test, { type TestContext } from 'node:test'
import { openTestApp } from '../../../../../test/support/app.ts'
import { openMadeSite } from '../../../../../test/support/made-site.ts'
import { EDITOR, importMade, madeEvent } from '../../../../../test/support/site-import.ts'

/** A page that names an API by its head or its headers, and notes the credentials that reach it. */
async function openPage(t: TestContext, html: string, headers: Readonly<Record<string, string>> = {}) {
  const got: string[] = []
  const server = createServer((request, response) => {
    if (request.headers.authorization !== undefined) got.push(request.url ?? '')
    if (request.url === '/') response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(html)
    else response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, got }
}

/** A calendar, and a site with one published event and one draft that notes what credentials it gets. */
async function open(t: TestContext) {
  const [app, site] = [await openTestApp(t), await openMadeSite(t)]
  site.content.users = [{ id: 1, name: 'Ada', slug: 'ada' }]
  site.content.events = [madeEvent(1), madeEvent(2, { status: 'draft' })]
  return { app, site, api: `${site.origin}/wp-json/tribe/events/v1` }
}

const NOT_SENT = /username and password were not sent; to send them there, import with --api /

for (const by of ['head', 'link header', 'root header', 'origin header'] as const) {
  test(`an API on another site that is named by ${by} gets no credentials, and the report says so`, async (t) => {
    const { app, site, api } = await open(t)
    // Whoever sends wrong ones is refused: it would be noticed.
    site.credentials = 'nobody:nothing'
    const link = `<link rel="https://api.w.org/" href="${site.origin}/wp-json/">`
    const headers: Readonly<Record<string, string>> = {
      head: {},
      'link header': { link: `<${site.origin}/wp-json/>; rel="https://api.w.org/"` },
      'root header': { 'x-tec-api-root': `${api}/` },
      'origin header': { 'x-tec-api-origin': site.origin },
    }[by]
    const page = await openPage(t, `<head>${by === 'head' ? link : ''}</head>`, headers)
    const report = await importMade(app, site, { ...EDITOR, address: page.origin })
    assert.deepEqual([report.counts.event.created, report.vanished], [1, []])
    assert.match(report.notes[0]?.why ?? '', NOT_SENT)
  })
}

test('--api names the API, which gets the credentials; what the page names does not matter', async (t) => {
  const { app, site, api } = await open(t)
  const page = await openPage(t, '<head></head>')
  for (const named of [`${site.origin}/wp-json/`, `${site.origin}/wp-json`, api, `${api}/`, `${api}/events`]) {
    const report = await importMade(app, site, { ...EDITOR, address: page.origin, api: named })
    assert.deepEqual([report.api, report.counts.event.found, report.skipped], [`${api}`, 2, []], named)
  }
  assert.deepEqual(page.got, [])
})

test('credentials in the address of a site are used, and never shown', async (t) => {
  const { app, site } = await open(t)
  const address = site.origin.replace('http://', 'http://admin:secret@')
  const report = await importMade(app, site, { address })
  assert.equal(report.counts.event.created, 2)
  assert.doesNotMatch(JSON.stringify(report), /secret/)
  const wrong = site.origin.replace('http://', 'http://admin:letmein@')
  await assert.rejects(importMade(app, site, { address: wrong }), (error: Error & { code: string; slots: object }) => {
    assert.equal(error.code, 'site_refuses')
    assert.doesNotMatch(`${error.message} ${JSON.stringify(error.slots)}`, /letmein/)
    return true
  })
})

test('an API that sends its requests on to another site does not send the credentials along', async (t) => {
  const { app, site } = await open(t)
  const elsewhere = await openPage(t, '')
  site.trouble = (path) =>
    path.includes('status=draft')
      ? { kind: 'status', status: 307, headers: { location: `${elsewhere.origin}/events` } }
      : undefined
  const report = await importMade(app, site, EDITOR)
  assert.deepEqual([report.counts.event.created, elsewhere.got], [1, []])
})
