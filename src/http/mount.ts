/** Where the API of this call is mounted: what a client wrote in front of the route (decisions: Names and addresses). */
export interface Mount {
  /** Language segment in lower case, '' when none: `de` in `/de/wp-json/cal/events/v1`. */
  readonly language: string
  /** '' or '/wp-json'. */
  readonly prefix: string
  /** Namespace as configured: `cal/events/v1` or one of its aliases. */
  readonly namespace: string
}

/** The namespace of the interface document. */
export const NAMESPACE = 'cal/events/v1'

/** First segment of the internal address of every API route. */
export const API_PREFIX = `/${NAMESPACE}`

/** What an address means: a route of the API under a mount, or anything else of the site. */
export interface Target {
  /** Address for the router: path and query; API routes begin with API_PREFIX. */
  readonly url: string
  /** Present for API addresses only. */
  readonly mount?: Mount
}

/** Which namespaces and languages an address may name. */
export interface MountOptions {
  /** NAMESPACE first, then the aliases. */
  readonly namespaces: readonly string[]
  readonly languages: readonly string[]
}

/**
 * Reads an address as a client wrote it: prefix, language segment, namespace alias, `rest_route`, letter case of the
 * fixed segments, one trailing slash and stray `&` are taken away, so that each route is registered once.
 */
export function readTarget(url: string, options: MountOptions): Target {
  const cut = url.indexOf('?')
  const path = cut < 0 ? url : url.slice(0, cut)
  const query = cut < 0 ? '' : tidyQuery(url.slice(cut + 1))
  const routed = restRoute(path, query, options)
  const api = readApi(routed.path, options)
  if (api === undefined) return { url: withQuery(path, query) }
  return { url: withQuery(API_PREFIX + lowerFixed(api.rest), routed.query), mount: api.mount }
}

function tidyQuery(query: string): string {
  return query.replace(/&{2,}/g, '&').replace(/^&|&$/g, '')
}

function withQuery(path: string, query: string): string {
  return query === '' ? path : `${path}?${query}`
}

/** `/?rest_route=/cal/events/v1/events` and `/index.php?rest_route=…`, also behind a language segment. */
function restRoute(path: string, query: string, options: MountOptions): { path: string; query: string } {
  const bare = path.replace(/\/index\.php(?=\/|$)/i, '')
  const language = segments(bare)
  const onRoot = language.length === 0 || (language.length === 1 && options.languages.includes(language[0] ?? ''))
  const route = onRoot ? new URLSearchParams(query).get('rest_route') : null
  if (route === null) return { path: bare === '' ? '/' : bare, query }
  const rest = query.split('&').filter((part) => !/^rest_route(=|$)/.test(part))
  return { path: `/${[...language, ...segments(route)].join('/')}`, query: rest.join('&') }
}

function segments(path: string): string[] {
  return path.split('/').filter((part) => part !== '')
}

function readApi(path: string, options: MountOptions): { mount: Mount; rest: string } | undefined {
  const lower = path.toLowerCase()
  const language = options.languages.find((one) => lower.startsWith(`/${one}/`)) ?? ''
  const afterLanguage = language === '' ? 0 : language.length + 1
  const prefix = lower.startsWith('/wp-json/', afterLanguage) ? '/wp-json' : ''
  const start = afterLanguage + prefix.length
  const namespace = options.namespaces.find((one) => {
    const end = start + 1 + one.length
    return lower.startsWith(`/${one}`, start) && (end === lower.length || lower[end] === '/')
  })
  if (namespace === undefined) return undefined
  const rest = path.slice(start + 1 + namespace.length)
  return { mount: { language, prefix, namespace }, rest: rest.endsWith('/') ? rest.slice(0, -1) : rest }
}

/** Matching is case-insensitive for the words of the routes; a slug keeps its case. */
function lowerFixed(rest: string): string {
  return rest.replace(/^\/[^/]+(\/by-slug(?=\/))?/i, (fixed) => fixed.toLowerCase())
}
