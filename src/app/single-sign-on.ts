import { openClient, type ProviderClient, readProviders } from '../accounts/single-sign-on/index.ts'
import type { Config } from '../base/config.ts'
import type { Logger } from '../base/log.ts'
import { addressGate } from '../base/outgoing/addresses.ts'

interface SingleSignOnGround {
  readonly config: Config
  readonly now: () => number
  readonly log: Logger
}

/** The providers of single sign-on; says why nobody can use them where that is so. @throws bad_configuration */
export function openProviders({ config, now, log }: SingleSignOnGround): ProviderClient[] {
  const gate = addressGate(config.fetchAllow)
  const providers = readProviders(config)
  if (providers.length > 0 && config.baseUrl === '')
    log.warn('nobody can use single sign-on: providers lead back to the public address, which --base-url sets')
  return providers.map((provider) => openClient(provider, { gate, now, log }))
}
