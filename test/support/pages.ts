import assert from 'node:assert/strict'
import type { TestApp } from './app.ts'

/** Who asks: a role or nobody. */
export type As = Parameters<TestApp['call']>[0]

/** The text between the tags of a page's `main`. */
export function mainOf(page: string): string {
  return /<main [^>]*>([\s\S]*)<\/main>/.exec(page)?.[1] ?? ''
}

/** Everything below a JSON value that is an address of the origin. */
function addressesInJson(value: unknown, origin: string): string[] {
  if (typeof value === 'string') return value.startsWith(origin) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap((one) => addressesInJson(one, origin))
}

/** The targets of a page's links and images, and those its data for search engines names. */
function addressesInPage(page: string, origin: string): string[] {
  const targets = [...page.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, target = '']) => target)
  const data = /<script type="application\/ld\+json">(.*)<\/script>/.exec(page)?.[1]
  const own = targets.map((target) => new URL(target.replaceAll('&amp;', '&'), origin).href)
  return [...own.filter((one) => one.startsWith(origin)), ...addressesInJson(JSON.parse(data ?? '""'), origin)]
}

/** The addresses that an iCalendar file names: pages and images of its events. */
function addressesInFile(file: string, origin: string): string[] {
  const lines = file.replaceAll('\r\n ', '').split('\r\n')
  return lines
    .flatMap((line) => /^(?:URL|IMAGE|ATTACH)\b.*?:(https?:.*)$/.exec(line)?.[1] ?? [])
    .filter((one) => one.startsWith(origin))
}

/** The addresses that a feed or a sitemap names. */
function addressesInXml(document: string, origin: string): string[] {
  return [...document.matchAll(/(?:>|(?:href|url)=")(https?:[^<"]*)/g)]
    .map(([, address = '']) => address.replaceAll('&amp;', '&'))
    .filter((one) => one.startsWith(origin))
}

/** Every address of the origin that a response gives out, in its body and its headers. */
export function addressesIn({ headers, body }: { headers: Headers; body: unknown }, origin: string): string[] {
  const fromHeaders = ['location', 'x-tec-api-root', 'x-tec-api-origin'].map((name) => headers.get(name) ?? '')
  const linked = [...(headers.get('link') ?? '').matchAll(/<([^>]*)>/g)].map(([, target = '']) => target)
  const type = headers.get('content-type') ?? ''
  const inXml = /^application\/(rss\+)?xml/.test(type) ? addressesInXml : addressesInFile
  const inText = type.startsWith('text/html') ? addressesInPage : inXml
  if (type.startsWith('text/css') || type.startsWith('text/javascript')) return []
  const inBody = typeof body === 'string' ? inText(body, origin) : addressesInJson(body, origin)
  const named = [...fromHeaders, ...linked].map((one) => (one.startsWith('/') ? origin + one : one))
  return [...named.filter((one) => one.startsWith(origin)), ...inBody]
}

/** Codes that say that another caller might be answered. */
const WANTING = ['rest_forbidden', 'rest_not_logged_in']

/** Everybody may read what the calendar gives out, but not all of the namespaces beside it. */
function isForSome(path: string): boolean {
  return /\/(kalends\/v1|wp\/v2)\//.test(path)
}

/** Views by dates lead to those before and after them, and lists from the first of a month to others, and so on for ever. */
function isEndless({ pathname: path, search }: URL): boolean {
  return (
    /[?&]start_date=\d{4}-\d\d-01$/.test(search) ||
    /\/(\d{4}-\d\d(-\d\d)?|week|month|today|map)\/$/.test(path) ||
    path.startsWith('/assets/') ||
    path === '/oembed'
  )
}

/** The same page in another language. */
function isInLanguage(address: string): boolean {
  const { pathname } = new URL(address)
  return /^\/[a-z]{2}\//.test(pathname) && !/\/(wp-json|cal|tribe|kalends)\b/.test(pathname)
}

/** Where what only those may see who have just proved who they are sends everybody else. */
export const CONFIRMATION = '/admin/confirm?next='

/** Where an answer leads to the proof of who they are, and from there back to the address; undefined for any other answer. */
function confirmationFor(address: string, { status, headers }: { status: number; headers: Headers }) {
  const { origin, pathname, search } = new URL(address)
  const proof = CONFIRMATION + encodeURIComponent(pathname + search)
  return status === 303 && headers.get('location') === proof ? origin + proof : undefined
}

function typeOf(path: string): RegExp {
  if (path.endsWith('.ics')) return /^text\/calendar/
  if (path.startsWith('/assets/')) return path.endsWith('.css') ? /^text\/css/ : /^text\/javascript/
  if (path === '/oembed') return /^application\/json/
  if (/\/kalends\/v1\/events(\/\d+)?\.\w+$/.test(path)) return /^(text|application)\//
  if (/^\/sitemap[-\d]*\.xml$/.test(path)) return /^application\/xml/
  if (path === '/robots.txt' || path === '/.well-known/security.txt') return /^text\/plain/
  if (path.endsWith('/favicon.ico')) return /^image\/svg/
  if (path.endsWith('/feed/')) return /^application\/rss\+xml/
  if (path.endsWith('/feed.json')) return /^application\/feed\+json/
  const isApi = /^(\/\w\w)?\/(wp-json|cal\/events\/v1|tribe\/events\/v1)(\/|$)/.test(path)
  return isApi ? /^application\/json/ : /^text\/html/
}

/**
 * Follows every address from the first ones on, as one caller, until none is new; all that were seen. API addresses
 * must answer 200 with JSON, or that they want the password of the event, and those beside the calendar that they want
 * another caller; files 200 with iCalendar and all others 200 with HTML, some of them after the page on which people confirm
 * who they are. What is `known` was followed before as that caller.
 */
// biome-ignore lint/complexity/useMaxParams: who goes where from where
export async function crawl(
  { call, origin }: TestApp,
  as: As,
  first: readonly string[],
  known: ReadonlySet<string> = new Set(),
): Promise<ReadonlySet<string>> {
  const seen = new Set(first)
  for (const address of seen) {
    if (known.has(address)) continue
    // It is answered for as long as someone listens.
    if (address.endsWith('/changes/stream')) continue
    const response = await call(as, 'GET', address)
    if (response.status === 403 && response.body.code === 'event-password-protected') continue
    if (isForSome(new URL(address).pathname) && WANTING.includes(response.body.code)) continue
    // What an index names may want parameters.
    if (response.body.code === 'rest_missing_callback_param') continue
    const proof = confirmationFor(address, response)
    if (proof !== undefined) {
      seen.add(proof)
      continue
    }
    assert.equal(response.status, 200, `${as}: ${address}`)
    assert.match(response.headers.get('content-type') ?? '', typeOf(new URL(address).pathname), address)
    if (isEndless(new URL(address))) continue
    // A set that grows while it is walked is walked to its end.
    for (const found of addressesIn(response, origin)) if (!isInLanguage(found)) seen.add(found)
  }
  return seen
}
