import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { closeBrowser, faultsInEveryLook, gotoWithoutScripts, NO_BROWSER } from './support/browser.ts'
import { openSections } from './support/sign-in.ts'
import { signedIn } from './support/signed-in.ts'

after(closeBrowser)

const MINUTES = { skip: NO_BROWSER, timeout: 240_000 }

test('a venue and organizers are picked or created with the keyboard alone', MINUTES, async (t) => {
  const { page, site, admin } = await signedIn(t)
  const made = async (path: string, json: object): Promise<number> =>
    (await site.call('administrator', 'POST', path, { json: { status: 'publish', ...json } })).body.id
  await made('/venues', { venue: 'Town hall', city: 'Bern' })
  const basel = await made('/venues', { venue: 'Town hall', city: 'Basel' })
  const club = await made('/organizers', { organizer: 'Rowing, sailing and tea club' })
  await page.goto(`${admin}/events/new`)
  await page.getByLabel('Title').fill('Regatta')
  const venue = page.getByLabel('Venue', { exact: true })
  await venue.pressSequentially('town')
  const inBasel = page.locator('.options').getByRole('option', { name: 'Town hall Basel' })
  await inBasel.waitFor()
  assert.equal(await venue.getAttribute('aria-expanded'), 'true')
  assert.deepEqual(await faultsInEveryLook(page), [])
  const steps =
    (await page.locator('.options').getByRole('option').allTextContents()).findIndex((text) => text.includes('Basel')) +
    1
  for (let step = 0; step < steps; step += 1) await page.keyboard.press('ArrowDown')
  assert.equal(await inBasel.getAttribute('aria-selected'), 'true')
  await page.keyboard.press('Enter')
  assert.equal(await venue.inputValue(), 'Town hall')
  await page.locator('#options-venue').waitFor({ state: 'hidden' })
  await openSections(page)
  const organizers = page.getByLabel('Organizers', { exact: true })
  await organizers.pressSequentially('Ann, row')
  await page.locator('.options').getByRole('option', { name: 'Rowing, sailing and tea club' }).click()
  assert.equal(await organizers.inputValue(), 'Ann, ')
  assert.equal(await page.getByRole('checkbox', { name: 'Rowing, sailing and tea club' }).isChecked(), true)
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.waitForURL(/done=published/)
  const { body } = await site.call('anonymous', 'GET', '/events?start_date=2026-11-01')
  const [{ venue: stored, organizer }] = body.events
  assert.equal(stored.id, basel)
  assert.deepEqual(
    organizer.map((one: { id: number; organizer: string }) => (one.id === club ? 'club' : one.organizer)).sort(),
    ['Ann', 'club'],
  )
})

test('what looks alike is offered beside the field, and taken with one button', MINUTES, async (t) => {
  const { page, site, admin } = await signedIn(t)
  const json = { venue: 'Felsenkeller', status: 'publish' }
  const { body } = await site.call('editor', 'POST', '/venues', { json })
  await page.goto(`${admin}/events/new`)
  await page.getByLabel('Venue', { exact: true }).pressSequentially('Felsenkeler')
  await page.getByLabel('Title').focus()
  await page.getByText('Felsenkeller already exists and looks the same.').waitFor()
  assert.deepEqual(await faultsInEveryLook(page), [])
  await page.getByRole('button', { name: 'Use Felsenkeller' }).click()
  assert.equal(await page.locator('[name=venue]').inputValue(), 'Felsenkeller')
  assert.equal(await page.locator('[name=venue_id]').inputValue(), String(body.id))
  assert.equal(await page.locator('.alike').count(), 0)
})

test('a copy offers no input of another event, and the end follows the start', MINUTES, async (t) => {
  const { page, site, admin } = await signedIn(t)
  const json = { title: 'Choir', start_date: '2026-12-05 10:00', end_date: '2026-12-05 12:00' }
  const { body } = await site.call('editor', 'POST', '/events', { json })
  page.on('dialog', (dialog) => void dialog.accept())
  await page.goto(`${admin}/events/new`)
  await page.getByLabel('Title').fill('Something else')
  await page.goto(`${admin}/events/new?copy=${body.id}`)
  await page.getByLabel('Starts').fill('2027-01-31')
  assert.equal(await page.getByLabel('Ends', { exact: true }).inputValue(), '2027-01-31')
  assert.equal(await page.getByRole('button', { name: 'Restore' }).count(), 0)
  await page.goto(`${admin}/events/new`)
  await page.getByRole('button', { name: 'Restore' }).waitFor()
})

test('what has no such name yet is created, and what is pressed elsewhere closes the list', MINUTES, async (t) => {
  const { page, site, admin } = await signedIn(t)
  await page.goto(`${admin}/events/new`)
  await page.getByLabel('Title').fill('Regatta')
  const venue = page.getByLabel('Venue', { exact: true })
  await venue.pressSequentially('Boathouse')
  const create = page.locator('.options').getByRole('option', { name: 'Create “Boathouse”' })
  await create.waitFor()
  await page.getByLabel('Title').click()
  await page.locator('#options-venue').waitFor({ state: 'hidden' })
  await venue.click()
  await page.keyboard.press('End')
  await page.keyboard.type('s')
  await page.locator('.options').getByRole('option', { name: 'Create “Boathouses”' }).click()
  await page.getByLabel('City', { exact: true }).fill('Thun')
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.waitForURL(/done=published/)
  const { body } = await site.call('anonymous', 'GET', '/venues')
  assert.deepEqual([body.venues.length, body.venues[0].venue, body.venues[0].city], [1, 'Boathouses', 'Thun'])
})

test('from right to left and without scripts names are chosen as well', MINUTES, async (t) => {
  const { page, context, site, admin } = await signedIn(t)
  await site.call('administrator', 'POST', '/venues', { json: { venue: 'قاعة البلدية', status: 'publish' } })
  await gotoWithoutScripts(page, `${admin}/events/new`)
  const venue = page.locator('input[name="venue"]')
  assert.equal(await venue.getAttribute('list'), 'venues')
  assert.equal(await page.locator('#venues option').count(), 1)
  assert.equal(await page.locator('#options-venue').isVisible(), false)
  await context.setExtraHTTPHeaders({ 'accept-language': 'ar' })
  await page.goto(`${admin}/events/new`)
  await venue.pressSequentially('قاعة')
  await page.locator('.options').getByRole('option').first().waitFor()
  assert.deepEqual(await faultsInEveryLook(page), [])
  await page.locator('.options').getByRole('option').first().click()
  assert.equal(await venue.inputValue(), 'قاعة البلدية')
})
