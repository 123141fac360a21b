import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApp } from '../support/app.ts'
import { closeBrowser, faultsInEveryLook, NO_BROWSER, visit, WAYS } from '../support/browser.ts'
import { sampleImage } from '../support/sample-image.ts'
import { openSections, signInAs } from '../support/sign-in.ts'

after(closeBrowser)

for (const { javaScriptEnabled, way } of WAYS) {
  test(`an editor signs in, publishes an event with a picture, and changes it, ${way}`, {
    skip: NO_BROWSER,
  }, async (t) => {
    const site = await openTestApp(t)
    const { page } = await visit(t, { javaScriptEnabled })
    await signInAs(page, site, 'editor')
    await page.goto(`${site.origin}/admin/events/new`)
    if (javaScriptEnabled) assert.deepEqual(await faultsInEveryLook(page), [])
    await page.locator('[name=title]').fill('Night of the museums')
    await page.locator('[name=start_date]').fill('2026-11-28')
    await page.locator('[name=end_date]').fill('2026-11-28')
    await page.locator('[name=venue]').fill('Harbour Hall')
    const buffer = await sampleImage(1)
    await page.locator('input[type=file]').setInputFiles({ name: 'poster.png', mimeType: 'image/png', buffer })
    await page.locator('button[name=action][value=publish]').click()
    await page.waitForURL(/done=published/)
    const visitor = await visit(t, { javaScriptEnabled })
    await visitor.page.goto(`${site.origin}/events/2026-11-28/`)
    await visitor.page.locator('a[href$="/event/night-of-the-museums/"]').first().click()
    await visitor.page.locator('.pic a img').waitFor()
    await openSections(page)
    await page.locator('[name=cost]').fill('€5')
    await page.locator('button[name=action][value=update]:visible').click()
    await page.waitForURL(/done=saved/)
    await visitor.page.reload()
    await visitor.page.getByText('€5').first().waitFor()
    await page.locator('button[name=action][value=trash]').click()
    await page.waitForURL(/done=/)
    const response = await visitor.page.reload()
    assert.ok([404, 410].includes(response?.status() ?? 0))
  })
}
