import { fail } from '../../errors.ts'
import { chooseLanguage } from '../../i18n/languages.ts'
import { type MountOptions, readTarget } from '../mount.ts'
import { adoptHost, hasSoundHost } from './host.ts'
import type { ServerRequest } from './server-request.ts'

/** Reads the address of a request: prefix, language and namespace become its mount. Returns the address for the router. */
export function readAddress(request: ServerRequest, names: MountOptions): string {
  adoptHost(request, request.target)
  const { url, mount } = readTarget(request.target, names)
  request.mount = mount
  request.method = methodMeant(request, url)
  return url
}

const METHODS = ['PUT', 'PATCH', 'DELETE', 'GET']

/** Applies `_method` of the query string or X-HTTP-Method-Override, on POST only (decisions). */
function methodMeant({ sentMethod, headers }: ServerRequest, url: string): string {
  if (sentMethod !== 'POST') return sentMethod
  const header = headers['x-http-method-override']
  const named = /[?&]_method=([A-Za-z]+)/.exec(url)?.[1] ?? (typeof header === 'string' ? header : '')
  const method = named.toUpperCase()
  return METHODS.includes(method) ? method : sentMethod
}

/** The media type that a request says of its body; '' where it says none, or what is not written as one. */
export function contentTypeOf({ headers }: Pick<ServerRequest, 'headers'>): string {
  const type = headers['content-type']
  return type !== undefined && /^[\w.+-]+\/[\w.+-]+\s*(;|$)/.test(type) ? type : ''
}

/** A request has to say which host it means, once (RFC 9112 section 3.2). @throws rest_bad_request */
export function requireHost({ raw }: ServerRequest): void {
  if (!hasSoundHost(raw)) throw fail('rest_bad_request')
}

/** The language that a request asks for (decisions: Locale). */
export function languageOf(
  { mount, query, headers }: Pick<ServerRequest, 'mount' | 'query' | 'headers'>,
  fallback: string,
): string {
  const hints = { segment: mount?.language ?? '', lang: query['lang'], accept: headers['accept-language'] }
  return chooseLanguage(hints, fallback)
}

/** Public address of the site, without a slash at its end: as configured, else that of the request. */
export function originOf(request: Pick<ServerRequest, 'host' | 'protocol'>, baseUrl: string): string {
  if (baseUrl !== '') return baseUrl
  const host = /^[\w.\-:[\]]{1,255}$/.test(request.host ?? '') ? request.host : 'localhost'
  // A proxy may hand on what its client says of the protocol.
  return `${request.protocol === 'https' ? 'https' : 'http'}://${host}`
}
