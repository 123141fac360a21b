import type { TestContext } from 'node:test'
import { openTestApp } from './app.ts'
import { type VisitOptions, visit } from './browser.ts'
import { signInAs } from './sign-in.ts'

/** A calendar, and a browser in which its administrator is signed in; `admin` is the address of the administration. */
export async function signedIn(t: TestContext, options: VisitOptions = {}) {
  const site = await openTestApp(t)
  const visiting = await visit(t, options)
  await signInAs(visiting.page, site, 'administrator')
  return { ...visiting, site, admin: `${site.origin}/admin` }
}
