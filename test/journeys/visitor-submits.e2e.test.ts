import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApp } from '../support/app.ts'
import { closeBrowser, faultsInEveryLook, NO_BROWSER, visit } from '../support/browser.ts'
import { signInAs } from '../support/sign-in.ts'

after(closeBrowser)

test('a visitor submits an event, and an editor publishes it from the queue', { skip: NO_BROWSER }, async (t) => {
  const site = await openTestApp(t, { submissions: 'yes' })
  assert.equal((await site.call('administrator', 'POST', '/venues', { json: { venue: 'Customs House' } })).status, 201)
  const { page } = await visit(t)
  await page.goto(`${site.origin}/events/`)
  await page.locator('a[href$="/submit/"]').first().click()
  assert.deepEqual(await faultsInEveryLook(page), [])
  const fill = (name: string, value: string) => page.locator(`.submit [name=${name}]`).fill(value)
  await fill('title', 'Lantern walk')
  await fill('description', 'Bring a light.')
  await fill('venue', 'Customs House')
  await fill('organizer', 'Night Club')
  await fill('submitter_name', 'Grace Hopper')
  await fill('submitter_email', 'nobody@nowhere')
  await page.locator('form.submit button').click()
  await page.locator('[role=alert]').waitFor()
  assert.equal(await page.locator('[name=title]').inputValue(), 'Lantern walk')
  await fill('submitter_email', 'grace@example.net')
  await page.locator('form.submit button').click()
  await page.waitForURL(/\/submit\/\?done=1&link=/)

  await signInAs(page, site, 'editor')
  await page.goto(`${site.origin}/admin/queue`)
  const row = page.getByRole('row').filter({ hasText: 'Lantern walk' })
  await row.getByText('grace@example.net').waitFor()
  await row.getByRole('checkbox').check()
  await page.locator('form:has(select[name=action]) select').selectOption('publish')
  await page.locator('form:has(select[name=action]) button.second').click()
  await page.getByRole('heading', { name: 'Tell whoever submitted the event' }).waitFor()
  await page.goto(`${site.origin}/events/`)
  await page.locator('a[href$="/event/lantern-walk/"]').first().click()
  await page.getByRole('link', { name: 'Night Club' }).waitFor()
  await page.getByRole('link', { name: 'Customs House' }).first().waitFor()
})
