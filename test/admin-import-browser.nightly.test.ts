import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { closeBrowser, faultsInEveryLook, NO_BROWSER, visit } from './support/browser.ts'
import { signedIn } from './support/signed-in.ts'

after(closeBrowser)

const TABLE = [
  'Event Name,Event Start Date,Event Start Time,Wo',
  'Regatta,2027-01-05,10:00,Pier',
  'Broken,some day,,',
  'Race,2027-01-06,11:00,Pier',
].join('\r\n')

test('a file is chosen, looked at and imported in a browser, which follows what goes on by itself', {
  skip: NO_BROWSER,
  timeout: 1_800_000,
}, async (t) => {
  const { context, site, admin, page } = await signedIn(t)
  await page.goto(`${admin}/events`)
  await page.getByRole('link', { name: 'Import', exact: true }).click()
  const buffer = Buffer.from(TABLE)
  await page.getByLabel('Event file').setInputFiles({ name: 'june.csv', mimeType: 'text/csv', buffer })
  await page.getByLabel('Status of new events').selectOption({ label: 'Public' })
  await page.getByRole('button', { name: 'Preview import' }).click()
  await page.getByRole('heading', { name: 'Preview of june.csv' }).waitFor()
  await page.getByRole('cell', { name: 'has a start that cannot be read: some day' }).waitFor()
  assert.deepEqual(await faultsInEveryLook(page), [])
  const arabic = await visit(t, { locale: 'ar', storageState: await context.storageState() })
  await arabic.page.goto(`${admin}/import`)
  assert.deepEqual(await faultsInEveryLook(arabic.page), [])
  await page.getByLabel('Wo', { exact: true }).selectOption({ label: 'Venue' })
  await page.getByRole('button', { name: 'Update preview' }).click()
  await page.locator('select[name="column-3"] option[value="venue"][selected]').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Start import' }).click()
  await page.getByRole('heading', { name: 'Imported june.csv' }).waitFor()
  assert.deepEqual(await faultsInEveryLook(page), [])
  const { body } = await site.call('anonymous', 'GET', '/events?start_date=2027-01-01')
  assert.deepEqual(
    body.events.map((one: { title: string; venue: { venue: string } }) => [one.title, one.venue.venue]),
    [
      ['Regatta', 'Pier'],
      ['Race', 'Pier'],
    ],
  )
})
