import type { IncomingMessage } from 'node:http'
import { chooseLanguage } from '../../i18n/languages.ts'
import { hasSoundHost } from '../request/host.ts'
import { SEQ_HEADER } from '../request/seq-header.ts'
import { HEALTH_ADDRESS } from '../route/health.ts'
import type { CacheKey } from './ticket.ts'

/** What the keys of a deployment turn on. */
export interface KeyOptions {
  /** Public base address; '' where answers name the host of their request. */
  readonly baseUrl: string
  /** Host in the global identifiers, when it is configured; '' otherwise. */
  readonly siteHost: string
  /** Whether X-Forwarded headers are believed. */
  readonly hasProxies: boolean
}

/** Longest address whose answer is kept, in characters. */
const TARGET_LIMIT = 2000

/** Headers that make an answer one of its own, ask for no older one than another answer was, or that other parts of the server have to look at. */
const OWN = ['authorization', 'transfer-encoding', 'expect', 'upgrade', SEQ_HEADER] as const

/** Headers by which a believed proxy says how it was called. */
const FORWARDED = ['x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-for'] as const

/** Hosts that mean this machine, whatever it is called elsewhere. */
const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

/**
 * What a request asks for, undefined when its answer is not to be kept: it has credentials, a password or a body, or
 * names a host that nobody has configured. So neither strangers' hosts nor secrets ever become keys (architecture:
 * Identity of the site).
 */
export function cacheKeyOf(request: IncomingMessage, options: KeyOptions): CacheKey | undefined {
  const { method, url = '', headers } = request
  if ((method !== 'GET' && method !== 'HEAD') || !url.startsWith('/') || url.length > TARGET_LIMIT) return undefined
  if (OWN.some((name) => headers[name] !== undefined) || !hasSoundHost(request)) return undefined
  if ((headers['content-length'] ?? '0') !== '0' || /password/i.test(url)) return undefined
  // Nothing is to be waited for before it is asked whether the database answers.
  if (url.includes(HEALTH_ADDRESS)) return undefined
  const origin = originKey(request, options)
  if (origin === undefined) return undefined
  const key = `${origin} ${url}`
  // Never the plain key, even for clients that prefer nothing: what they get is in a language all the same.
  const accept = headers['accept-language']
  return { key, spokenKey: `${key} ${accept === undefined ? '' : chooseLanguage({ ...NO_HINTS, accept }, '')}` }
}

/** The address says the rest of its language itself, and is in the key. */
const NO_HINTS = { segment: '', lang: undefined }

/** The host that answers name, '' when it is always the same; undefined for hosts that nobody has configured. */
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
