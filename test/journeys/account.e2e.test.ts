import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { findLogin } from '../../src/accounts/users/index.ts'
import { closeBrowser, NO_BROWSER, visit } from '../support/browser.ts'
import { authenticatorOf } from '../support/passkeys.ts'
import { signInAs } from '../support/sign-in.ts'
import { siteWith } from '../support/single-sign-on.ts'
import { mailFlags, openSmtp } from '../support/smtp.ts'
import { rowsOf } from '../support/storage.ts'

after(closeBrowser)

type Site = Awaited<ReturnType<typeof siteWith>>['site']

async function invite({ page }: { readonly page: Page }, site: Site): Promise<void> {
  await signInAs(page, site, 'administrator')
  await page.goto(`${site.origin}/admin/users`)
  await page.getByLabel('Username').fill('ada')
  await page.getByLabel('Email').fill('ada@example.org')
  await page.getByLabel('Role').selectOption('editor')
  await page.getByRole('button', { name: 'Create invitation' }).click()
  await page.getByText('A link was sent to ada@example.org').waitFor()
}

/** Whatever is kept of the person who is invited. */
async function stateOf({ app: { storage } }: Site) {
  const id = (await findLogin(storage, 'ada'))?.id ?? 0
  const own = (table: string) => rowsOf(storage, `select * from ${table} where user_id = ?`, id)
  return {
    users: await rowsOf(storage, 'select * from "user" where id = ?', id),
    links: await own('sign_in_link'),
    passwords: await own('user_password'),
    passkeys: await own('passkey'),
    sessions: await own('session'),
  }
}

/** Opens an address as programs do that look for harmful links. */
async function scan(address: string): Promise<void> {
  for (const method of ['GET', 'HEAD']) {
    const response = await fetch(address, { method, headers: { 'user-agent': 'Scanner' } })
    assert.equal(response.status, 200, method)
    await response.text()
  }
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByText('You’re signed out.').waitFor()
}

/** Whoever is signed in, by the page of the profile. */
async function assertAda(page: Page, { origin }: Site): Promise<void> {
  await page.goto(`${origin}/admin/profile`)
  await page.getByText('Your username is ada.').waitFor()
}

test('somebody who is invited by mail chooses a passkey, signs in with it, and then at a provider', {
  skip: NO_BROWSER,
}, async (t) => {
  const smtp = await openSmtp(t)
  const claims = { email: 'ada@club.example', name: 'Ada Byron' }
  const flags = { ...mailFlags(smtp), baseUrl: 'http://localhost' }
  const { site } = await siteWith(t, { town: { behaviour: { claims } } }, flags)
  await invite(await visit(t), site)
  const [mail] = await smtp.arrived(1)
  assert.deepEqual(mail?.to, ['ada@example.org'])
  const link = `${site.origin}${mail.link}`
  const before = await stateOf(site)
  assert.deepEqual([before.users.length, before.links.length], [1, 1])
  await scan(link)
  assert.deepEqual(await stateOf(site), before)
  const ada = await visit(t)
  const { page } = ada
  await authenticatorOf(ada)
  // Whether browsers offer a passkey at once is theirs to decide; here whoever signs in asks for it.
  await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false')
  await page.goto(link)
  await page.getByRole('button', { name: 'Use a passkey instead' }).click()
  await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()
  await page.getByRole('link', { name: 'Continue' }).click()
  await page.waitForURL(`${site.origin}/admin`)
  await assertAda(page, site)
  const { links, passwords, passkeys } = await stateOf(site)
  assert.deepEqual([links.length, passwords.length, passkeys.length], [0, 0, 1])
  await signOut(page)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL(`${site.origin}/admin`)
  await assertAda(page, site)
  await page.getByRole('link', { name: 'Change', exact: true }).click()
  await page.getByRole('button', { name: 'Connect Town' }).click()
  await page.getByText('Account connected.').waitFor()
  await signOut(page)
  await page.getByRole('link', { name: 'Sign in with Town' }).click()
  await page.waitForURL(`${site.origin}/admin`)
  await assertAda(page, site)
})
