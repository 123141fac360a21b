import type { Page } from 'playwright-core'
import type { Role } from '../../src/auth/roles.ts'
import { changePassword } from '../../src/sessions/index.ts'
import { findLogin } from '../../src/users/index.ts'
import type { TestApp } from './app.ts'

/** The password of everybody who has been signed in by `signInAs`. */
export const PASSWORD = 'seven quiet otters'

/** Signs the user of a role in through the form, as people do; other sessions of that user end. */
export async function signInAs(page: Page, { app, origin }: TestApp, role: Role): Promise<void> {
  const user = await findLogin(app.storage, role)
  await changePassword(app, user?.id ?? 0, PASSWORD)
  await page.goto(`${origin}/admin/login`)
  await page.getByLabel('User name or e-mail').fill(role)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Administration' }).waitFor()
}
