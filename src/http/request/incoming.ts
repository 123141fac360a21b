import { fail } from '../../base/errors.ts'
import { type Mount, NAMESPACE, type Urls, urlsOf } from '../address.ts'
import { ANONYMOUS, type Caller } from '../auth/rights.ts'
import type { Incoming } from '../route.ts'
import type { ServerDeps } from '../server-deps.ts'
import { contentTypeOf, NOTHING } from './body.ts'
import { csrfTokenOf } from './cross-origin.ts'
import {
  acceptedLanguage,
  acceptedWeekday,
  hasSessionCookie,
  knownLanguage,
  type ServerRequest,
} from './server-request.ts'
import { readUpload } from './upload.ts'

/** Mount that responses fall back to where the address was no API address. */
const BARE: Mount = { language: '', prefix: '', namespace: NAMESPACE }

/** A request without its body. */
export function incomingOf(deps: ServerDeps, request: ServerRequest, caller: Caller): Incoming {
  const { siteZone, iframeHosts, language } = deps.options
  const now = deps.now()
  const last = request.headers['last-event-id']
  const tries = mayTry(request) ? deps.limits?.triesOf(request) : undefined
  const mount = mountOf(request)
  return {
    caller,
    now,
    context: { now, siteZone, iframeHosts },
    language: languageOf(request, language),
    weekday: request.ticket?.weekday ?? acceptedWeekday(request.headers['accept-language']),
    mount,
    urls: urlsOf(originOf(request, deps.options.baseUrl), mount),
    path: request.path,
    query: request.query,
    body: NOTHING,
    ...(tries && { tries }),
    ...(deps.limits && request.isWrite && { spend: (rows) => deps.limits?.spend(request, { caller, rows }) }),
    ...(typeof last === 'string' && { lastEventId: last }),
  }
}

/** A request for a page, whose forms need the token of the session. */
export function incomingOfPage(deps: ServerDeps, request: ServerRequest, caller: Caller): Incoming {
  const incoming = incomingOf(deps, request, caller)
  return request.session === undefined ? incoming : { ...incoming, csrf: csrfTokenOf(request.session) }
}

/** Whether a request may contain the password of an event. */
function mayTry({ query, body }: ServerRequest): boolean {
  return body !== undefined || Object.hasOwn(query, 'password')
}

/** The addresses that responses to a request give out. */
export function urlsFor(deps: ServerDeps, request: ServerRequest): Urls {
  return urlsOf(originOf(request, deps.options.baseUrl), mountOf(request))
}

/** What the address of a request starts with, as far as that was found out before it failed. */
export function mountOf({ mount, language }: ServerRequest): Mount {
  return mount ?? (language === '' ? BARE : { ...BARE, language })
}

/** The body of a request for a route that takes a file. @throws rest_bad_request */
export async function readFile(request: ServerRequest): Promise<Pick<Incoming, 'body' | 'upload'>> {
  const { body, headers } = request
  const sending = { type: contentTypeOf(request), disposition: headers['content-disposition'] }
  const { sent, upload } = await readUpload(body, sending)
  return { body: sent, ...(upload && { upload }) }
}

/** Who sent a request; its credentials are looked up once. @throws 401 failures, ambiguous_credentials, rest_too_many_requests */
export function callerOf({ authenticate }: Pick<ServerDeps, 'authenticate'>, request: ServerRequest): Promise<Caller> {
  const { authorization } = request.headers
  if (authorization === undefined && !hasSessionCookie(request.headers)) return NOBODY
  request.caller ??= areAmbiguous(request)
    ? Promise.reject(fail('ambiguous_credentials'))
    : identify(authenticate(authorization, request), request)
  return request.caller
}

/**
 * Whether a request has more than one Authorization header, or two values in one as proxies join them: one of them would
 * be ignored, and nobody could say which.
 */
function areAmbiguous({ raw, headers: { authorization = '' } }: ServerRequest): boolean {
  const lines = raw.rawHeaders.filter((name, place) => place % 2 === 0 && name.toLowerCase() === 'authorization')
  return lines.length > 1 || /,\s*(basic|bearer)\s/i.test(authorization)
}

const NOBODY = Promise.resolve(ANONYMOUS)

async function identify(caller: Promise<Caller>, request: ServerRequest): Promise<Caller> {
  request.user = await caller
  return request.user
}

/**
 * The language of a response: that of the path, else `lang` of the query string, else that of the header, else the fallback
 * (decisions: Locale).
 */
export function languageOf(
  {
    language: segment,
    query: { lang },
    headers,
    ticket,
  }: Pick<ServerRequest, 'language' | 'query' | 'headers' | 'ticket'>,
  fallback: string,
): string {
  const asked = segment !== '' || typeof lang !== 'string' ? segment : knownLanguage(lang)
  return asked || (ticket?.language ?? acceptedLanguage(headers['accept-language'])) || fallback
}

/** Public address of the site, without a trailing slash: as configured, or else that of the request. */
export function originOf(request: Pick<ServerRequest, 'host' | 'protocol'>, baseUrl: string): string {
  if (baseUrl !== '') return baseUrl
  const { host, protocol } = request
  // A proxy may hand on what its client says of both.
  const name = /^[\w.\-:[\]]{1,255}$/.test(host) ? host : 'localhost'
  return `${protocol === 'https' ? 'https' : 'http'}://${name}`
}
