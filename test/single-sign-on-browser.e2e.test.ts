import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { closeBrowser, faultsInEveryLook, NO_BROWSER, SCREENS, visit } from './support/browser.ts'
import { signInAs } from './support/sign-in.ts'
import { siteWith } from './support/single-sign-on.ts'

after(closeBrowser)

test('somebody connects an account, signs in with it, and signs out there, too', { skip: NO_BROWSER }, async (t) => {
  const claims = { email: 'ada@club.example', name: 'Ada Byron' }
  const { site, providers } = await siteWith(t, { town: { behaviour: { claims } }, club: {} })
  const { page } = await visit(t)
  await signInAs(page, site, 'editor')
  const looked: string[] = []
  const look = async (name: string): Promise<void> => {
    looked.push(...(await faultsInEveryLook(page)).map((fault) => `${name}: ${fault}`))
    await page.setViewportSize(SCREENS.desktop)
    await page.emulateMedia({ colorScheme: 'light' })
  }
  await page.goto(`${site.origin}/admin/profile`)
  await page.getByRole('link', { name: 'Change', exact: true }).click()
  await look('identities')
  await page.getByRole('button', { name: 'Connect Town' }).click()
  await page.waitForURL(/done=connected/)
  assert.ok(await page.getByText('Account connected.').isVisible())
  assert.ok(await page.getByRole('cell', { name: 'ada@club.example' }).isVisible())
  await look('profile')
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.goto(`${site.origin}/admin/login?next=/admin/venues`)
  await look('login')
  await page.getByRole('link', { name: 'Sign in with Town' }).click()
  await page.waitForURL(`${site.origin}/admin/venues`)
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.waitForURL((url) => url.origin === providers['town']?.origin)
  await page.getByRole('button', { name: 'Yes' }).click()
  await page.waitForURL(`${site.origin}/admin/login?done=out`)
  await page.getByRole('link', { name: 'Sign in with Club' }).click()
  await page.getByRole('heading', { name: 'You aren’t signed in' }).waitFor()
  await look('refused')
  assert.deepEqual(looked, [])
})
