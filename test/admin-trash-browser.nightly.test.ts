import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { closeBrowser, faultsInEveryLook, NO_BROWSER, visit } from './support/browser.ts'
import { signedIn } from './support/signed-in.ts'

after(closeBrowser)

test('a category that was deleted in a browser is restored with a button, in the message and in the trash', {
  skip: NO_BROWSER,
  timeout: 1_800_000,
}, async (t) => {
  const { context, site, admin, page } = await signedIn(t)
  const { id } = (await site.call('administrator', 'POST', '/categories', { json: { name: 'Music' } })).body
  const when = { start_date: '2026-12-05 10:00', end_date: '2026-12-05 12:00', status: 'publish' }
  await site.call('administrator', 'POST', '/events', { json: { ...when, title: 'Choir', categories: [id] } })
  await page.goto(`${admin}/categories/${id}`)
  await page.getByRole('button', { name: 'Move to trash' }).click()
  await page.getByRole('status').filter({ hasText: 'Moved to trash' }).waitFor()
  assert.deepEqual(await faultsInEveryLook(page), [])
  const arabic = await visit(t, { locale: 'ar', storageState: await context.storageState() })
  await arabic.page.goto(page.url())
  assert.deepEqual(await faultsInEveryLook(arabic.page), [])
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.getByRole('status').filter({ hasText: 'Restored' }).waitFor()
  await page.getByRole('link', { name: 'Music', exact: true }).click()
  await page.getByRole('button', { name: 'Move to trash' }).click()
  // The screen is that of a phone by now.
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await page.getByRole('link', { name: 'Trash', exact: true }).click()
  assert.deepEqual(await faultsInEveryLook(page), [])
  await arabic.page.goto(page.url())
  assert.deepEqual(await faultsInEveryLook(arabic.page), [])
  await page.getByRole('button', { name: 'Restore: Music' }).click()
  await page.getByRole('status').filter({ hasText: 'Restored' }).waitFor()
  await page.getByRole('heading', { name: 'The trash is empty' }).waitFor()
  const { body } = await site.call('administrator', 'GET', `/categories/${id}`)
  assert.deepEqual([body.name, body.count], ['Music', 1])
})

test('a webhook that was deleted is brought back, and its secret is replaced only after a question', {
  skip: NO_BROWSER,
  timeout: 1_800_000,
}, async (t) => {
  const { context, site, admin, page } = await signedIn(t)
  const json = { url: 'https://search.example/in', events: ['event.created'], description: 'Search' }
  const hooks = `${site.origin}/kalends/v1/webhooks`
  const { id } = (await site.call('administrator', 'POST', hooks, { json })).body
  await page.goto(`${admin}/webhooks/${id}`)
  await page.getByRole('button', { name: 'Create new secret' }).click()
  await page.getByRole('heading', { name: 'Replace the secret of this webhook?', level: 1 }).waitFor()
  assert.deepEqual(await faultsInEveryLook(page), [])
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Move to trash' }).click()
  await page.getByRole('status').filter({ hasText: 'Moved to trash' }).waitFor()
  assert.deepEqual(await faultsInEveryLook(page), [])
  const arabic = await visit(t, { locale: 'ar', storageState: await context.storageState() })
  await arabic.page.goto(page.url())
  assert.deepEqual(await faultsInEveryLook(arabic.page), [])
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.getByRole('status').filter({ hasText: 'Restored' }).waitFor()
  assert.equal((await site.call('administrator', 'GET', hooks)).body.webhooks.length, 1)
})
