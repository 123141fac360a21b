import assert from 'node:assert/strict'
import { test } from 'node:test'
import { visitor } from './support/admin.ts'
import { openTestApp, type TestApp } from './support/app.ts'
import { fill } from './support/filled.ts'

/** Elements of a head that name their target for those who read it elsewhere. */
const ABSOLUTE = /<link [^>]*rel="(?:canonical|alternate|https:\/\/api\.w\.org\/)"[^>]*>|<meta [^>]*>/g

const DATA = /<script type="application\/ld\+json">.*?<\/script>/g

/** Code for pages elsewhere, and messages that are written elsewhere. */
const ELSEWHERE =
  /<pre class="code"[\s\S]*?<\/pre>|<a href="(?:mailto:|https:\/\/(?:calendar\.google|outlook\.|calendar\.yahoo)|webcal:)[^>]*>|<input class="copy"[^>]*>/g

/** The targets of links, forms, images, styles and scripts, and addresses that scripts find in attributes. */
const TARGETS = / (?:href|src|action|formaction|poster|data-[a-z-]+)="([^"]*)"| srcset="([^"]*)"/g

function targetsIn(page: string): string[] {
  const own = page.replaceAll(ABSOLUTE, '').replaceAll(DATA, '').replaceAll(ELSEWHERE, '')
  return [...own.matchAll(TARGETS)].flatMap(([, one, several = '']) =>
    one === undefined ? several.split(', ').map((part) => part.split(' ')[0] ?? '') : [one.replaceAll('&amp;', '&')],
  )
}

/** Views by dates lead to those before and after them for ever. */
const ENDLESS =
  /start_date=|\/events\/(?:week\/)?\d{4}|\/(?:venue|organizer|series|category|tag)\/.*\/\d{4}|\/week\/|[?&]page=/

/** Follows every link of pages that stays on the server that is asked, and asserts that none names the public one. */
async function walk(app: TestApp, publicUrl: string, first: readonly string[]): Promise<number> {
  const seen = new Set(first)
  let pages = 0
  for (const path of seen) {
    const response = await fetch(app.origin + path, { redirect: 'manual' })
    const location = response.headers.get('location')
    if (location !== null) {
      assert.ok(location.startsWith('/'), `${path} leads to ${location}`)
      seen.add(location)
      continue
    }
    assert.ok(response.status === 200, `${path}: ${response.status}`)
    const text = await response.text()
    if (response.headers.get('content-type')?.startsWith('text/html') !== true) continue
    pages += 1
    for (const target of targetsIn(text)) {
      assert.ok(!target.includes(publicUrl), `${path} has ${target}`)
      // Suggestions need words.
      const isOwn = target.startsWith('/') && !/^\/[a-z]{2}\/|\/kalends\/v1\/search$/.test(target)
      if (isOwn && !ENDLESS.test(target)) seen.add(target.split('#')[0] ?? '')
    }
  }
  return pages
}

test('pages work at every address of the server, whatever its public one is', async (t) => {
  const publicUrl = 'https://public.example/calendar'
  const app = await openTestApp(t, { baseUrl: publicUrl })
  await fill(app)
  const pages = await walk(app, publicUrl, ['/', '/calendar/', '/calendar/events/month/', '/calendar/embed/'])
  assert.ok(pages > 20, String(pages))
  const home = await (await fetch(`${app.origin}/`)).text()
  assert.ok(home.includes(`<link rel="canonical" href="${publicUrl}/">`))
  assert.match(home, /<link rel="stylesheet" href="\/calendar\/assets\/site\./)
  const sent = {
    method: 'POST',
    headers: { origin: app.origin },
    body: new URLSearchParams({ name: 'a', password: 'b' }),
  }
  assert.equal((await fetch(`${app.origin}/admin/login`, sent)).status, 401, 'people sign in there too')
  const api = await app.call('anonymous', 'GET', `${app.origin}/calendar/cal/events/v1/events`)
  assert.ok(api.body.events[0].url.startsWith(`${publicUrl}/event/`))
})

test('the administration stays below the path of the public address, where a proxy passes on nothing else', async (t) => {
  const app = await openTestApp(t, { baseUrl: 'https://public.example/calendar' })
  await fill(app)
  const nobody = await fetch(`${app.origin}/admin/events`, { redirect: 'manual' })
  assert.equal(nobody.headers.get('location'), '/calendar/admin/login?next=%2Fadmin%2Fevents')
  const { show } = await visitor(app, 'administrator')
  const seen = new Set(['/calendar/admin', '/calendar/admin/login', '/calendar/admin/events/new'])
  let pages = 0
  for (const path of seen) {
    const { status, headers, text } = await show(path)
    assert.ok(status === 200 || headers.get('location')?.startsWith('/calendar/'), `${path}: ${status}`)
    if (path.startsWith('/calendar/assets/admin-')) assert.doesNotMatch(text, /['"`]\/(?:admin|kalends|cal)\//, path)
    if (headers.get('content-type')?.startsWith('text/html') !== true) continue
    pages += 1
    for (const target of targetsIn(text).filter((one) => one.startsWith('/'))) {
      assert.match(target, /^\/calendar\/(?!calendar\/)/, `${path} has ${target}`)
      if (/^\/calendar\/(?:admin|assets)\b/.test(target) && !/[?&]|\/\d+/.test(target)) seen.add(target)
    }
  }
  assert.ok(pages > 15, String(pages))
})
