import type { Webhook } from './types.ts'

/** What the log says of a webhook: of the address, which may have a secret in it, the host alone. */
export function aboutWebhook({ id, url, audience }: Pick<Webhook, 'id' | 'url' | 'audience'>) {
  return { webhookId: id, host: new URL(url).host, audience }
}
