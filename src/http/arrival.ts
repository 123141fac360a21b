import type { IncomingMessage, ServerResponse } from 'node:http'
import { fail } from '../errors.ts'
import { chooseLanguage } from '../i18n/languages.ts'
import type { Claim } from './cache/answer-cache.ts'
import { hasSoundHost } from './host.ts'
import type { Mount } from './mount.ts'

/** The mounts of the requests to the API, as their addresses named them before they were rewritten. */
export const mounts = new WeakMap<IncomingMessage, Mount>()

/** The claims to the cache of requests that the web framework answers. */
export const claims = new WeakMap<IncomingMessage, Claim>()

/** The responses to requests with a body. */
export const responses = new WeakMap<IncomingMessage, ServerResponse>()

/** Requests that came as POST and stand for another method. */
const overridden = new WeakSet<IncomingMessage>()

const METHODS = ['PUT', 'PATCH', 'DELETE', 'GET']

/** Applies `_method` of the query string or X-HTTP-Method-Override, on POST only (decisions). */
export function overrideMethod(request: IncomingMessage, url: string): void {
  if (request.method !== 'POST') return
  const header = request.headers['x-http-method-override']
  const named = /[?&]_method=([A-Za-z]+)/.exec(url)?.[1] ?? (typeof header === 'string' ? header : '')
  const method = named.toUpperCase()
  if (!METHODS.includes(method)) return
  request.method = method
  overridden.add(request)
}

/** The method that the client sent: it decides how a body may be written. */
export function methodSent(request: IncomingMessage): string {
  return overridden.has(request) ? 'POST' : (request.method ?? 'GET')
}

/** A body of a type that nobody knows counts as none; the framework would refuse one that is not written as a type. */
export function ignoreOddType(request: IncomingMessage): void {
  const type = request.headers['content-type']
  if (type !== undefined && !/^[\w.+-]+\/[\w.+-]+\s*(;|$)/.test(type)) delete request.headers['content-type']
}

/** A request has to say which host it means, once (RFC 9112 section 3.2). @throws rest_bad_request */
export function requireHost(request: IncomingMessage): void {
  if (!hasSoundHost(request)) throw fail('rest_bad_request')
}

/** The language that a request asks for (decisions: Locale). */
export function languageOf(
  request: { readonly mount: Mount | undefined; readonly query: unknown; readonly headers: IncomingMessage['headers'] },
  fallback: string,
): string {
  const hints = {
    segment: request.mount?.language ?? '',
    lang: (request.query as Readonly<Record<string, unknown>> | undefined)?.['lang'],
    accept: request.headers['accept-language'],
  }
  return chooseLanguage(hints, fallback)
}

/** Public address of the site, without a slash at its end: as configured, else that of the request. */
export function originOf(request: { readonly host: string; readonly protocol: string }, baseUrl: string): string {
  if (baseUrl !== '') return baseUrl
  const host = /^[\w.\-:[\]]{1,255}$/.test(request.host ?? '') ? request.host : 'localhost'
  // A proxy may hand on what its client says of the protocol.
  return `${request.protocol === 'https' ? 'https' : 'http'}://${host}`
}
