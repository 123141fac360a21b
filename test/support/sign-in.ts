import type { Page } from 'playwright-core'
import type { Role } from '../../src/http/auth/rights.ts'
import type { TestApp } from './app.ts'
import { knowPassword, PASSWORD } from './known-password.ts'

/** Signs the user of a role in through the form, as people do; other sessions of that user end. */
export async function signInAs(page: Page, { app, origin }: TestApp, role: Role): Promise<void> {
  await knowPassword(app, role)
  await page.goto(`${origin}/admin/login`)
  await page.getByLabel('Username or email').fill(role)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(({ pathname }) => pathname !== '/admin/login')
}

/** Opens the sections of the form of an event that are closed. */
export async function openSections(page: Page): Promise<void> {
  const closed = page.locator('details.section:not([open]) > summary')
  while ((await closed.count()) > 0) await closed.first().click()
}
