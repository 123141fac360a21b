import { digestOf, endSession, findOrigin } from '../../accounts/sessions/index.ts'
import { Failure } from '../../base/errors.ts'
import type { PageResponse } from '../../http/html-page.ts'
import { html } from '../../pages/html.ts'
import { cardPage } from '../layout.ts'
import type { PageRequest } from '../page-request.ts'
import { providersOf, publicPage } from './providers.ts'

/** Where a browser goes to, and what it gets for its return. */
export interface Leaving {
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Sends a browser elsewhere after a form: forms lead to this site only, wherever the response redirects to, but pages
 * lead anywhere. The address may be longer than a header in front of a proxy, so the page itself leads on.
 */
export function onward(request: PageRequest, { address, headers }: Leaving): PageResponse {
  const { t } = request
  const body = html`<p><a class="button" href="${address}">${t('admin.signIn.continue')}</a></p>`
  const page = cardPage(request, { title: t('admin.signIn.oneMoment'), body, onward: address })
  return { ...page, headers: { ...page.headers, ...headers } }
}

/** Ends a session by its ID in the cookie; where the browser goes to sign out there, undefined where it stays here. */
export async function signOut(request: PageRequest, session: string): Promise<string | undefined> {
  const { deps } = request
  const origin = await findOrigin(deps.storage, digestOf(session))
  await endSession(deps, session)
  const client = providersOf(request).find(({ provider }) => provider.issuer === origin?.issuer)
  try {
    return await client?.signOutAddress(publicPage(request, '/admin/login?done=out'), origin?.id_token ?? undefined)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    deps.log.warn({ provider: client?.provider.id, reason: error.message }, 'signed out here only')
    return undefined
  }
}
