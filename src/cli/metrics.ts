import type { Config } from '../base/config.ts'
import type { Logger } from '../base/log.ts'
import { serveMetrics } from '../ops/metrics/listener.ts'
import { listenAt } from './listening.ts'

/** Ends what was offered. */
type End = () => Promise<void>

/**
 * Offers metrics at `--metrics-port`, where there is one. Returns how to end it. @throws port_in_use, cannot_listen
 */
export async function offerMetrics(
  { metricsHost: host, metricsPort: port }: Config,
  text: () => Promise<string>,
  log: Logger,
): Promise<End> {
  if (port === 0) return async () => undefined
  const end = await listenAt({ host, port, option: '--metrics-port' }, () => serveMetrics({ host, port }, text))
  log.info({ host, port }, 'serving metrics')
  return end
}
