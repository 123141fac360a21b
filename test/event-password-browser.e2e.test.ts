import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { openTestApp } from './support/app.ts'
import {
  closeBrowser,
  faultsInEveryLook,
  gotoWithoutScripts,
  NO_BROWSER,
  SCREENS,
  violations,
  visit,
  WAYS,
} from './support/browser.ts'
import { ONLY_NIGHTLY } from './support/draws.ts'

after(closeBrowser)

/** A calendar with a protected event: the origin of the calendar, and the path of the page of the event. */
async function withProtectedEvent(t: TestContext) {
  const { call, origin } = await openTestApp(t, { siteName: 'Harbourtown Calendar' })
  const times = { start_date: '2026-12-05 19:00:00', end_date: '2026-12-05 22:00:00', status: 'publish' }
  const content = { description: '<p>Behind the bakery.</p>', venue: { venue: 'Cellar', city: 'Bern' } }
  const json = { title: 'Members’ evening', ...times, ...content, password: 'open sesame' }
  const { status, body } = await call('administrator', 'POST', '/events', { json })
  assert.equal(status, 201)
  return { origin, path: `/event/${body.slug}/` }
}

for (const locale of ['en', 'ar']) {
  test(`axe finds nothing on the form of a password in ${locale}, nor on what it opens, on any screen, light or dark`, {
    skip: NO_BROWSER || ONLY_NIGHTLY,
    timeout: 600_000,
  }, async (t) => {
    const { origin, path } = await withProtectedEvent(t)
    const { page } = await visit(t)
    const address = `${origin}/${locale}${path}`
    await gotoWithoutScripts(page, address)
    assert.deepEqual(await faultsInEveryLook(page), [], 'without scripts')
    await page.goto(address)
    assert.deepEqual(await faultsInEveryLook(page), [], 'form')
    const field = page.locator('#password')
    await field.fill('sesame')
    await field.press('Enter')
    await page.locator('#password-wrong').waitFor()
    assert.deepEqual(await faultsInEveryLook(page), [], 'wrong')
    await field.fill('open sesame')
    await field.press('Enter')
    await page.getByText('Behind the bakery.').waitFor()
    assert.deepEqual(await faultsInEveryLook(page), [], 'opened')
  })
}

for (const { javaScriptEnabled, way: how } of WAYS) {
  test(`a visitor opens a protected event by keyboard, ${how}, and its address stays closed`, {
    skip: NO_BROWSER,
    timeout: 600_000,
  }, async (t) => {
    const { origin, path } = await withProtectedEvent(t)
    const { page } = await visit(t, { javaScriptEnabled, viewport: SCREENS.desktop })
    await page.goto(origin + path)
    const field = page.getByLabel('Password', { exact: true })
    await field.focus()
    await page.keyboard.type('sesame')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('This password is incorrect.').waitFor()
    assert.equal(await field.getAttribute('aria-describedby'), 'password-wrong')
    assert.equal(await field.inputValue(), '')
    // The field has the focus again.
    await page.locator('#password:focus').waitFor()
    if (javaScriptEnabled) assert.deepEqual(await violations(page), [])
    await page.keyboard.type('open sesame')
    await page.keyboard.press('Enter')
    await page.getByText('Behind the bakery.').waitFor()
    await page.getByRole('link', { name: 'Cellar' }).first().waitFor()
    assert.equal(await field.count(), 0)
    assert.equal(page.url(), origin + path)
    await page.goto(origin + path)
    await field.waitFor()
    assert.equal(await page.getByText('Behind the bakery.').count(), 0)
  })
}
