import type { TestContext } from 'node:test'
import { openTestApp } from './app.ts'
import { type VisitOptions, visit } from './browser.ts'
import { knowPassword, PASSWORD } from './known-password.ts'

/** A calendar, and a browser in which its administrator is signed in; `admin` is the address of the administration. */
export async function signedIn(t: TestContext, options: VisitOptions = {}) {
  const site = await openTestApp(t)
  await knowPassword(site.app, 'administrator')
  const visiting = await visit(t, options)
  const { page } = visiting
  await page.goto(`${site.origin}/admin/login`)
  await page.getByLabel('User name or e-mail').fill('administrator')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  return { ...visiting, site, admin: `${site.origin}/admin` }
}
