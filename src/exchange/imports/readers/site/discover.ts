import { fail } from '../../../../base/errors.ts'
import { basicAuthorization, mayGoTo, openAddress } from '../../../../base/outgoing/credentials.ts'
import { isHttpUrl } from '../../../../base/text/http-url.ts'
import { isObject } from '../json/members.ts'
import { linksInHead, linksInHeader } from './announced.ts'
import type { SiteClient, SiteReply } from './site-client.ts'
import type { SiteImportInput } from './types.ts'

/** The address that was entered for a site, and the credentials for it. */
export interface EnteredSite {
  readonly address: string
  /** Whether it is that of the API itself. */
  readonly isApi: boolean
  /** The Authorization header; undefined for anonymous requests. */
  readonly authorization: string | undefined
}

/** What was entered for a site; credentials may stand in its address. @throws site_not_found */
export function enteredSite({ address, api, user, password }: SiteImportInput): EnteredSite {
  const entered = api ?? address
  const whole = /^https?:\/\//i.test(entered) ? entered : `https://${entered}`
  const opened = openAddress(whole)
  if (!isHttpUrl(opened.address))
    throw fail('site_not_found', { address: opened.address, reason: 'it is no http(s) address' })
  const credentials = user === undefined ? opened.credentials : { user, password: password ?? '' }
  const authorization = credentials && basicAuthorization(credentials)
  return { address: new URL(opened.address).href, isApi: api !== undefined, authorization }
}

/** Why credentials were not sent to an API. */
export function elsewhere(root: string): string {
  return `the API is on another site, ${root}: username and password were not sent; to send them there, import with --api ${root}`
}

/** The API of a site. */
export interface SiteApi {
  /** Address of its namespace, for people. */
  readonly root: string
  /** Address of a path of its namespace (`/events`), or of another one (`wp/v2`). */
  at(path: string, query?: Readonly<Record<string, string | number>>, namespace?: string): string
  /** An address that the site names, where it can be reached: a site may call itself by another origin. */
  reach(address: string): string
  /** Whether it is a Kalends. */
  readonly isKalends: boolean
  /** Zone of its dates without one; undefined when it does not say. */
  readonly zone: string | undefined
}

/** Names of the namespace, as sites in the wild and this program have it. */
const NAMESPACES = ['tribe/events/v1', 'cal/events/v1'] as const

/** A place where an API may be: `rest` ends before the slash of the namespace. */
interface Candidate {
  readonly rest: string
  readonly namespace: string
  /** Origin by which the site calls itself. */
  readonly origin: string
  /** Whether nothing has named it. */
  readonly isGuess?: boolean
}

/** Finds the API of a site from the address of any of its pages, or its own. @throws site_not_found */
export async function discover(
  client: SiteClient,
  { address: given, isApi, authorization }: EnteredSite,
): Promise<SiteApi> {
  const direct = candidateOf(given)
  const isPage = direct === undefined && !isApi
  const asked = isPage ? await client.ask(given, { want: 'page', tries: 5 }) : undefined
  if (asked?.ok === false) throw fail('site_not_found', { address: given, reason: asked.why })
  const seen = new Set<string>()
  let reason = 'no page of it names an API'
  const named = isApi && direct === undefined ? underneath(given) : [direct ?? []].flat()
  for (const candidate of candidatesOf(given, named, asked)) {
    const api = apiOf(candidate, { isKalends: false, zone: undefined })
    if (seen.has(api.root)) continue
    seen.add(api.root)
    const tries = candidate.isGuess === true ? 2 : 5
    const index = await client.ask(api.at('/'), { want: 'json', authorization, tries, isUsable: isObject })
    if (index.ok && index.response.status === 401) {
      if (authorization !== undefined && !mayGoTo(api.root, given))
        throw fail('site_not_found', { address: given, reason: elsewhere(api.root) })
      throw fail('site_refuses', { address: given, reason: reasonOf(index.json) })
    }
    if (index.ok && index.response.status === 200 && isIndex(index.json)) return described(client, candidate)
    if (!index.ok) reason = index.why
  }
  throw fail('site_not_found', { address: given, reason })
}

/** What an error of the API says; '' when nothing. */
export function reasonOf(json: unknown): string {
  if (!isObject(json)) return ''
  return [json['code'], json['message']]
    .filter((one) => typeof one === 'string')
    .join(': ')
    .slice(0, 300)
}

function isIndex(json: unknown): boolean {
  return isObject(json) && (typeof json['namespace'] === 'string' || isObject(json['routes']))
}

/** Looks at the index above the namespaces, which not every site shows. */
async function described(client: SiteClient, candidate: Candidate): Promise<SiteApi> {
  const plain = apiOf(candidate, { isKalends: false, zone: undefined })
  const places = [plain.at('', {}, ''), new URL('/wp-json/', candidate.rest).href]
  let about: Readonly<Record<string, unknown>> = {}
  for (const place of new Set(places)) {
    const above = await client.ask(place, { want: 'json', tries: place === places[0] ? 4 : 2, isUsable: isObject })
    if (above.ok && isObject(above.json) && Array.isArray(above.json['namespaces'])) about = above.json
    if (Object.keys(about).length > 0) break
  }
  const { namespaces, timezone_string: zone } = about
  const isKalends = Array.isArray(namespaces) && namespaces.includes('kalends/v1')
  return apiOf(candidate, { isKalends, zone: typeof zone === 'string' && zone !== '' ? zone : undefined })
}

function apiOf({ rest, namespace, origin }: Candidate, about: Pick<SiteApi, 'isKalends' | 'zone'>): SiteApi {
  const here = new URL(rest).origin
  const at: SiteApi['at'] = (path, query = {}, name = namespace) => {
    const route = `${name === '' ? '' : `/${name}`}${path === '/' ? '' : path}`
    const url = new URL(`${rest}${route || '/'}`)
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, String(value))
    return url.href
  }
  return {
    ...about,
    root: at('/'),
    at,
    reach: (address) => {
      const url = URL.parse(address)
      if (url === null || url.origin !== origin || origin === here) return address
      return new URL(`${url.pathname}${url.search}`, here).href
    },
  }
}

function* candidatesOf(given: string, named: readonly Candidate[], asked: SiteReply | undefined): Generator<Candidate> {
  yield* named
  let { origin } = new URL(given)
  if (asked?.ok === true) {
    if (mayGoTo(asked.response.url, given)) origin = new URL(asked.response.url).origin
    const page = { url: asked.response.url, headers: asked.response.headers, html: String(asked.response.bytes) }
    const announced = candidateOf(resolved(headerOf(page.headers['x-tec-api-root']), page.url))
    const rests = [...linksInHeader(headerOf(page.headers['link'])), ...linksInHead(page.html)].map((link) =>
      resolved(link, page.url),
    )
    const self = headerOf(page.headers['x-tec-api-origin'])
    const origins = self === '' ? [] : [resolved(self, page.url)].filter(isHttpUrl)
    const all = [...(announced ? [announced] : []), ...rests.flatMap(underneath), ...origins.flatMap(fallbacks)]
    // Where the site was asked it can be reached; by the name that it gives itself perhaps not.
    yield* all.map((one) => ({ ...one, rest: onOrigin(one.rest, origin) }))
    yield* all
  }
  yield* fallbacks(onOrigin(given, origin))
}

/** The API that an address is of, or of an item of it; undefined when it is another page. */
function candidateOf(address: string): Candidate | undefined {
  const url = URL.parse(address)
  if (url === null) return undefined
  const route = url.searchParams.get('rest_route')
  const path = route ?? url.pathname
  const found = /^(.*?)\/((?:tribe|cal)\/events\/v1)(?:\/|$)/i.exec(path)
  if (found === null) return undefined
  const [, before = '', namespace = ''] = found
  const rest = route === null ? `${url.origin}${before}` : `${url.origin}${url.pathname}?rest_route=`
  return { rest, namespace, origin: url.origin }
}

function underneath(rest: string): Candidate[] {
  const url = URL.parse(rest)
  if (url === null) return []
  const isRoute = url.searchParams.has('rest_route')
  const plain = isRoute ? `${url.origin}${url.pathname}?rest_route=` : rest.replace(/\/+$/, '')
  return NAMESPACES.map((namespace) => ({ rest: plain, namespace, origin: url.origin }))
}

function fallbacks(address: string): Candidate[] {
  const { origin, pathname } = new URL(address)
  const folder = pathname.replace(/\/[^/]*$/, '').replace(/\/+$/, '')
  const places = [...new Set([`${origin}${folder}`, origin])]
  const rests = places.flatMap((place) => [`${place}/wp-json`, `${place}/?rest_route=`, place])
  return rests.flatMap((rest) => NAMESPACES.map((namespace) => ({ rest, namespace, origin, isGuess: true })))
}

function onOrigin(rest: string, origin: string): string {
  return origin + rest.slice(new URL(rest).origin.length)
}

function resolved(link: string, base: string): string {
  const address = URL.parse(link, base)?.href ?? ''
  return isHttpUrl(address) ? address : ''
}

function headerOf(value: string | string[] | undefined): string {
  return typeof value === 'string' ? value : (value?.join(', ') ?? '')
}
