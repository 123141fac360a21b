import { percentDecoded } from '../base/text/slug.ts'
import { queryText } from '../http/address.ts'
import { ANONYMOUS } from '../http/auth/rights.ts'
import type { PageResponse } from '../http/html-page.ts'
import type { Incoming } from '../http/route.ts'
import type { PagesDeps } from './deps.ts'
import { html, type Markup, NOTHING, when } from './html.ts'
import { layOut } from './layout.ts'
import { contextOf, type PageContext } from './page-context.ts'
import { resolveView } from './resolve-view.ts'
import { ALL_EVENTS, type Scope } from './scope.ts'
import { narrowing } from './views/view.ts'

/** Views that can be embedded, with the end of the address of each. */
const VIEWS = { list: '', month: 'month/', week: 'week/' } as const

type EmbeddedView = keyof typeof VIEWS

/** Attributes of `<kalends-calendar>` that name a part of the calendar, with the beginning of its path. */
const PART_ATTRIBUTES = [
  ['category', '/events/category/'],
  ['tag', '/events/tag/'],
  ['venue', '/venue/'],
  ['organizer', '/organizer/'],
  ['series', '/series/'],
] as const

/** Most categories that are offered. */
const OFFERED = 200

/** What is embedded. */
interface Embedded {
  readonly view: EmbeddedView
  readonly scope: Scope
  /** Filters beside the scope. */
  readonly filters: readonly (readonly [string, string])[]
}

/** A page that shows the code by which a page elsewhere shows this calendar or a part of it (`of`, its path), and how it looks. */
export async function builderPage(deps: PagesDeps, incoming: Incoming): Promise<PageResponse> {
  const context = contextOf(incoming)
  const { say } = context
  const { query } = incoming
  const view = (['month', 'week'] as const).find((name) => name === query['view']) ?? 'list'
  const of = typeof query['of'] === 'string' ? query['of'] : ''
  // What not everybody may read is embedded by nobody.
  const found = await resolveView(deps, { ...incoming, caller: ANONYMOUS }, of)
  const scope = found?.rest.length === 0 ? found.scope : ALL_EVENTS
  const embedded: Embedded = { view, scope, filters: narrowing(incoming) }
  const address = frameAddress(embedded, context)
  const name = scope.name === '' ? deps.site.name : `${scope.name} – ${deps.site.name}`
  const frame = html`<iframe src="${context.absolute(address)}" title="${name}" width="100%" height="700" loading="lazy"></iframe>`
  const body = html`<h1>${say('pages.embedThisCalendar')}</h1>
${await form(deps, embedded, context)}
<p>${say('pages.copyCode')}</p>
<h2>${say('pages.withAScript')}</h2>
<pre class="code" tabindex="0" dir="ltr"><code>${scriptCode(embedded, context).markup}</code></pre>
<h2>${say('pages.withAnIframe')}</h2>
<pre class="code" tabindex="0" dir="ltr"><code>${frame.markup}</code></pre>
<h2><a href="${address}">${say('common.preview')}</a></h2>
<iframe class="preview" src="${address}" title="${say('common.preview')}" loading="lazy" inert></iframe>`
  return layOut({
    title: say('pages.embedThisCalendar'),
    ...{ deps, context, body, path: '/embed/', isUnlisted: true },
    freshness: { dependencies: [{ of: 'event' }, { of: 'category' }, ...scope.dependencies] },
  })
}

/** Address of a view for a frame, in the language of this page. */
function frameAddress({ view, scope, filters }: Embedded, context: PageContext): string {
  return context.link(`${scope.base}${VIEWS[view]}?${queryText([...filters, ['embed', '1']])}`)
}

/** The elements that a page elsewhere needs for the script. */
function scriptCode({ view, scope, filters }: Embedded, context: PageContext): Markup {
  const part = PART_ATTRIBUTES.find(([, above]) => scope.base.startsWith(above))
  const slugs = part === undefined ? '' : percentDecoded(scope.base.slice(part[1].length, -1))
  const within = part === undefined ? NOTHING : html` ${part[0]}="${slugs}"`
  const narrowed = when(filters.length > 0, () => html` filter="${queryText(filters)}"`)
  const { urls, segment } = context
  const language = when(segment !== '', () => html` lang="${segment}"`)
  return html`<script type="module" src="${urls.page('/embed/calendar.js')}"></script>
<kalends-calendar src="${urls.page('')}" view="${view}"${within}${narrowed}${language}></kalends-calendar>`
}

async function form(
  { reader, lookups }: PagesDeps,
  { view, scope, filters }: Embedded,
  context: PageContext,
): Promise<Markup> {
  const { say, urls } = context
  const label = { list: say('common.list'), month: say('common.month'), week: say('pages.week') } as const
  const views = (Object.keys(VIEWS) as EmbeddedView[]).map(
    (name) => html`<option value="${name}"${when(name === view, () => html` selected`)}>${label[name]}</option>`,
  )
  const terms = await lookups.category.used(reader, OFFERED)
  const shown = await lookups.category.shownOf(reader, terms, urls)
  const offers = shown.map(({ url }, index) => [url.slice(urls.page('').length), terms[index]?.name ?? ''] as const)
  const isOther = scope.base !== '/events/' && !offers.some(([path]) => path === scope.base)
  const all = [
    ['', say('pages.allEvents')] as const,
    ...(isOther ? [[scope.base, scope.name] as const] : []),
    ...offers,
  ]
  const parts = all.map(
    ([path, name]) => html`<option value="${path}"${when(path === scope.base, () => html` selected`)}>${name}</option>`,
  )
  return html`<form class="builder" action="${context.link('/embed/')}">
<label>${say('pages.view')} <select name="view">${views}</select></label>
<label>${say('common.events')} <select name="of">${parts}</select></label>
${filters.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button>${say('pages.showCode')}</button>
</form>`
}
