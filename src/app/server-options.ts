import type { SiteSettings } from '../admin/deps.ts'
import type { Config } from '../base/config.ts'
import type { Bounds, ServerOptions } from '../http/server-deps.ts'
import { withSettings } from './settings.ts'

/** The options of the server; settings that may change while it runs are read each time. */
export function optionsOf(config: Config, settings: Pick<SiteSettings, 'current'>): ServerOptions {
  const { trustedProxies, bodyLimit, plainSessions } = config
  return withSettings({ trustedProxies, bodyLimit, plainSessions, bounds: boundsOf(config) }, settings)
}

/** Milliseconds in which nothing moves on a connection until it ends: longer than any request works. */
const STILLNESS = 120_000

/** One body of the largest kind always has room. */
function boundsOf(config: Config): Bounds {
  return {
    connections: config.connectionLimit,
    clientConnections: config.clientConnectionLimit,
    requests: config.requestLimit,
    stillness: STILLNESS,
    bodyBytes: Math.max(config.bodyMemory, config.bodyLimit, config.mediaLimit),
  }
}
