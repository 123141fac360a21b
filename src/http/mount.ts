import { NAMESPACE } from '../config.ts'

/** The namespace of the interface document. */
export { NAMESPACE }

/** Where the API of this call is mounted: what a client wrote in front of the route (decisions: Names and addresses). */
export interface Mount {
  /** Language segment in lower case, '' when none: `de` in `/de/wp-json/cal/events/v1`. */
  readonly language: string
  /** '' or '/wp-json'. */
  readonly prefix: string
  /** Namespace as configured: `cal/events/v1` or one of its aliases. */
  readonly namespace: string
}

/** First segment of the internal address of every API route. */
export const API_PREFIX = `/${NAMESPACE}`

/** Internal address of the root index, which lists the namespaces (wire: rest 7). */
export const ROOT_PATH = '/wp-json'

/** What an address means: an address of the API under a mount, or anything else of the site. */
export interface Target {
  /** Address for the router: path and query; API routes begin with API_PREFIX. */
  readonly url: string
  /** Present for API addresses only; those may still name no route. */
  readonly mount?: Mount
}

/** Which namespaces and languages an address may name. */
export interface MountOptions {
  /** NAMESPACE first, then the aliases. */
  readonly namespaces: readonly string[]
  readonly languages: readonly string[]
}

/** Rest of an API address that names nothing: no route has an empty segment. */
const NOWHERE = '//'

/**
 * Reads an address as a client wrote it: prefix, language segment, namespace alias, `rest_route`, letter case of the
 * fixed segments, one trailing slash and stray `&` are taken away, so that each route is registered once.
 */
export function readTarget(url: string, options: MountOptions): Target {
  const target = originForm(url)
  const cut = target.indexOf('?')
  const path = cut < 0 ? target : target.slice(0, cut)
  const query = cut < 0 ? '' : tidyQuery(target.slice(cut + 1))
  const api = readApi(path, query, options)
  if (api === undefined) return { url: withQuery(path, query) }
  return { url: withQuery(api.path, api.query), mount: api.mount }
}

/** `http://host/path`, which servers must accept as well, as `/path` (RFC 9112 section 3.2.2). */
function originForm(url: string): string {
  const rest = /^https?:\/\/[^/?#]*(.*)$/is.exec(url)?.[1]
  if (rest === undefined) return url
  return rest.startsWith('/') ? rest : `/${rest}`
}

function tidyQuery(query: string): string {
  return query.replace(/&{2,}/g, '&').replace(/^&|&$/g, '')
}

function withQuery(path: string, query: string): string {
  return query === '' ? path : `${path}?${query}`
}

/** What an API address says; undefined for an address of the site. */
function readApi(
  path: string,
  query: string,
  options: MountOptions,
): { mount: Mount; path: string; query: string } | undefined {
  const language = languageOf(path, options.languages)
  const local = path.slice(language === '' ? 0 : language.length + 1).replace(/^\/index\.php(?=\/|$)/i, '')
  const routed = local === '' || local === '/' ? readRestRoute(query) : undefined
  const prefix = routed === undefined ? (/^\/wp-json(?=\/|$)/i.exec(local)?.[0].toLowerCase() ?? '') : ''
  const below = routed?.path ?? local.slice(prefix.length)
  const namespace = options.namespaces.find((one) => isUnder(below, one))
  if (namespace !== undefined) {
    const rest = below.slice(1 + namespace.length)
    const tidy = rest.endsWith('/') ? rest.slice(0, -1) : rest
    const path = API_PREFIX + lowerFixed(tidy)
    return { mount: { language, prefix, namespace }, path, query: routed?.query ?? query }
  }
  if (routed === undefined && prefix === '') return undefined
  const named = below === '' || below === '/' ? ROOT_PATH : API_PREFIX + NOWHERE
  return { mount: { language, prefix, namespace: NAMESPACE }, path: named, query: routed?.query ?? query }
}

/** The language segment that a path begins with, in lower case; '' when none. */
function languageOf(path: string, languages: readonly string[]): string {
  const first = path.split('/', 2)[1]?.toLowerCase() ?? ''
  return languages.includes(first) ? first : ''
}

/** The path that `?rest_route=/cal/events/v1/events` names, and the query without it; undefined when there is none. */
function readRestRoute(query: string): { path: string; query: string } | undefined {
  const named = new URLSearchParams(query).get('rest_route')
  if (named === null || named === '' || named === '/') return undefined
  const segments = named.split('/').filter((segment) => segment !== '')
  const others = query.split('&').filter((part) => !/^rest_route(=|$)/.test(part))
  return { path: `/${segments.map(encodeURIComponent).join('/')}`, query: others.join('&') }
}

function isUnder(path: string, namespace: string): boolean {
  const start = path.slice(0, 1 + namespace.length).toLowerCase()
  return start === `/${namespace.toLowerCase()}` && (path.length === start.length || path[start.length] === '/')
}

/** Matching is case-insensitive for the words of the routes; a slug keeps its case. */
function lowerFixed(rest: string): string {
  return rest.replace(/^\/[^/]+(\/by-slug(?=\/))?/i, (fixed) => fixed.toLowerCase())
}
