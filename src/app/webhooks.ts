import type { Config } from '../base/config.ts'
import { addressGate } from '../base/outgoing/addresses.ts'
import { openWebhooks, type RoutedWebhookDeps, type Webhooks } from '../changes/webhooks/index.ts'
import type { LiveSettings } from './settings.ts'

/** Dependencies of webhooks. */
export interface WebhooksDeps extends Omit<RoutedWebhookDeps, 'gate' | 'origin' | 'language'> {
  readonly config: Pick<Config, 'fetchAllow' | 'host' | 'port'>
  readonly settings: Pick<LiveSettings, 'current'>
}

/** The webhooks of a calendar; without a public address those in items are where the server listens. */
export function webhooksOf({ config, settings, ...deps }: WebhooksDeps): Webhooks {
  const { fetchAllow, host, port } = config
  const listening = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  return openWebhooks({
    ...deps,
    gate: addressGate(fetchAllow),
    origin: () => settings.current.baseUrl || listening,
    language: () => settings.current.language,
  })
}
