import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { openTestApp, type TestApp } from './support/app.ts'
import { closeBrowser, NO_BROWSER, SCREENS, type Visit, violations, visit } from './support/browser.ts'
import { type Exhibition, fillExhibition } from './support/exhibition.ts'

let tiles: Server
let host = ''
const asked: string[] = []
let app: TestApp
let shown: Exhibition
let hostile = ''
const ends: (() => Promise<void>)[] = []

/** Neither runs nor breaks a popup. */
const ATTACK = `"><img src=x onerror="window.hit=1"><script>window.hit=1</script>${'W'.repeat(100)}`

before(async () => {
  if (NO_BROWSER !== false) return
  const tile = await sharp({ create: { width: 256, height: 256, channels: 3, background: '#d8e4d0' } })
    .png()
    .toBuffer()
  tiles = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(200, { 'content-type': 'image/png' }).end(tile)
  })
  await new Promise<void>((resolve) => {
    tiles.listen(0, '127.0.0.1', () => resolve())
  })
  host = `127.0.0.1:${(tiles.address() as AddressInfo).port}`
  const flags = { mapTiles: `http://${host}/{z}/{x}/{y}.png`, mapAttribution: '© <b>Somebody</b> & others' }
  app = await openTestApp({ after: (step) => void ends.push(step) }, flags)
  shown = await fillExhibition(app)
  const venue = { venue: ATTACK, geo_lat: 40.75, geo_lng: -74.03 }
  const json = { title: ATTACK, start_date: '2026-11-21 10:00', end_date: '2026-11-21 11:00', venue }
  const made = await app.call('administrator', 'POST', '/events', { json })
  assert.equal(made.status, 201)
  hostile = new URL(made.body.url).pathname
})
after(async () => {
  await closeBrowser()
  for (const end of ends) await end()
  if (NO_BROWSER === false) await new Promise((resolve) => tiles.close(resolve))
})

async function assertFits({ page }: Visit, name: string): Promise<void> {
  const root = 'document.documentElement'
  const [wide = 0, screen = 0] = await page.evaluate<number[]>(`[${root}.scrollWidth, ${root}.clientWidth]`)
  assert.ok(wide <= screen, `${name}: ${wide} on a screen of ${screen}`)
}

for (const [language, screen, colorScheme] of [
  ['en', 'desktop', 'light'],
  ['en', 'phone', 'dark'],
  ['ar', 'phone', 'light'],
  ['ar', 'desktop', 'dark'],
] as const) {
  test(`a map is loaded when it is asked for, on ${screen} in ${language}, ${colorScheme}`, {
    skip: NO_BROWSER,
    timeout: 240_000,
  }, async (t) => {
    const seen = await visit(t, { viewport: SCREENS[screen], colorScheme })
    const { page } = seen
    const wanted: string[] = []
    page.on('request', (one) => {
      if (one.url().includes(host)) wanted.push(one.url())
    })
    for (const path of ['/events/map/', `/event/${shown.event.slug}/`, `/venue/${shown.venue.slug}/`, hostile]) {
      const name = `${language}${path.slice(0, 30)}`
      await page.goto(`${app.origin}/${language}${path}`)
      wanted.length = 0
      await page.locator('event-map button').waitFor()
      assert.deepEqual(await violations(page), [], name)
      assert.deepEqual(wanted, [], `${name} asks before anybody wants a map`)
      await page.locator('event-map button').click()
      await page.locator('.map img.leaflet-tile-loaded').first().waitFor({ state: 'attached' })
      assert.match(asked.at(-1) ?? '', /^\/\d+\/\d+\/\d+\.png$/)
      assert.match(
        (await page.locator('.leaflet-control-attribution').textContent()) ?? '',
        /© <b>Somebody<\/b> & others/,
      )
      assert.deepEqual(await violations(page), [], `${name} with its map`)
      const ground = await page.evaluate<string[]>(
        "[document.documentElement, document.querySelector('.leaflet-control-attribution')].map((one) => getComputedStyle(one).backgroundColor)",
      )
      assert.equal(ground[1], ground[0], `${name}: the colour below the names of those whose map it is`)
      await assertFits(seen, name)
      await page.locator('.map-pin').first().focus()
      await page.keyboard.press('Enter')
      await page.locator('.leaflet-popup-content strong').first().waitFor()
      // The page of a venue has nothing to lead to but itself.
      if (!path.startsWith('/venue/')) {
        const link = page.locator('.leaflet-popup-content a').first()
        assert.ok(await link.evaluate((one) => one === one.ownerDocument.activeElement), name)
      }
      await assertFits(seen, `${name} with what is told of a place`)
      assert.equal(await page.evaluate("'hit' in window"), false, name)
    }
  })
}

test('places are listed with ways to a map without scripts, and where the site has no maps', {
  skip: NO_BROWSER,
}, async (t) => {
  const { page } = await visit(t, { javaScriptEnabled: false })
  await page.goto(`${app.origin}/events/map/`)
  assert.equal(await page.locator('event-map').isVisible(), false)
  await page.getByRole('link', { name: 'Open map' }).first().waitFor()
  const without = await openTestApp(t)
  await fillExhibition(without)
  const { body } = await without.call('anonymous', 'GET', `${without.origin}/events/map/`)
  assert.match(String(body), /Old Customs House/)
  assert.doesNotMatch(String(body), /event-map/)
})
