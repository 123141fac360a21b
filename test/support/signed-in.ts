import type { TestContext } from 'node:test'
import { changePassword } from '../../src/sessions/index.ts'
import { findLogin } from '../../src/users/index.ts'
import { openTestApp } from './app.ts'
import { type VisitOptions, visit } from './browser.ts'

const PASSWORD = 'seven quiet otters'

/** A calendar, and a browser in which its administrator is signed in; `admin` is the address of the administration. */
export async function signedIn(t: TestContext, options: VisitOptions = {}) {
  const site = await openTestApp(t)
  const user = await findLogin(site.app.storage, 'administrator')
  await changePassword(site.app, user?.id ?? 0, PASSWORD)
  const visiting = await visit(t, options)
  const { page } = visiting
  await page.goto(`${site.origin}/admin/login`)
  await page.getByLabel('User name or e-mail').fill('administrator')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  return { ...visiting, site, admin: `${site.origin}/admin` }
}
