import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { openTestApp } from './support/app.ts'
import { assertFits, closeBrowser, NO_BROWSER, violations, visit } from './support/browser.ts'

after(closeBrowser)

const SOON = { start_date: '2026-12-03 19:00:00', end_date: '2026-12-03 22:00:00' }

test('search pages name venues, categories and events, and suggest them while typing', {
  skip: NO_BROWSER,
}, async (t) => {
  const site = await openTestApp(t)
  const venue = { venue: 'Felsenkeller', city: 'Leipzig', status: 'publish' }
  const create = (json: object) => site.call('editor', 'POST', '/events', { json })
  await create({ title: 'Quartet', venue, categories: ['Jazz'], ...SOON })
  await create({ title: 'Trio', venue, event_status: 'canceled', ...SOON })
  await create({ title: 'Old duo', venue, start_date: '2026-10-03 19:00:00', end_date: '2026-10-03 22:00:00' })
  const { page } = await visit(t, { viewport: { width: 390, height: 844 } })
  await page.goto(`${site.origin}/search?q=felsenkeler`)
  const headings = await page.locator('main h2').allTextContents()
  assert.deepEqual(
    headings.filter((text) => /Venues|Events|Canceled|Past/.test(text)),
    ['Venues', 'Events', 'Canceled', 'Past events'],
  )
  assert.deepEqual(await page.locator('main .card h3').allTextContents(), ['Quartet', 'Trio', 'Old duo'])
  assert.deepEqual(await violations(page), [])
  await assertFits(page, 'search')
  await page.goto(`${site.origin}/`)
  const field = page.getByRole('searchbox').or(page.getByRole('combobox')).first()
  await field.click()
  await field.pressSequentially('fels', { delay: 30 })
  const options = page.getByRole('option')
  await options.first().waitFor()
  assert.match((await options.allTextContents()).join('|'), /^Felsenkeller Leipzig\|Quartet Dec 3\|/)
  assert.deepEqual(await violations(page), [])
  await page.screenshot({ path: process.env['SHOT'] ?? '/dev/null' }).catch(() => undefined)
  await field.press('ArrowDown')
  await field.press('Enter')
  await page.waitForURL('**/venue/felsenkeller/')
})
