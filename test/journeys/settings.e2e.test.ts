import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { closeBrowser, faultsInEveryLook, NO_BROWSER, visit } from '../support/browser.ts'
import { signedIn } from '../support/signed-in.ts'

after(closeBrowser)

test('an administrator names the calendar, lets visitors submit events, and visitors see both', {
  skip: NO_BROWSER,
}, async (t) => {
  const { page, site, admin } = await signedIn(t)
  const visitor = await visit(t)
  await visitor.page.goto(`${site.origin}/`)
  assert.equal(await visitor.page.locator('a[href$="/submit/"]').count(), 0)
  await page.goto(`${admin}/settings`)
  assert.deepEqual(await faultsInEveryLook(page), [])
  await page.locator('[name=siteName]').fill('Harbour')
  await page.locator('[name=submissions]').selectOption('yes')
  await page.locator('form .publish button').click()
  await page.waitForURL(/done=saved/)
  await visitor.page.reload()
  assert.match(await visitor.page.title(), /Harbour/)
  await visitor.page.locator('a[href$="/submit/"]').first().click()
  await visitor.page.locator('form.submit').waitFor()
})
