import { openClient, type ProviderClient, type readProviders } from '../accounts/single-sign-on/index.ts'
import type { Config } from '../base/config.ts'
import { fail } from '../base/errors.ts'
import type { Logger } from '../base/log.ts'
import { addressGate } from '../base/outgoing/addresses.ts'

interface SingleSignOnGround {
  readonly config: Config
  readonly now: () => number
  readonly log: Logger
}

/**
 * Opens the way to the providers of single sign-on; says why nobody can use them where that is so.
 * @throws bad_configuration where access tokens of one could not name this site
 */
export function openProviders(
  providers: ReturnType<typeof readProviders>,
  { config, now, log }: SingleSignOnGround,
): ProviderClient[] {
  const gate = addressGate(config.fetchAllow)
  if (config.mcpOauthIssuer !== '' && providers.length > 0 && config.baseUrl === '')
    throw fail('bad_configuration', { problems: '--mcp-oauth-issuer needs --base-url' })
  if (providers.length > 0 && config.baseUrl === '')
    log.warn('nobody can use single sign-on: providers lead back to the public address, which --base-url sets')
  for (const { id, issuer, create, defaultRole } of providers)
    if (issuer === 'https://accounts.google.com' && create === 'yes' && defaultRole !== undefined)
      log.warn({ provider: id }, 'everybody with a Google account gets in: give roles by the claim hd instead')
  return providers.map((provider) => openClient(provider, { gate, now, log }))
}
