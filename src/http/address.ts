import { NAMESPACE } from '../base/config/namespaces.ts'

/** The namespace of the interface document. */
export { NAMESPACE }

/** Where the API of this call is mounted: what the client wrote before the route (decisions: Names and addresses). */
export interface Mount {
  /** Language segment in lower case, '' when none: `de` in `/de/wp-json/cal/events/v1`. */
  readonly language: string
  /** '' or '/wp-json'. */
  readonly prefix: string
  /** Namespace as configured: `cal/events/v1`, one of its aliases, or another namespace. */
  readonly namespace: string
}

/** Internal address of the root index, which lists the namespaces (wire: rest 7). */
export const ROOT_PATH = '/wp-json'

/** What a URL refers to: the API under a mount, or anything else of the site. */
export interface ResolvedAddress {
  /** Address for the router: path and query; API routes start with the own name of their namespace. */
  readonly url: string
  /** Present for API addresses only; those may still name no route. */
  readonly mount?: Mount
}

/** The names of one namespace. */
export interface NamespaceNames {
  /** `kalends/v1`; internal addresses of its routes start with it. No name is the beginning of another one. */
  readonly name: string
  /** Further names under which the same routes answer; `[]` for most. */
  readonly aliases: readonly string[]
}

/** Which namespaces and languages an address may name. */
export interface MountOptions {
  readonly namespaces: readonly NamespaceNames[]
  readonly languages: readonly string[]
}

/** Internal address of everything of the API that names nothing: no route has an empty segment. */
export const NOWHERE = `/${NAMESPACE}//`

/**
 * Reads a URL as a client wrote it: prefix, language segment, namespace alias, `rest_route`, letter case of the fixed
 * segments, one trailing slash and stray `&` are removed, so that each route is registered once.
 */
export function readTarget(url: string, options: MountOptions): ResolvedAddress {
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
  if (url.startsWith('/')) return url
  const rest = /^https?:\/\/[^/?#]*(.*)$/is.exec(url)?.[1]
  if (rest === undefined) return url
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** An address of the site below the segment of a language, and that language; '' for none: `/de/events/` is `/events/`. */
export function readPageTarget(
  url: string,
  languages: readonly string[],
): { readonly url: string; readonly language: string } {
  const cut = url.indexOf('?')
  const path = cut < 0 ? url : url.slice(0, cut)
  const language = languageOf(path, languages)
  if (language === '') return { url, language }
  const rest = url.slice(language.length + 1)
  return { url: rest.startsWith('/') ? rest : `/${rest}`, language }
}

/** An address below the path of the public address of the site, `/calendar/events/` as `/events/`; undefined for others. */
export function belowPath(target: string, baseUrl: string): string | undefined {
  const path = URL.parse(baseUrl)?.pathname ?? '/'
  if (path === '/' || !/^(?:[/?]|$)/.test(target.slice(path.length)) || !target.startsWith(path)) return undefined
  const rest = target.slice(path.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

function tidyQuery(query: string): string {
  return query.replace(/&{2,}/g, '&').replace(/^&|&$/g, '')
}

function withQuery(path: string, query: string): string {
  return query === '' ? path : `${path}?${query}`
}

/** Reads a URL of the API; undefined for a URL of the site. */
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
  const named = nameOf(below, options.namespaces)
  if (named !== undefined) {
    const rest = below.slice(1 + named.name.length)
    const tidy = rest.endsWith('/') ? rest.slice(0, -1) : rest
    const mount = { language, prefix, namespace: named.name }
    return { mount, path: `/${named.namespace.name}${lowerFixed(tidy)}`, query: routed?.query ?? query }
  }
  if (routed === undefined && prefix === '') return undefined
  const isRoot = below === '' || below === '/'
  const mount = { language, prefix, namespace: NAMESPACE }
  return { mount, path: isRoot ? ROOT_PATH : NOWHERE, query: routed?.query ?? query }
}

/** The namespace that a path starts with, and the name by which it does; undefined if there is none. */
function nameOf(path: string, namespaces: MountOptions['namespaces']) {
  for (const namespace of namespaces) {
    const name = [namespace.name, ...namespace.aliases].find((one) => isUnder(path, one))
    if (name !== undefined) return { namespace, name }
  }
  return undefined
}

/** The language segment that a path starts with, in lower case; '' when none. */
function languageOf(path: string, languages: readonly string[]): string {
  if (!path.startsWith('/')) return ''
  const end = path.indexOf('/', 1)
  const first = path.slice(1, end < 0 ? undefined : end).toLowerCase()
  return languages.includes(first) ? first : ''
}

/** The path that `?rest_route=/cal/events/v1/events` names, `/` for the root index, and the query without it. */
function readRestRoute(query: string): { path: string; query: string } | undefined {
  const named = new URLSearchParams(query).get('rest_route')
  if (named === null || named === '') return undefined
  const segments = named.split('/').filter((segment) => segment !== '')
  const others = query.split('&').filter((part) => !/^rest_route(=|$)/.test(part))
  return { path: `/${segments.map(encodeURIComponent).join('/')}`, query: others.join('&') }
}

function isUnder(path: string, namespace: string): boolean {
  const start = path.slice(0, 1 + namespace.length).toLowerCase()
  return start === `/${namespace.toLowerCase()}` && (path.length === start.length || path[start.length] === '/')
}

/**
 * The words of routes are case-insensitive. A slug keeps its case, and is never among the first two segments; so does the ID
 * of a token.
 */
function lowerFixed(rest: string): string {
  return rest.replace(/^\/tokens(?=\/)|^\/[^/]+(\/[^/]+)?/i, (fixed) => fixed.toLowerCase())
}

/** Builds the URLs of one response, from the mount that was called and the public address of the site. */
export interface Urls {
  /** Address of an API path under the mount of this call: `api('/events/9')`. */
  api(path: string): string
  /** Address above the namespaces under the mount of this call: `root('/kalends/v1/media/7')`. */
  root(path: string): string
  /** Address of a page of the site: `page('/event/board-meeting/')`. */
  page(path: string): string
  /** Address of the index above the namespaces, in the language that was called: `https://…/de/wp-json/`. */
  readonly index: string
}

/** The addresses for calls under a mount. `origin` has no slash at its end. */
export function urlsOf(origin: string, mount: Mount): Urls {
  const language = mount.language === '' ? '' : `/${mount.language}`
  const root = `${origin}${language}${mount.prefix}`
  const api = `${root}/${mount.namespace}`
  return {
    api: (path) => api + path,
    root: (path) => root + path,
    page: (path) => origin + path,
    index: `${origin}${language}${ROOT_PATH}/`,
  }
}

/** Query text of ordered parameters, percent-encoded; '' when there are none. Half a pair of surrogates is U+FFFD. */
export function queryText(parameters: readonly (readonly [string, string])[]): string {
  const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())
  return parameters.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&')
}
