import { type Failure, fail } from '../errors.ts'
import { type EventRow, findEvent } from '../events/index.ts'
import type { PageResponse } from '../http/page.ts'
import { errorReply } from '../http/response/http-response.ts'
import type { Incoming } from '../http/route.ts'
import { LANGUAGES } from '../i18n/languages.ts'
import { percentDecoded } from '../text/slug.ts'
import { assetPath, assetResponse } from './assets.ts'
import { hereOf } from './here.ts'
import { html } from './html.ts'
import { layOut } from './layout.ts'
import type { WebParts } from './parts.ts'
import { storedForm } from './paths.ts'

/** The script of `<kalends-calendar>` at an address that stays the same, so that pages elsewhere get the newest one. */
export function embedScript(): PageResponse | undefined {
  const asset = assetResponse(assetPath('embed.ts').slice('/assets/'.length))
  return asset && { ...asset, headers: { ...asset.headers, 'cache-control': 'public, max-age=3600' } }
}

/** Views that can be embedded, with the end of the address of each. */
const VIEWS = { list: '', month: 'month/', week: 'week/' } as const

/** A page that shows the code by which a page elsewhere shows this calendar. */
export function builderPage(parts: WebParts, incoming: Incoming): PageResponse {
  const here = hereOf(incoming)
  const { say, urls } = here
  const view = Object.entries(VIEWS).find(([name]) => name === incoming.query['view'])?.[0] ?? 'list'
  const category = typeof incoming.query['category'] === 'string' ? incoming.query['category'].slice(0, 200) : ''
  const label = { list: say('List'), month: say('Month'), week: say('Week') } as const
  const within = category === '' ? '' : ` category="${category.replaceAll(/[<>"&]/g, '')}"`
  const script = `<script type="module" src="${urls.page('/embed/calendar.js')}"></script>\n<kalends-calendar src="${urls.page('')}" view="${view}"${within}></kalends-calendar>`
  const below = category.split('/').flatMap((slug) => (slug === '' ? [] : [`${encodeURIComponent(slug)}/`]))
  const scope = below.length === 0 ? '/events/' : `/events/category/${below.join('')}`
  const frame = `<iframe src="${urls.page(`${scope}${VIEWS[view as keyof typeof VIEWS]}?embed=1`)}" title="${parts.site.name.replaceAll(/[<>"&]/g, '')}" width="100%" height="700" loading="lazy"></iframe>`
  const options = Object.keys(VIEWS).map(
    (name) =>
      html`<option value="${name}"${name === view ? html` selected` : html``}>${label[name as keyof typeof VIEWS]}</option>`,
  )
  const body = html`<h1>${say('Embed this calendar')}</h1>
<form class="builder" action="${here.link('/embed/')}">
<label>${say('View')} <select name="view">${options}</select></label>
<label>${say('Category')} <input name="category" value="${category}" maxlength="200"></label>
<button>${say('Show code')}</button>
</form>
<p>${say('Copy this code into your page.')}</p>
<h2>${say('As a script')}</h2>
<pre class="code" tabindex="0"><code>${script}</code></pre>
<h2>${say('As a frame')}</h2>
<pre class="code" tabindex="0"><code>${frame}</code></pre>`
  const freshness = { dependencies: [] }
  return layOut({ title: say('Embed this calendar'), parts, here, body, path: '/embed/', isUnlisted: true, freshness })
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** What oEmbed says of an address of this site (oembed.com): a frame with an event or a view. */
export async function oEmbed(parts: WebParts, incoming: Incoming): Promise<PageResponse> {
  const { query, urls } = incoming
  const { language } = hereOf(incoming)
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
  const local = LANGUAGES.some((one) => path.startsWith(`/${one}/`)) ? path.slice(3) : path
  const [, slug, day] = /^\/event\/([^/]+)(?:\/(\d{4}-\d\d-\d\d))?\/?$/.exec(local) ?? []
  const isView = /^\/(events|search|venue|organizer|tag|series)(\/|$)/.test(local) || local === '/'
  const row = slug === undefined ? undefined : await eventAt(parts, percentDecoded(slug), day)
  const isOpen = row?.status === 'publish' && row.password_hash === null
  if (slug === undefined ? !isView : !isOpen) return refuse(fail('rest_no_route'))
  target.searchParams.set('embed', '1')
  const width = measure(query['maxwidth'], 640)
  const height = measure(query['maxheight'], 600)
  const title = row?.title ?? parts.site.name
  const frame = html`<iframe src="${target.href}" title="${title}" width="${width}" height="${height}" loading="lazy"></iframe>`
  const answer = {
    ...{ version: '1.0', type: 'rich', title, html: frame.markup, width, height },
    ...{ provider_name: parts.site.name, provider_url: start, cache_age: 3600 },
  }
  const headers = { 'access-control-allow-origin': '*' }
  return { status: 200, body: JSON.stringify(answer), type: JSON_TYPE, headers }
}

/** The event whose page names a slug and, for a further date of a series, a day. */
async function eventAt({ reader }: WebParts, slug: string, day: string | undefined): Promise<EventRow | undefined> {
  if (day === undefined) return findEvent(reader, storedForm({ by: 'slug', slug }))
  const further = await findEvent(reader, storedForm({ by: 'slug', slug: `${slug}-${day}` }))
  return further?.occasion?.page === undefined ? undefined : further
}

function measure(value: unknown, most: number): number {
  const number = Number(value)
  return Number.isInteger(number) && number >= 100 ? Math.min(number, most) : most
}
