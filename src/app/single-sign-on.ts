import { openClient, type ProviderClient, type readProviders } from '../accounts/single-sign-on/index.ts'
import { findLogin } from '../accounts/users/index.ts'
import type { Config } from '../base/config.ts'
import { fail } from '../base/errors.ts'
import type { Logger } from '../base/log.ts'
import { addressGate } from '../base/outgoing/addresses.ts'
import type { Reader } from '../storage/engine.ts'

/** Says what keeps people from signing in where passwords are off. */
export async function warnOfClosedWays(
  storage: Reader,
  { passwordSignIn, breakGlass, baseUrl }: Pick<Config, 'passwordSignIn' | 'breakGlass' | 'baseUrl'>,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  if (passwordSignIn) return
  if (breakGlass.length === 0 && baseUrl === '')
    log.warn('nobody can sign in: passwords are off, and all other ways need the public address, which --base-url sets')
  for (const name of breakGlass)
    if ((await findLogin(storage, name)) === undefined) log.warn({ name }, 'nobody has a username in --break-glass')
}

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
