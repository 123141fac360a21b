import { join, resolve } from 'node:path'
import { BOUND_OPTIONS } from './config/bounds.ts'
import {
  choice,
  integer,
  isAnything,
  isBaseUrl,
  isContact,
  isDatabase,
  isHost,
  isHostName,
  isNamespace,
  isNetwork,
  isOrigin,
  isReplica,
  isSiteZone,
  list,
  text,
  toggle,
} from './config/kinds.ts'
import { LIMIT_OPTIONS } from './config/limits.ts'
import { NAMESPACE } from './config/namespaces.ts'
import { givenValue, maskValue, type Option, option } from './config/option.ts'
import { isDarkAccent, isLightAccent, isPictureAddress } from './config/theme.ts'
import { fail } from './errors.ts'

const nothing: readonly string[] = Object.freeze([])

/** Every option once: the source of `Config`, of each command's help and of `docs/reference/config.md`. */
export const OPTIONS = {
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
    description: 'Address to listen on; 0.0.0.0 or :: for all of them.',
  }),
  workers: option({
    flag: '--workers',
    env: 'KALENDS_WORKERS',
    kind: integer(1, 256),
    default: 1,
    description: 'Processes that share one port; with SQLite one of them writes, the others read.',
  }),
  drainDelay: option({
    flag: '--drain-delay',
    env: 'KALENDS_DRAIN_DELAY',
    kind: integer(0, 600_000),
    default: 0,
    description:
      'Milliseconds for which a stopping server keeps its port open, so that proxies go elsewhere: `kalends/v1/health` returns 503, and in the second half everything else does, too.',
  }),
  metricsPort: option({
    flag: '--metrics-port',
    env: 'KALENDS_METRICS_PORT',
    kind: integer(0, 65535),
    default: 0,
    defaultText: 'none',
    description: 'Separate port for `GET /metrics` in the format of Prometheus; 0 for none.',
  }),
  metricsHost: option({
    flag: '--metrics-host',
    env: 'KALENDS_METRICS_HOST',
    kind: text('ADDRESS', 'an address or host name', isHostName),
    default: '127.0.0.1',
    description: 'Address to listen on for metrics. Anybody who can reach it may read them.',
  }),
  data: option({
    flag: '--data',
    env: 'KALENDS_DATA',
    kind: text('FOLDER', 'a folder', isAnything),
    default: './data',
    description: 'Folder for all data of the server; created if missing.',
  }),
  database: option({
    flag: '--database',
    env: 'DATABASE_URL',
    kind: text('URL', 'sqlite:PATH or postgres://...', isDatabase),
    default: '',
    defaultText: '`sqlite:` and `kalends.db` in the data folder',
    secret: true,
    description: 'Where the calendar is stored. For TLS to PostgreSQL: `?sslmode=verify-full`.',
  }),
  databaseRead: option({
    flag: '--database-read',
    env: 'DATABASE_READ_URL',
    kind: text('URL', 'postgres://...', isReplica),
    default: '',
    secret: true,
    description:
      'A replica of the PostgreSQL in `--database`, for reads whenever it has everything that this server knows of.',
  }),
  siteZone: option({
    flag: '--site-zone',
    env: 'KALENDS_SITE_ZONE',
    kind: text('ZONE', 'a time zone such as Europe/Berlin', isSiteZone),
    default: 'UTC',
    description: 'Time zone of the site, for dates without an offset and for new events.',
  }),
  siteName: option({
    flag: '--site-name',
    env: 'KALENDS_SITE_NAME',
    kind: text('TEXT', 'text of at most 200 characters', (name) => name.length <= 200),
    default: 'Kalends',
    description: 'Name of the site, on pages and in feeds.',
  }),
  siteLogo: option({
    flag: '--site-logo',
    env: 'KALENDS_SITE_LOGO',
    kind: text('URL', 'an http(s) address or a path of this site', isPictureAddress),
    default: '',
    defaultText: 'none',
    description: 'Picture beside the name of the site on public pages.',
  }),
  accent: option({
    flag: '--accent',
    env: 'KALENDS_ACCENT',
    kind: text('COLOUR', 'a colour such as #3346c8, with a contrast of 4.5 on light pages', isLightAccent),
    default: '',
    defaultText: '`#3346c8`',
    description: 'Colour of links and buttons on light public pages.',
  }),
  accentDark: option({
    flag: '--accent-dark',
    env: 'KALENDS_ACCENT_DARK',
    kind: text('COLOUR', 'a colour such as #a9b6ff, with a contrast of 4.5 on dark pages', isDarkAccent),
    default: '',
    defaultText: '`#a9b6ff`',
    description: 'Colour of links and buttons on dark public pages.',
  }),
  baseUrl: option({
    flag: '--base-url',
    env: 'KALENDS_BASE_URL',
    kind: text('URL', 'an http(s) address without query', isBaseUrl),
    default: '',
    defaultText: 'the address each request was sent to',
    description: 'Public address of the site, for links in responses.',
  }),
  securityContact: option({
    flag: '--security-contact',
    env: 'KALENDS_SECURITY_CONTACT',
    kind: text('URI', 'a mailto:, https: or tel: address', isContact),
    default: '',
    defaultText: 'none',
    description:
      'Where faults of security are to be reported, for /.well-known/security.txt; without it there is none.',
  }),
  siteHost: option({
    flag: '--site-host',
    env: 'KALENDS_SITE_HOST',
    kind: text('HOST', 'a host name', isHost),
    default: '',
    defaultText: 'fixed on first start',
    description: 'Host in the global identifiers of events; never change it later.',
  }),
  perPageMax: option({
    flag: '--per-page-max',
    env: 'KALENDS_PER_PAGE_MAX',
    kind: integer(1, 10_000),
    default: 50,
    description: 'Most items on a page; a larger `per_page` is reduced to it.',
  }),
  ...BOUND_OPTIONS,
  media: option({
    flag: '--media',
    env: 'KALENDS_MEDIA',
    kind: text('FOLDER', 'a folder', isAnything),
    default: '',
    defaultText: '`media` in the data folder',
    description: 'Folder for image files; created if missing.',
  }),
  mediaLimit: option({
    flag: '--media-limit',
    env: 'KALENDS_MEDIA_LIMIT',
    kind: integer(1024, 1024 ** 3),
    default: 16 * 1024 ** 2,
    description: 'Largest image in bytes, uploaded or fetched.',
  }),
  mediaMemory: option({
    flag: '--media-memory',
    env: 'KALENDS_MEDIA_MEMORY',
    kind: integer(128 * 1024 ** 2, 1024 ** 4),
    default: 384 * 1024 ** 2,
    description: 'Most memory of the process that decodes images, in bytes; images that need more are refused.',
  }),
  fetchAllow: option({
    flag: '--fetch-allow',
    env: 'KALENDS_FETCH_ALLOW',
    kind: list('ADDRESS', 'addresses or networks such as 10.0.0.0/8', isNetwork),
    default: nothing,
    description: 'Private networks from which images may be fetched.',
  }),
  namespaces: option({
    flag: '--namespaces',
    env: 'KALENDS_NAMESPACES',
    kind: list('NAME/VERSION', 'namespaces such as tribe/events/v1', isNamespace),
    default: Object.freeze(['tribe/events/v1']) as readonly string[],
    description: `Further names of the namespace \`${NAMESPACE}\`.`,
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
  ...LIMIT_OPTIONS,
  currencySymbol: option({
    flag: '--currency-symbol',
    env: 'KALENDS_CURRENCY_SYMBOL',
    kind: text('TEXT', 'at most 10 characters', (symbol) => symbol.length <= 10),
    default: '$',
    description: 'Currency of costs without one.',
  }),
  currencyPosition: option<'prefix' | 'postfix'>({
    flag: '--currency-position',
    env: 'KALENDS_CURRENCY_POSITION',
    kind: choice('prefix', 'postfix'),
    default: 'prefix',
    description: 'Position of the currency symbol.',
  }),
  plainSessions: option({
    flag: '--plain-sessions',
    env: 'KALENDS_PLAIN_SESSIONS',
    kind: toggle,
    default: false,
    defaultText: 'no',
    description:
      'Whether people may sign in over plain HTTP from other machines, for private networks only: anybody on the way could read the cookie. Over HTTPS and on the machine itself they always may.',
  }),
  requireIfMatch: option({
    flag: '--require-if-match',
    env: 'KALENDS_REQUIRE_IF_MATCH',
    kind: toggle,
    default: false,
    defaultText: 'no',
    description: 'Whether updates and deletions of items without `If-Match` are refused.',
  }),
  language: option({
    flag: '--language',
    env: 'KALENDS_LANGUAGE',
    kind: text('CODE', 'a language code such as en', (code) => /^[a-z]{2,3}$/.test(code)),
    default: 'en',
    description: 'Language of descriptions and messages unless a request asks for another.',
  }),
  iframeHosts: option({
    flag: '--iframe-hosts',
    env: 'KALENDS_IFRAME_HOSTS',
    kind: list('HOST', 'host names', isHost),
    default: nothing,
    description: 'Hosts whose frames are allowed in descriptions.',
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
  accessLog: option<'off' | 'on'>({
    flag: '--access-log',
    env: 'KALENDS_ACCESS_LOG',
    kind: choice('off', 'on'),
    default: 'off',
    description: 'One log line per request, with address and user of the client.',
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
  offloadWorkers: option({
    flag: '--offload-workers',
    env: 'KALENDS_OFFLOAD_WORKERS',
    kind: integer(0, 64),
    default: 1,
    description:
      'Processes for long queries (SQLite); 0 runs them in the server itself, where they cannot be interrupted.',
  }),
  readTimeout: option({
    flag: '--read-timeout',
    env: 'KALENDS_READ_TIMEOUT',
    kind: integer(100, 3_600_000),
    default: 2000,
    description:
      'Milliseconds that a query of a request may wait for its turn, and that it may then take; beyond that it is stopped and the request gets 503 `rest_query_too_costly`.',
  }),
  databaseConnections: option({
    flag: '--database-connections',
    env: 'KALENDS_DATABASE_CONNECTIONS',
    kind: integer(1, 1000),
    default: 10,
    description:
      'Most connections that read at the same time (PostgreSQL); one more writes, and one is notified of changes.',
  }),
  statementTimeout: option({
    flag: '--statement-timeout',
    env: 'KALENDS_STATEMENT_TIMEOUT',
    kind: integer(100, 3_600_000),
    default: 30_000,
    description:
      'Milliseconds after which a statement of a write is cancelled (PostgreSQL); migrations and `move` have no limit.',
  }),
  databasePooler: option<'none' | 'transaction'>({
    flag: '--database-pooler',
    env: 'KALENDS_DATABASE_POOLER',
    kind: choice('none', 'transaction'),
    default: 'none',
    description:
      "Set to `transaction` when PostgreSQL is behind a pooler that gives each transaction another connection: statements are then not prepared, there are no notifications of other processes' commits, and the process that works in the background occupies one connection of the pooler.",
  }),
  recurrenceYears: option({
    flag: '--recurrence-years',
    env: 'KALENDS_RECURRENCE_YEARS',
    kind: integer(1, 100),
    default: 5,
    description: 'Years from now on for which the dates of recurring events without end are stored.',
  }),
  cacheSize: option({
    flag: '--cache-size',
    env: 'KALENDS_CACHE_SIZE',
    kind: integer(0, 1024 ** 4),
    default: 128 * 1024 ** 2,
    description: 'Memory for cached responses and event fragments, in bytes; 0 turns the cache off.',
  }),
  synchronous: option<'FULL' | 'NORMAL'>({
    flag: '--synchronous',
    env: 'KALENDS_SYNCHRONOUS',
    kind: choice('FULL', 'NORMAL'),
    default: 'FULL',
    description: 'FULL survives a power failure without losing an acknowledged write, NORMAL is faster.',
  }),
} as const

/** Name of an option; a key of `OPTIONS`. */
export type OptionName = keyof typeof OPTIONS

/**
 * All settings, frozen. `data` and `media` are absolute paths, `database` is never empty, `baseUrl` has no slash at its end;
 * `''` in `baseUrl`, `siteHost` and `secret` means that the default named in the reference applies.
 */
export type Config = {
  readonly [Name in OptionName]: (typeof OPTIONS)[Name] extends Option<infer Value> ? Value : never
}

/** Values of command-line flags as text, by option name; undefined when the flag was not given. */
export type Flags = { readonly [Name in OptionName]?: string | undefined }

/** All options with their names, in the order of help and reference. */
export const OPTION_LIST = Object.entries(OPTIONS) as readonly [OptionName, Option][]

/**
 * Reads the settings from flags and environment.
 * @throws bad_configuration with all problems at once, also in `data.problems`; values of secret options are never quoted
 */
export function readConfig(flags: Flags, env: Readonly<Record<string, string | undefined>>): Config {
  const values: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [name, declared] of OPTION_LIST) {
    const given = givenValue(flags[name], declared, env)
    const parsed = given === undefined ? undefined : declared.kind.parse(given.text)
    if (given !== undefined && parsed?.ok === false) problems.push(`${given.source} ${parsed.problem}`)
    values[name] = parsed?.ok === true ? parsed.value : declared.default
  }
  const config = values as Config
  if (problems.length > 0) throw fail('bad_configuration', { problems: problems.join('; ') }, { problems })
  const data = resolve(config.data)
  const media = config.media === '' ? join(data, 'media') : resolve(config.media)
  const database = config.database === '' ? `sqlite:${join(data, 'kalends.db')}` : config.database
  return Object.freeze({ ...config, data, media, database, baseUrl: config.baseUrl.replace(/\/+$/, '') })
}

/** The settings for a log line or a page: like `config`, with `***` for every secret that is set. */
export function maskSecrets(config: Config): Record<OptionName, unknown> {
  const entries = OPTION_LIST.map(([name, declared]) => [name, maskValue(config[name], declared)])
  return Object.fromEntries(entries) as Record<OptionName, unknown>
}
