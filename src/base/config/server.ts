import { choice, integer, isBaseUrl, isHostName, isNetwork, isOrigin, list, text, toggle } from './kinds.ts'
import { option } from './option.ts'

const nothing: readonly string[] = Object.freeze([])

/** Options of the process and of its port: addresses, proxies, the cache and the log. */
export const SERVER_OPTIONS = {
  port: option({
    flag: '--port',
    env: 'KALENDS_PORT',
    kind: integer(0, 65535),
    default: 3000,
    description: 'Port to listen on; 0 picks a free one.',
  }),
  host: option({
    flag: '--host',
    env: 'KALENDS_HOST',
    kind: text('ADDRESS', 'an address or host name', isHostName),
    default: '127.0.0.1',
    description: 'Address to listen on; 0.0.0.0 or :: for all addresses.',
  }),
  drainDelay: option({
    flag: '--drain-delay',
    env: 'KALENDS_DRAIN_DELAY',
    kind: integer(0, 600_000),
    default: 0,
    description:
      'Milliseconds for which a stopping server keeps its port open so that proxies go elsewhere: `kalends/v1/health` returns 503, and in the second half all requests do.',
  }),
  metricsPort: option({
    flag: '--metrics-port',
    env: 'KALENDS_METRICS_PORT',
    kind: integer(0, 65535),
    default: 0,
    defaultText: 'none',
    description: 'Separate port for `GET /metrics` in Prometheus format; 0 turns it off.',
  }),
  metricsHost: option({
    flag: '--metrics-host',
    env: 'KALENDS_METRICS_HOST',
    kind: text('ADDRESS', 'an address or host name', isHostName),
    default: '127.0.0.1',
    description: 'Address to listen on for metrics. Anyone who can reach it can read them.',
  }),
  baseUrl: option({
    flag: '--base-url',
    env: 'KALENDS_BASE_URL',
    kind: text('URL', 'one http(s) address with or without a path', isBaseUrl),
    default: '',
    defaultText: 'the address each request was sent to',
    description: 'Public address of the site, for links in responses.',
  }),
  trustedProxies: option({
    flag: '--trusted-proxies',
    env: 'KALENDS_TRUSTED_PROXIES',
    kind: list('ADDRESS', 'addresses or networks such as 10.0.0.0/8', isNetwork),
    default: nothing,
    description: 'Proxies whose X-Forwarded headers are trusted.',
  }),
  corsOrigins: option({
    flag: '--cors-origins',
    env: 'KALENDS_CORS_ORIGINS',
    kind: list('ORIGIN', 'origins such as https://example.org', isOrigin),
    default: nothing,
    description: 'Web origins whose scripts may send credentials.',
  }),
  plainSessions: option({
    flag: '--plain-sessions',
    env: 'KALENDS_PLAIN_SESSIONS',
    kind: toggle,
    default: false,
    defaultText: 'no',
    description:
      'Whether people may sign in over plain HTTP from other machines. Use it in private networks only: others in the network could read the cookie. HTTPS and connections from the same machine always work.',
  }),
  mcp: option<'public' | 'private' | 'off'>({
    flag: '--mcp',
    env: 'KALENDS_MCP',
    kind: choice('public', 'private', 'off'),
    default: 'public',
    description:
      'Who may use the MCP server at /mcp: everybody for what everybody may read, or only callers with credentials, or nobody.',
  }),
  secret: option({
    flag: undefined,
    env: 'KALENDS_SECRET',
    kind: text('TEXT', 'at least 32 characters', (secret) => secret.length >= 32),
    default: '',
    defaultText: 'generated into `secret.key` in the data folder',
    secret: true,
    description: 'Key that protects stored application passwords; changing it invalidates all of them.',
  }),
  cacheSize: option({
    flag: '--cache-size',
    env: 'KALENDS_CACHE_SIZE',
    kind: integer(0, 1024 ** 4),
    default: 128 * 1024 ** 2,
    description: 'Memory for cached responses and event fragments, in bytes; 0 turns the cache off.',
  }),
  logLevel: option({
    flag: '--log-level',
    env: 'KALENDS_LOG_LEVEL',
    kind: choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    default: 'info',
    description: 'Lowest level that is logged to standard error.',
  }),
  logFormat: option<'auto' | 'json' | 'text'>({
    flag: '--log-format',
    env: 'KALENDS_LOG_FORMAT',
    kind: choice('auto', 'json', 'text'),
    default: 'auto',
    description: 'Format of log lines: JSON objects, or text for people; `auto` is text on a terminal.',
  }),
} as const
