import type { PageResponse } from '../http/html-page.ts'
import type { Incoming } from '../http/route.ts'
import type { PagesDeps } from './deps.ts'
import { html, trusted } from './html.ts'
import { entriesForSitemap } from './store.ts'

/** Views that search engines find in the first sitemap. */
const VIEWS = ['/', '/events/', '/events/month/']

/** Items of one sitemap, which may have 50,000 addresses (sitemaps.org). */
const SITEMAP_SIZE = 50_000 - VIEWS.length

const DAY = 86_400_000

/** The rules for crawlers: everything but searches, and where the sitemap is. */
export function robots({ urls }: Incoming): PageResponse {
  const lines = [
    'User-agent: *',
    'Disallow: /search',
    'Disallow: /admin',
    'Allow: /',
    '',
    `Sitemap: ${urls.page('/sitemap.xml')}`,
    '',
  ]
  return { status: 200, body: lines.join('\n'), type: 'text/plain; charset=utf-8', freshness: { dependencies: [] } }
}

/** The contact for security reports (RFC 9116); undefined if none is set. */
export function securityText(
  { contact: { securityContact } }: Pick<PagesDeps, 'contact'>,
  { urls, now }: Incoming,
): PageResponse | undefined {
  if (securityContact === '') return undefined
  const expires = new Date(Math.ceil(now / DAY) * DAY + 180 * DAY).toISOString()
  const lines = [
    `Contact: ${securityContact}`,
    `Expires: ${expires}`,
    `Canonical: ${urls.page('/.well-known/security.txt')}`,
    'Preferred-Languages: en',
    '',
  ]
  const until = Math.ceil((now + 1) / DAY) * DAY
  return {
    status: 200,
    body: lines.join('\n'),
    type: 'text/plain; charset=utf-8',
    freshness: { dependencies: [], until },
  }
}

/** A leaf of a calendar. */
export function favicon(): PageResponse {
  const body = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="3" y="5" width="26" height="24" rx="5" fill="#3b5bdb"/><path d="M3 12h26" stroke="#fff" stroke-width="2"/><path d="M10 2v6M22 2v6" stroke="#3b5bdb" stroke-width="3" stroke-linecap="round"/><circle cx="20.500" cy="20.500" r="4" fill="#fff"/></svg>`
  return {
    status: 200,
    body,
    type: 'image/svg+xml',
    headers: { 'cache-control': 'public, max-age=86400' },
    freshness: { dependencies: [] },
  }
}

/** The addresses of all that everybody may read: one file, or an index of several. `number` is 0 for the first address. */
export async function sitemap(deps: PagesDeps, incoming: Incoming, number: number): Promise<PageResponse | undefined> {
  const { urls } = incoming
  const counted = await entriesForSitemap(deps.reader, {
    offset: Math.max(0, number - 1) * SITEMAP_SIZE,
    limit: SITEMAP_SIZE,
  })
  const files = Math.max(1, Math.ceil(counted.total / SITEMAP_SIZE))
  if (number > files) return undefined
  if (number === 0 && files > 1) {
    const places = Array.from(
      { length: files },
      (_, index) => html`<sitemap><loc>${urls.page(`/sitemap-${index + 1}.xml`)}</loc></sitemap>\n`,
    )
    return xml(
      html`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${places}</sitemapindex>\n`.markup,
    )
  }
  const views = number > 1 ? [] : VIEWS
  const pages = [
    ...views.map((path) => html`<url><loc>${urls.page(path)}</loc></url>\n`),
    ...counted.entries.map(
      ({ path, modified }) =>
        html`<url><loc>${urls.page(path)}</loc><lastmod>${modified.replace(' ', 'T')}Z</lastmod></url>\n`,
    ),
  ]
  return xml(html`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${pages}</urlset>\n`.markup)
}

function xml(document: string): PageResponse {
  return {
    status: 200,
    body: trusted(`<?xml version="1.0" encoding="utf-8"?>\n${document}`).markup,
    type: 'application/xml; charset=utf-8',
    freshness: { dependencies: [{ of: 'event' }, { of: 'venue' }, { of: 'organizer' }] },
  }
}
