import { Failure, fail } from '../base/errors.ts'
import { LANGUAGES } from '../base/i18n/languages.ts'
import { percentDecoded } from '../base/text/slug.ts'
import { findEvent } from '../calendar/events/index.ts'
import { ANONYMOUS } from '../http/auth/rights.ts'
import type { PageResponse } from '../http/html-page.ts'
import { errorReply } from '../http/response/http-response.ts'
import type { Incoming } from '../http/route.ts'
import { assetPath, assetResponse } from './assets.ts'
import type { PagesDeps } from './deps.ts'
import { html } from './html.ts'
import { contextOf, storedForm } from './page-context.ts'
import { resolveView } from './resolve-view.ts'
import { searchPage, showView } from './router.ts'

/** The script of `<kalends-calendar>` at an address that stays the same, so that pages elsewhere get the newest one. */
export function embedScript(): PageResponse | undefined {
  const asset = assetResponse(assetPath('embed.ts').slice('/assets/'.length))
  return asset && { ...asset, headers: { ...asset.headers, 'cache-control': 'public, max-age=3600' } }
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** What oEmbed says of an address of this site (oembed.com): a frame with an event or a view. */
export async function oEmbed(deps: PagesDeps, incoming: Incoming): Promise<PageResponse> {
  const { query, urls } = incoming
  const { language } = contextOf(incoming)
  const refuse = (failure: Failure): PageResponse => {
    const { status, body } = errorReply(failure, language)
    return { status, body: JSON.stringify(body), type: JSON_TYPE, headers: { 'access-control-allow-origin': '*' } }
  }
  // oembed.com asks for 501 here, which monitors take for a fault of the server.
  if (query['format'] !== undefined && query['format'] !== 'json')
    return refuse(fail('rest_invalid_param', { params: 'format' }, { params: { format: 'json' } }))
  const start = urls.page('/')
  const target = typeof query['url'] === 'string' ? URL.parse(query['url']) : null
  if (target === null || !target.href.startsWith(start)) return refuse(fail('rest_no_route'))
  const path = `/${(target.origin + target.pathname).slice(start.length)}`
  const segment = LANGUAGES.find((one) => path.startsWith(`/${one}/`)) ?? ''
  const local = segment === '' ? path : path.slice(3)
  const anybody = { ...incoming, caller: ANONYMOUS }
  const [, slug, day] = /^\/event\/([^/]+)(?:\/(\d{4}-\d\d-\d\d))?\/?$/.exec(local) ?? []
  const title = await (slug === undefined
    ? titleOfView(deps, anybody, { target, segment, path: local })
    : titleOfEvent(deps, percentDecoded(slug), day)
  ).catch(failureOf)
  if (title === undefined || title instanceof Failure) return refuse(title ?? fail('rest_no_route'))
  target.searchParams.set('embed', '1')
  const width = measure(query['maxwidth'], 640)
  const height = measure(query['maxheight'], 600)
  const frame = html`<iframe src="${target.href}" title="${title}" width="${width}" height="${height}" loading="lazy"></iframe>`
  const answer = {
    ...{ version: '1.0', type: 'rich', title, html: frame.markup, width, height },
    ...{ provider_name: deps.site.name, provider_url: start, cache_age: 3600 },
  }
  const headers = { 'access-control-allow-origin': '*' }
  return { status: 200, body: JSON.stringify(answer), type: JSON_TYPE, headers }
}

/** What a page would be refused with. @throws anything else */
function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error
  throw error
}

/** The title of the event whose page names a slug and, for a further date of a series, a day; undefined where it has no open page. */
async function titleOfEvent({ reader }: PagesDeps, slug: string, day: string | undefined): Promise<string | undefined> {
  const name = day === undefined ? slug : `${slug}-${day}`
  const row = await findEvent(reader, storedForm({ by: 'slug', slug: name }))
  const isThere = row !== undefined && (day === undefined || row.occasion?.page !== undefined)
  return isThere && row.status === 'publish' && row.password_hash === null ? row.title : undefined
}

interface ViewTarget {
  readonly target: URL
  /** Language segment of its path; '' for none. */
  readonly segment: string
  /** Its path behind that. */
  readonly path: string
}

/** What a view is called; undefined where it has no page. It is made, because only then its page of the list is known to be there. */
async function titleOfView(
  deps: PagesDeps,
  incoming: Incoming,
  { target, segment, path }: ViewTarget,
): Promise<string | undefined> {
  const query = Object.fromEntries(target.searchParams)
  const asked = { ...incoming, query, path: {}, mount: { ...incoming.mount, language: segment } }
  const found = await resolveView(deps, asked, path)
  if (found === undefined) return undefined
  const isSearch = /^\/search\/?$/.test(path)
  const { status, type = 'text/html' } = await (isSearch ? searchPage(deps, asked) : showView(deps, asked, found))
  const isPage = status < 300 ? type.startsWith('text/html') : status < 400
  return isPage ? found.scope.name || deps.site.name : undefined
}

function measure(value: unknown, most: number): number {
  const number = Number(value)
  return Number.isInteger(number) && number >= 100 ? Math.min(number, most) : most
}
