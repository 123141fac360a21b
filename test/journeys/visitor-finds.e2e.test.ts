import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApp } from '../support/app.ts'
import { closeBrowser, NO_BROWSER, SCREENS, violations, visit, WAYS } from '../support/browser.ts'

after(closeBrowser)

for (const { javaScriptEnabled, way } of WAYS) {
  test(`a visitor finds an event and subscribes to the calendar, ${way}`, { skip: NO_BROWSER }, async (t) => {
    const site = await openTestApp(t)
    for (const title of ['Harbour Jazz Night', 'Poetry Slam']) {
      const times = { start_date: '2026-11-28 19:30', end_date: '2026-11-28 22:30' }
      const json = { title, ...times, categories: [title.split(' ')[0]], venue: { venue: 'Pier 7' } }
      assert.equal((await site.call('administrator', 'POST', '/events', { json })).status, 201)
    }
    const { page } = await visit(t, { javaScriptEnabled, viewport: SCREENS.phone })
    await page.goto(site.origin)
    await page.locator('[name=q]').first().fill('poetry')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/search\?q=poetry/)
    assert.deepEqual(await page.locator('.card .title').allTextContents(), ['Poetry Slam'])
    await page.locator('.card .title').click()
    await page.waitForURL(/\/event\/poetry-slam\/$/)
    assert.match((await page.locator('main').textContent()) ?? '', /Pier 7/)
    if (javaScriptEnabled) assert.deepEqual(await violations(page), [])
    await page.goto(`${site.origin}/events/2026-11/#d-2026-11-28`)
    await page.locator('a[href$="/event/harbour-jazz-night/"] >> visible=true').first().click()
    await page.waitForURL(/\/event\/harbour-jazz-night\/$/)
    const file = await page.locator('a', { hasText: 'Apple and others (.ics)' }).first().getAttribute('href')
    assert.match(
      (await site.call('anonymous', 'GET', new URL(file ?? '', site.origin).href)).body,
      /SUMMARY:Harbour Jazz Night/,
    )
    await page.goto(`${site.origin}/events/`)
    const address = (await page.locator('a[href^="webcal:"]').first().getAttribute('href')) ?? ''
    const { body } = await site.call('anonymous', 'GET', address.replace('webcal:', 'http:'))
    assert.match(body, /SUMMARY:Harbour Jazz Night[\s\S]*SUMMARY:Poetry Slam|SUMMARY:Poetry Slam[\s\S]*SUMMARY:Harbour/)
  })
}
