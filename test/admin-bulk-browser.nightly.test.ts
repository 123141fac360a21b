import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { closeBrowser, faultsInEveryLook, NO_BROWSER, visit } from './support/browser.ts'
import { signedIn } from './support/signed-in.ts'

after(closeBrowser)

test('everything that a list shows is changed in a browser, which follows that by itself and takes it back', {
  skip: NO_BROWSER,
  timeout: 1_800_000,
}, async (t) => {
  const { context, site, admin, page } = await signedIn(t)
  const json = { start_date: '2026-12-05 10:00', end_date: '2026-12-05 12:00', status: 'publish' }
  for (let number = 1; number <= 21; number += 1)
    await site.call('administrator', 'POST', '/events', { json: { ...json, title: `Choir ${number}` } })
  await page.goto(`${admin}/events?when=all`)
  assert.deepEqual(await faultsInEveryLook(page), [])
  await page.getByLabel('Select all 21 items on all pages').check()
  await page.getByLabel('With selected items').selectOption({ label: 'Move to trash' })
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('button', { name: 'Restore' }).waitFor()
  assert.deepEqual(await faultsInEveryLook(page), [])
  const arabic = await visit(t, { locale: 'ar', storageState: await context.storageState() })
  for (const address of [page.url(), `${admin}/system`]) {
    await arabic.page.goto(address)
    assert.deepEqual(await faultsInEveryLook(arabic.page), [])
  }
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.getByRole('heading', { name: 'Events: Restore', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await page.getByRole('link', { name: 'Choir 1', exact: true }).waitFor()
  await page.goto(`${admin}/system`)
  await page.getByRole('link', { name: 'Events: Move to trash' }).waitFor()
})
