import type { IncomingMessage } from 'node:http'
import { localeOf } from '../../base/i18n/translate.ts'
import { firstWeekday } from '../../base/i18n/week.ts'
import { acceptedLanguage, acceptedWeekday, hasSessionCookie, SEQ_HEADER } from '../request/server-request.ts'
import { HEALTH_ADDRESS } from '../route/health.ts'
import type { CacheKey } from './ticket.ts'

/** What the cache keys of a deployment depend on. */
export interface KeyOptions {
  /** Public base address; '' where responses name the host of their request. */
  readonly baseUrl: string
  /** Host in the global identifiers, when it is configured; '' otherwise. */
  readonly siteHost: string
  /** Whether X-Forwarded headers are trusted. */
  readonly hasProxies: boolean
}

/** Longest request target whose response is cached, in characters. */
const TARGET_LIMIT = 2000

/** Headers that bypass the cache: credentials, a minimum age of the data, and what other parts of the server have to handle. */
const OWN = ['authorization', 'transfer-encoding', 'expect', 'upgrade', SEQ_HEADER] as const

/** Headers in which a trusted proxy says how it was called. */
const FORWARDED = ['x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-for'] as const

/** Hosts that mean this machine. */
const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

/**
 * The cache key of a request; undefined when its response must not be cached because it has credentials, a password or a
 * body, or names a host that is not configured. So neither foreign hosts nor secrets ever become keys (architecture:
 * Identity of the site).
 */
export function cacheKeyOf(request: IncomingMessage, options: KeyOptions): CacheKey | undefined {
  const { method, url = '', headers } = request
  if ((method !== 'GET' && method !== 'HEAD') || !url.startsWith('/') || url.length > TARGET_LIMIT) return undefined
  if (OWN.some((name) => headers[name] !== undefined)) return undefined
  if ((headers['content-length'] ?? '0') !== '0' || /password/i.test(url)) return undefined
  // A health check must not wait for anything before it asks the database.
  if (url.includes(HEALTH_ADDRESS)) return undefined
  const origin = originKey(request, options)
  if (origin === undefined || hasSessionCookie(headers)) return undefined
  const type = preferredType(headers.accept)
  const language = acceptedLanguage(headers['accept-language'])
  const weekday = acceptedWeekday(headers['accept-language'])
  const key = type === '' ? `${origin} ${url}` : `${origin} ${url} ${type}`
  // Never the plain key, even for clients without a preference: their response is in some language, too.
  return { key, spokenKey: `${key} ${language} ${weekday ?? ownWeekday(language)}`, type, language, weekday }
}

/** On which day weeks start for readers of a language; '' for none. */
function ownWeekday(language: string): number | '' {
  return language === '' ? '' : firstWeekday(localeOf(language))
}

/** The host that responses name, '' when it is always the same; undefined for hosts that are not configured. */
function originKey({ headers, socket }: IncomingMessage, options: KeyOptions): string | undefined {
  const { host } = headers
  if (host === undefined || options.baseUrl !== '') return host === undefined ? undefined : ''
  if (options.hasProxies && FORWARDED.some((name) => headers[name] !== undefined)) return undefined
  const cut = host.lastIndexOf(':')
  const hasPort = cut > 0 && !host.endsWith(']')
  if (hasPort && host.slice(cut + 1) !== String(socket.localPort)) return undefined
  const name = hasPort ? host.slice(0, cut) : host
  return LOOPBACK.includes(name) || name === options.siteHost ? host : undefined
}

/** Media types beside JSON in which events can be asked for. */
const TYPES: ReadonlySet<string> = new Set([
  'text/calendar',
  'text/csv',
  'application/feed+json',
  'application/rss+xml',
  'application/calendar+json',
  'application/jscalendar+json',
  'application/ld+json',
])

/** What at least one of them has, so that other headers are not read: cached responses take no longer for them. */
const HINT = /calendar|csv|feed\+|rss\+|ld\+/i

/** Entries of the header that are read. */
const MOST_ENTRIES = 50

/**
 * The media type beside JSON that an Accept header prefers (RFC 9110 section 12.5.1); '' for JSON, which is the response
 * to everything else: to any type, to nothing and to what is not known. Where several weigh the same the first counts,
 * but JSON where it is named.
 */
export function preferredType(accept: string | undefined): string {
  if (accept === undefined || !HINT.test(accept)) return ''
  let found = { type: '', weight: 0 }
  let [json, anything] = [0, 0]
  for (const entry of accept.split(',', MOST_ENTRIES)) {
    const [name = '', ...parameters] = entry.split(';')
    const type = name.trim().toLowerCase()
    const weight = weightOf(parameters)
    if (type === 'application/json') json = weight
    else if (type === '*/*' || type === 'application/*') anything = Math.max(anything, weight)
    else if (TYPES.has(type) && weight > found.weight) found = { type, weight }
  }
  return found.weight > json && found.weight >= anything ? found.type : ''
}

/** The weight of an entry: 1 unless it says another, 0 where that is none. */
function weightOf(parameters: readonly string[]): number {
  const text = parameters.map((one) => one.trim()).find((one) => /^q=/i.test(one))
  if (text === undefined) return 1
  const weight = text.slice(2)
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0
}
