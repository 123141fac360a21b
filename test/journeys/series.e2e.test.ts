import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { TestApp } from '../support/app.ts'
import { closeBrowser, NO_BROWSER, violations } from '../support/browser.ts'
import { openSections } from '../support/sign-in.ts'
import { signedIn } from '../support/signed-in.ts'

after(closeBrowser)

async function datesOf({ call }: TestApp): Promise<readonly { readonly id: number; readonly title: string }[]> {
  return (await call('anonymous', 'GET', '/events?start_date=2026-11-01')).body.events
}

test('an editor writes a series, and changes one date, all dates, and all from one on', {
  skip: NO_BROWSER,
}, async (t) => {
  const { page, site, admin } = await signedIn(t)
  const titles = async () => (await datesOf(site)).map(({ title }) => title)
  await page.goto(`${admin}/events/new`)
  await page.locator('[name=title]').fill('Choir')
  await page.locator('[name=start_date]').fill('2026-12-04')
  await page.locator('[name=end_date]').fill('2026-12-04')
  await openSections(page)
  await page.locator('[name=repeat]').selectOption('WEEKLY')
  await page.locator('[name=repeat_end]').selectOption('count')
  await page.locator('[name=repeat_count]').fill('3')
  await page.locator('repeat-preview').getByText('2026').first().waitFor()
  assert.deepEqual(await violations(page), [])
  await page.locator('button[name=action][value=publish]').click()
  await page.waitForURL(/done=published/)
  const [first, second, third] = await datesOf(site)
  const change = async (id: number | undefined, title: string, scope: string): Promise<void> => {
    await page.goto(`${admin}/events/${id}`)
    await page.locator('[name=title]').fill(title)
    await page.locator(`[name=scope][value=${scope}]`).check()
    await page.locator('button[name=action][value=update]:visible').click()
    await page.waitForURL(/done=saved/)
  }
  await change(second?.id, 'Guests', 'this')
  assert.deepEqual(await titles(), ['Choir', 'Guests', 'Choir'])
  await change(first?.id, 'Chamber choir', 'all')
  assert.deepEqual(await titles(), ['Chamber choir', 'Guests', 'Chamber choir'])
  await change(third?.id, 'Opera', 'following')
  assert.deepEqual(await titles(), ['Chamber choir', 'Guests', 'Opera'])
})
