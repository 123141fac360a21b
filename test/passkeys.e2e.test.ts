import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { LANGUAGES } from '../src/base/i18n/languages.ts'
import { closeBrowser, faultsInEveryLook, NO_BROWSER, SCREENS } from './support/browser.ts'
import { PASSWORD } from './support/known-password.ts'
import { passkeySite } from './support/passkeys.ts'
import { signInAs } from './support/sign-in.ts'

after(closeBrowser)

const MINUTES = { skip: NO_BROWSER, timeout: 600_000 }
const PAGE = '/admin/profile/sign-in'

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
}

async function signOut(page: Page): Promise<void> {
  await press(page, 'Sign out')
  await page.getByText('You’re signed out.').waitFor()
}

/** Whether browsers offer a passkey at once is theirs to decide; here whoever signs in asks for it. */
async function withoutOffers(page: Page): Promise<void> {
  await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false')
}

test('a passkey is registered, used, renamed and removed', MINUTES, async (t) => {
  const { page, site } = await passkeySite(t)
  await withoutOffers(page)
  await signInAs(page, site, 'editor')
  site.clock.now += 11 * 60_000
  await page.goto(`${site.origin}/admin/profile`)
  await page.getByRole('link', { name: 'Passkeys and password' }).click()
  await page.getByRole('heading', { name: 'Confirm it’s you' }).waitFor()
  await page.getByLabel('Password').fill(PASSWORD)
  await press(page, 'Confirm')
  await page.getByLabel('Name').fill('Laptop')
  await press(page, 'Add a passkey')
  await page.getByText('Saved').waitFor()
  await signOut(page)
  await press(page, 'Sign in with a passkey')
  await page.waitForURL(/\/admin$/)
  site.clock.now += 11 * 60_000
  await page.goto(site.origin + PAGE)
  await press(page, 'Confirm with a passkey')
  await page.getByRole('textbox', { name: 'Name' }).first().fill('Work laptop')
  await press(page, 'Rename Laptop')
  await page.getByText('Saved').waitFor()
  assert.doesNotMatch((await page.getByRole('row').nth(1).textContent()) ?? '', /–/)
  await press(page, 'Remove Work laptop')
  await page.getByRole('heading', { name: 'Remove the passkey Work laptop?' }).waitFor()
  await press(page, 'Remove')
  await page.getByText('Saved').waitFor()
  assert.equal(await page.getByRole('row').count(), 0)
  await signOut(page)
  await press(page, 'Sign in with a passkey')
  await page.getByText('The passkey wasn’t accepted. Try again.').waitFor()
})

test('a page that was open for more than ten minutes asks again who it is', MINUTES, async (t) => {
  const { page, site } = await passkeySite(t, { provokes: /admin\/profile\/sign-in: .*status of 403/ })
  await withoutOffers(page)
  await signInAs(page, site, 'editor')
  await page.goto(site.origin + PAGE)
  site.clock.now += 11 * 60_000
  await press(page, 'Add a passkey')
  await page.getByRole('heading', { name: 'Confirm it’s you' }).waitFor()
})

test('the field of the name offers passkeys', MINUTES, async (t) => {
  const { page, site } = await passkeySite(t)
  await signInAs(page, site, 'editor')
  await page.goto(site.origin + PAGE)
  await press(page, 'Add a passkey')
  await page.getByText('Saved').waitFor()
  await page.goto(`${site.origin}/admin`)
  await press(page, 'Sign out')
  await page.waitForURL(/\/admin$/)
})

test('somebody without passkeys on this device reads that it failed', MINUTES, async (t) => {
  const { page, site, authenticator } = await passkeySite(t)
  await page.goto(`${site.origin}/admin/login`)
  const { session, id: authenticatorId } = authenticator
  await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await press(page, 'Sign in with a passkey')
  await page.getByRole('alert').getByText('The passkey wasn’t accepted. Try again.').waitFor()
})

test('the pages of passkeys read well in every look and language', MINUTES, async (t) => {
  const { page, site } = await passkeySite(t)
  await withoutOffers(page)
  await signInAs(page, site, 'editor')
  await page.goto(site.origin + PAGE)
  await press(page, 'Add a passkey')
  await page.getByText('Saved').waitFor()
  for (const language of LANGUAGES) {
    for (const path of [PAGE, '/admin/profile', `/admin/confirm?next=${PAGE}`]) {
      await page.goto(`${site.origin}/${language}${path}`)
      if (language === 'en') assert.deepEqual(await faultsInEveryLook(page), [], path)
      if (process.env['SHOTS'])
        await page.screenshot({
          path: `/tmp/passkeys-shot-${language}-${path.replace(/\W+/g, '_')}.png`,
          fullPage: true,
        })
    }
  }
  await page.goto(site.origin + PAGE)
  await press(page, 'Remove password')
  await press(page, 'Remove password')
  await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()
  assert.deepEqual(await faultsInEveryLook(page), [])
  if (process.env['SHOTS']) await page.screenshot({ path: `/tmp/passkeys-shot-codes.png`, fullPage: true })
  await page.getByRole('link', { name: 'Continue' }).click()
  assert.deepEqual(await faultsInEveryLook(page), [])
  if (process.env['SHOTS']) await page.screenshot({ path: `/tmp/passkeys-shot-nopw.png`, fullPage: true })
  await page.setViewportSize(SCREENS.desktop)
  await signOut(page)
  assert.deepEqual(await faultsInEveryLook(page), [])
  if (process.env['SHOTS']) await page.screenshot({ path: `/tmp/passkeys-shot-login.png`, fullPage: true })
})
