import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApp } from './support/app.ts'
import {
  closeBrowser,
  faultsInEveryLook,
  gotoWithoutScripts,
  NO_BROWSER,
  SCREENS,
  violations,
  visit,
} from './support/browser.ts'
import { ONLY_NIGHTLY } from './support/draws.ts'
import { openDataFolder, startServer } from './support/server.ts'

after(closeBrowser)

/** The guides that the list of the reference begins with. */
const GUIDES = ['getting-started', 'filters', 'writing-events', 'subscribing', 'moving', 'operate', 'config']

test('the reference lists every request and sends them as the person who is signed in', {
  skip: NO_BROWSER,
  timeout: 240_000,
}, async (t) => {
  const server = await startServer(await openDataFolder(t))
  const { page } = await visit(t, { viewport: SCREENS.desktop })
  await page.goto(/Set up {4}(\S+)/.exec(server.output())?.[1] ?? '')
  await page.getByLabel('Site name').fill('Harbour')
  await page.getByLabel('Name', { exact: true }).fill('Ada')
  await page.getByLabel('Password').fill('seven quiet otters')
  await page.getByRole('button', { name: 'Set up calendar' }).click()
  await page.getByLabel('Title').waitFor()
  await page.goto(`${server.origin}/reference/`)
  const operation = page.locator('.opblock-post').filter({ hasText: '/tags' }).first()
  await operation.locator('.opblock-summary-control').click()
  await operation.getByRole('button', { name: 'Try it out' }).click()
  await operation.locator('textarea').first().fill('{"name": "Open air"}')
  await operation.getByRole('button', { name: 'Execute' }).click()
  const status = operation.locator('.live-responses-table .response .response-col_status')
  assert.match((await status.textContent()) ?? '', /^201/)
  const tags = (await (await fetch(`${server.origin}/cal/events/v1/tags?hide_empty=false`)).json()) as {
    tags: { name: string }[]
  }
  assert.deepEqual(
    tags.tags.map(({ name }) => name),
    ['Open air'],
  )
  assert.deepEqual(await violations(page), [])
})

for (const language of ['en', 'ar']) {
  test(`axe finds nothing on the reference and its guides in ${language}, on any screen, light or dark`, {
    skip: NO_BROWSER || (language !== 'en' && ONLY_NIGHTLY),
    timeout: 600_000,
  }, async (t) => {
    const app = await openTestApp(t)
    const { page } = await visit(t)
    for (const path of [
      '/reference/',
      '/reference/?api=kalends/v1',
      ...GUIDES.map((one) => `/reference/guides/${one}/`),
    ]) {
      await page.goto(`${app.origin}/${language}${path}`)
      if (!path.includes('guides')) await page.locator('.opblock').first().waitFor()
      assert.deepEqual(await faultsInEveryLook(page), [], path)
    }
  })
}

test('axe finds nothing on the guides without scripts, on any screen, light or dark', {
  skip: NO_BROWSER || ONLY_NIGHTLY,
  timeout: 600_000,
}, async (t) => {
  const app = await openTestApp(t)
  const { page } = await visit(t)
  for (const path of ['/reference/', ...GUIDES.map((one) => `/reference/guides/${one}/`)]) {
    await gotoWithoutScripts(page, `${app.origin}/en${path}`)
    assert.deepEqual(await faultsInEveryLook(page), [], path)
  }
})

test('guides are pages without scripts, whose links lead to the other guides', async (t) => {
  const app = await openTestApp(t)
  const get = async (path: string) => app.call('anonymous', 'GET', app.origin + path)
  const { body } = await get('/de/reference/')
  const guides = [...String(body).matchAll(/href="([^"]*\/reference\/guides\/[^"]*)"/g)].map(([, href = '']) => href)
  assert.ok(guides.length > 15)
  for (const guide of guides) {
    const { status, body: page } = await get(guide)
    assert.equal(status, 200, guide)
    const article = /<article class="guide prose" lang="en" dir="ltr">([\s\S]*?)<\/article>/.exec(page)?.[1] ?? ''
    assert.match(article, /^\s*<h1 id="[\w-]+">/, guide)
    assert.doesNotMatch(article, /<script|\.md["#]/, guide)
    for (const [, href = ''] of article.matchAll(/<a href="([^"]*)"/g))
      assert.match(href, /^(https?:|\/de\/reference\/|#)/, guide)
  }
  assert.match(
    String((await get('/reference/guides/getting-started/')).body),
    /href="[^"]*\/reference\/guides\/filters\/"/,
  )
  for (const missing of ['nothing', '..%2fpackage', 'notes']) {
    assert.equal((await get(`/reference/guides/${missing}/`)).status, 404, missing)
  }
})

test('files of libraries are served under names with their digests, and nothing else of a package', async (t) => {
  const app = await openTestApp(t)
  const { body } = await app.call('anonymous', 'GET', `${app.origin}/reference/`)
  const files = [...String(body).matchAll(/"([^"]*\/assets\/swagger-ui\.\w+\.(?:js|css))"/g)].map(
    ([, href = '']) => href,
  )
  assert.equal(files.length, 2)
  for (const file of files) {
    const { status, headers } = await app.call('anonymous', 'GET', app.origin + file)
    assert.equal(status, 200)
    assert.match(headers.get('cache-control') ?? '', /immutable/)
  }
  for (const other of ['swagger-ui.js', 'package.json', '..%2f..%2fnode_modules%2fswagger-ui-dist%2fpackage.json']) {
    assert.equal((await app.call('anonymous', 'GET', `${app.origin}/assets/${other}`)).status, 404)
  }
})
