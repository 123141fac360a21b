import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { closeBrowser, faultsInEveryLook, NO_BROWSER } from '../support/browser.ts'
import { signedIn } from '../support/signed-in.ts'

after(closeBrowser)

const TABLE = [
  'Event Name,Event Start Date,Event Start Time,Wo',
  'Regatta,2027-01-05,10:00,Pier',
  'Broken,some day,,',
  'Race,2027-01-06,11:00,Pier',
].join('\r\n')

test('an editor looks at what a file would bring, names a column, and imports it', { skip: NO_BROWSER }, async (t) => {
  const { site, admin, page } = await signedIn(t)
  await page.goto(`${admin}/import`)
  const buffer = Buffer.from(TABLE)
  await page.locator('input[type=file]').setInputFiles({ name: 'june.csv', mimeType: 'text/csv', buffer })
  await page.locator('select:has(option[value=publish])').selectOption('publish')
  await page.locator('form:has(input[type=file]) button').first().click()
  await page.locator('select[name="column-3"]').waitFor({ state: 'attached' })
  await page.getByRole('table').first().waitFor()
  assert.deepEqual(await faultsInEveryLook(page), [])
  assert.deepEqual((await site.call('anonymous', 'GET', '/events?start_date=2027-01-01')).body.events, [])
  await page.locator('select[name="column-3"]').selectOption('venue')
  await page.locator('form:has(select[name="column-3"]) button').click()
  await page.locator('select[name="column-3"] option[value="venue"][selected]').waitFor({ state: 'attached' })
  await page.locator('button[name=action][value=import]').click()
  await page.locator('button[name=action][value=import]').waitFor({ state: 'detached' })
  await page.getByText('june.csv').first().waitFor()
  for (;;) {
    const { body } = await site.call('anonymous', 'GET', '/events?start_date=2027-01-01')
    if (body.total < 2) continue
    assert.deepEqual(
      body.events.map((one: { title: string; venue: { venue: string } }) => [one.title, one.venue.venue]),
      [
        ['Regatta', 'Pier'],
        ['Race', 'Pier'],
      ],
    )
    return
  }
})
