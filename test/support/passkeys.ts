import type { CDPSession } from 'playwright-core'
import type { Flags } from '../../src/base/config.ts'
import { openTestApp, type TestApp } from './app.ts'
import { type Visit, type VisitOptions, visit } from './browser.ts'
import { freePort } from './free-port.ts'
import type { TestScope } from './test-storage.ts'

/** An authenticator of the browser, as the debugger makes it: it has a fingerprint for everything and needs no finger. */
export interface Authenticator {
  readonly session: CDPSession
  readonly id: string
}

/** A calendar at its public address, `http://localhost:PORT`, and a browser with an authenticator. */
export type PasskeySite = Visit & { readonly site: TestApp; readonly authenticator: Authenticator }

/** Opens a calendar whose public address is one where browsers have passkeys, and a browser with an authenticator. */
export async function passkeySite(t: TestScope, options: VisitOptions = {}): Promise<PasskeySite> {
  const site = await openPasskeyApp(t)
  const visiting = await visit(t, options)
  return { ...visiting, site, authenticator: await authenticatorOf(visiting) }
}

/** Opens a calendar at its public address, `http://localhost:PORT`. */
export async function openPasskeyApp(t: TestScope, flags: Flags = {}): Promise<TestApp> {
  const port = String(await freePort())
  const origin = `http://localhost:${port}`
  return { ...(await openTestApp(t, { port, baseUrl: origin, ...flags })), origin }
}

/** Gives a page an authenticator. */
export async function authenticatorOf({ page, context }: Visit): Promise<Authenticator> {
  const session = await context.newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { session, id: authenticatorId }
}
