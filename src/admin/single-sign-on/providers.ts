import type { ProviderClient } from '../../accounts/single-sign-on/index.ts'
import { html, type Markup, NOTHING } from '../../pages/html.ts'
import type { PageRequest } from '../page-request.ts'

/** Where everything about a provider is. */
export const PROVIDER_PATH = '/admin/oidc'

/** The providers that people can sign in with: none without a public address, to which they lead back. */
export function providersOf({ deps }: PageRequest): readonly ProviderClient[] {
  return deps.settings.current.baseUrl === '' ? [] : deps.providers
}

/** The public address of a page, which is never taken from a request. */
export function publicPage({ deps }: PageRequest, path: string): string {
  return `${deps.settings.current.baseUrl}${path}`
}

/**
 * Links that start a sign-in at each provider; nothing where there are none. They lead to the host that gets the cookie.
 * `purpose` is that of the link that was opened before.
 */
export function providerLinks(request: PageRequest, query: Readonly<Record<string, string>>, purpose?: string): Markup {
  const { t } = request
  // Those who are invited nowhere have nothing to open a link with.
  const offered = providersOf(request).filter(({ provider }) => purpose !== 'invitation' || provider.create !== 'no')
  const links = offered.map(({ provider }) => {
    const address = publicPage(request, `${PROVIDER_PATH}/${provider.id}?${new URLSearchParams(query)}`)
    return html`<a class="button second" href="${address}">${t('admin.signIn.withProvider', { provider: provider.label })}</a>\n`
  })
  return links.length === 0 ? NOTHING : html`<div class="providers">${links}</div>`
}
