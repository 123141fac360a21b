import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { closeBrowser, faultsInEveryLook, NO_BROWSER, visit } from './support/browser.ts'
import { signedIn } from './support/signed-in.ts'

after(closeBrowser)

const WHEN = { start_date: '2026-12-01 18:00', end_date: '2026-12-01 19:00', status: 'publish' }

for (const locale of ['en', 'ar'])
  test(`two versions side by side break no rule of accessibility in any look, in ${locale}`, {
    skip: NO_BROWSER,
    timeout: 1_800_000,
  }, async (t) => {
    const { context, site, admin } = await signedIn(t)
    const { body } = await site.call('administrator', 'POST', '/events', { json: { title: 'Regatta', ...WHEN } })
    const { page } = await visit(t, { locale, storageState: await context.storageState() })
    await page.goto(`${admin}/events/${body.id}`)
    const theirs = { cost: '5', venue: { venue: 'Hall' }, description: '<h2>Programme</h2><p>Some words</p>' }
    await site.call('administrator', 'POST', `/events/${body.id}`, { json: theirs })
    await page.locator('[name=title]').fill('Great regatta')
    await page.locator('button[value=update]:visible').click()
    await page.locator('.versions').first().waitFor()
    assert.deepEqual(await faultsInEveryLook(page), [])
    assert.equal(await page.locator('html').getAttribute('dir'), locale === 'ar' ? 'rtl' : 'ltr')
  })
