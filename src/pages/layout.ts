import { OWN_NAMESPACE } from '../base/config/namespaces.ts'
import { LANGUAGES } from '../base/i18n/languages.ts'
import { directionOf } from '../base/i18n/translate.ts'
import type { PageResponse } from '../http/html-page.ts'
import { indexLink } from '../http/response/http-response.ts'
import { discovery } from '../http/response/respond.ts'
import type { Freshness } from '../http/route.ts'
import type { Site } from '../model/site.ts'
import { assetPath, themeLink } from './assets.ts'
import type { SiteDeps } from './deps.ts'
import { html, icon, type Markup, NOTHING, trusted, when } from './html.ts'
import { LANGUAGE_NAMES, type PageContext } from './page-context.ts'
import { pagePolicy } from './policy.ts'

/** Another form in which a page may be read: a feed. */
export interface Alternate {
  readonly type: string
  readonly title: string
  readonly href: string
}

/** What a page says of itself to those who link to it. */
export interface Heading {
  /** A sentence, plain text; absent or '' for none. */
  readonly summary?: string
  /** Address of an image; absent or '' for none. */
  readonly image?: string
  /** Open Graph type; `website` if absent. */
  readonly kind?: string
  /** What the page shows as schema.org data; undefined for nothing. */
  readonly jsonLd?: unknown
  /** Feeds of what the page shows. */
  readonly alternates?: readonly Alternate[]
  /** True for pages that search engines need not list. */
  readonly isUnlisted?: boolean
  readonly previous?: string
  readonly next?: string
}

/** A page to be laid out. */
export interface Sheet extends Heading {
  /** 200 if absent. */
  readonly status?: number
  /** Plain text. */
  readonly title: string
  readonly deps: SiteDeps
  readonly context: PageContext
  readonly body: Markup
  /** Path of the page with its query, without the segment of its language; absent where it has no address of its own. */
  readonly path?: string
  /** Address in the API of what the page shows; the root of the API if absent. */
  readonly data?: string
  /** Names of the scripts that the page runs beside that of every page: `month.ts`. */
  readonly scripts?: readonly string[]
  /** Names of style sheets beside that of every page. */
  readonly styles?: readonly string[]
  /** What was searched for, for the field in the head of the page. */
  readonly words?: string
  /** A landmark in place of the public header: navigation of an area of its own. */
  readonly header?: Markup
  readonly headers?: Readonly<Record<string, string>>
  readonly freshness?: Freshness | undefined
  /** Whether the page takes more of a wide screen than others: a month. */
  readonly isWide?: boolean
  /** Whether the page is shown in a frame of any other page: without head and foot, and links open beside it. */
  readonly isEmbedded?: boolean
}

/** The whole document, with the headers and links by which clients find the API from a page (wire: rest 7). */
export function layOut(sheet: Sheet): PageResponse {
  const { context, body } = sheet
  const { urls, language, say } = context
  const root = sheet.data ?? urls.api('/')
  const document = html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
${head(sheet, root)}
</head>
<body${bodyClass(sheet)}>
<a class="skip" href="#main" target="_self">${say('common.skipToContent')}</a>
${sheet.isEmbedded === true ? NOTHING : (sheet.header ?? siteHeader(sheet))}
<main id="main" class="wrap" tabindex="-1">
${body}
</main>
${sheet.isEmbedded === true ? NOTHING : footer(sheet)}
</body>
</html>
`
  return {
    status: sheet.status ?? 200,
    body: document.markup,
    freshness: sheet.freshness,
    headers: {
      'content-security-policy': policyOf(sheet),
      'referrer-policy': 'strict-origin-when-cross-origin',
      link: indexLink(urls),
      ...discovery(urls, root),
      ...sheet.headers,
    },
  }
}

function bodyClass({ isWide = false, isEmbedded = false }: Sheet): Markup {
  const classes = [...(isWide ? ['wide'] : []), ...(isEmbedded ? ['framed'] : [])]
  return when(classes.length > 0, () => html` class="${classes.join(' ')}"`)
}

function policyOf({ body, context, deps: { site }, isEmbedded }: Sheet): string {
  return pagePolicy({
    markup: body.markup,
    start: context.urls.page('/'),
    logo: site.theme?.logo ?? '',
    tiles: site.map?.tiles ?? '',
    framedBy: isEmbedded === true ? '*' : "'self'",
  })
}

function siteHeader({ deps, context, words = '' }: Sheet): Markup {
  const { say } = context
  const label = say('common.searchEvents')
  return html`<header class="site"><div class="wrap">
<a class="brand" href="${context.link('/')}">${brand(deps.site, context)}</a>
<form class="search" role="search" action="${context.link('/search')}" data-suggest="${context.local(context.urls.root(`/${OWN_NAMESPACE}/search`))}" data-script="${context.local(context.urls.page(assetPath('suggest.ts')))}">
<input type="search" name="q" value="${words}" aria-label="${label}" placeholder="${label}" maxlength="200">
<button aria-label="${say('common.search')}">${icon('search')}</button>
</form>
${when(deps.site.takesSubmissions === true, () => html`<a class="offer" href="${context.link('/submit/')}">${say('common.submitAnEvent')}</a>\n`)}</div></header>`
}

function footer({ context, path, deps }: Sheet): Markup {
  const { say, urls } = context
  const languages = LANGUAGES.map((code) => {
    const current = code === context.language ? html` aria-current="true"` : NOTHING
    return html`<li><a href="${context.local(urls.page(`/${code}${path ?? '/'}`))}" lang="${code}" hreflang="${code}"${current}>${LANGUAGE_NAMES[code]}</a></li>`
  })
  const submit = html`<a href="${context.link('/submit/')}">${say('common.submitAnEvent')}</a> · `
  return html`<footer class="site"><div class="wrap">
<nav aria-label="${say('fields.language')}"><ul class="inline">${languages}</ul></nav>
<p>${when(deps.site.takesSubmissions === true, () => submit)}${say('pages.forDevelopers')}: <a href="${context.local(urls.api(''))}">API</a> · <a href="${context.local(urls.api('/doc'))}">OpenAPI</a> · <a href="${context.link('/reference/')}">${say('pages.apiReference')}</a> · <a href="${context.link('/embed/')}">${say('pages.embedThisCalendar')}</a> · Kalends</p>
</div></footer>`
}

function head(sheet: Sheet, root: string): Markup {
  const { title, deps, context, summary = '' } = sheet
  const file = (path: string): string => context.local(context.urls.page(path))
  const heading = title === deps.site.name ? title : `${title} – ${deps.site.name}`
  const elements = [
    html`<meta charset="utf-8">`,
    when(sheet.isEmbedded === true, () => html`<base target="_blank">`),
    html`<meta name="viewport" content="width=device-width, initial-scale=1">`,
    html`<title>${heading}</title>`,
    when(summary !== '', () => html`<meta name="description" content="${summary}">`),
    html`<meta name="color-scheme" content="light dark">`,
    when(sheet.isUnlisted === true, () => html`<meta name="robots" content="noindex, follow">`),
    html`<link rel="icon" href="${file('/favicon.ico')}" type="image/svg+xml">`,
    ...['site.css', ...(sheet.styles ?? [])].map(
      (name) => html`<link rel="stylesheet" href="${file(assetPath(name))}">`,
    ),
    themeLink(deps.site, file),
    ...['site.ts', ...(sheet.scripts ?? [])].map(
      (name) => html`<script type="module" src="${file(assetPath(name))}"></script>`,
    ),
    ...addresses(sheet, root),
    ...cards(sheet, heading),
    jsonLd(sheet.jsonLd),
  ]
  return trusted(
    elements
      .map((element) => element.markup)
      .filter((markup) => markup !== '')
      .join('\n'),
  )
}

/** Where the page, its neighbors, its languages, its data and its feeds are. */
function addresses(sheet: Sheet, root: string): Markup[] {
  const { context, path, deps, alternates = [] } = sheet
  const { urls } = context
  const neighbours = (['previous', 'next'] as const).map((name) => {
    const address = sheet[name]
    if (address === undefined) return NOTHING
    return html`<link rel="${name === 'previous' ? 'prev' : 'next'}" href="${address}">`
  })
  const languages = LANGUAGES.map(
    (code) => html`<link rel="alternate" hreflang="${code}" href="${urls.page(`/${code}${path ?? '/'}`)}">`,
  )
  return [
    html`<meta name="tec-api-version" content="v1">`,
    html`<meta name="tec-api-origin" content="${urls.page('')}">`,
    html`<link rel="https://api.w.org/" href="${urls.index}">`,
    // The data of this page first: clients take the first link.
    html`<link rel="alternate" type="application/json" href="${root}">`,
    ...deps.namespaces.map(
      (name) => html`<link rel="alternate" type="application/json" title="${name}" href="${urls.index}${name}">`,
    ),
    ...alternates.map(({ type, title, href }) =>
      // Clients that look for the data of a page take every such link that starts with its relation.
      type === 'text/calendar'
        ? html`<link rel="alternate" type="${type}" href="${href}">`
        : html`<link href="${href}" rel="alternate" type="${type}" title="${title}">`,
    ),
    ...neighbours,
    ...(path === undefined
      ? []
      : [
          html`<link rel="canonical" href="${context.absolute(context.link(path))}">`,
          when(
            alternates.length > 0,
            () =>
              html`<link href="${urls.page(`/oembed?url=${encodeURIComponent(context.absolute(context.link(path)))}`)}" rel="alternate" type="application/json+oembed">`,
          ),
          html`<link rel="alternate" hreflang="x-default" href="${urls.page(path)}">`,
          ...languages,
        ]),
  ]
}

/** What other sites show where someone links to the page. */
function cards({ title, deps, context, path, summary = '', image = '', kind = 'website' }: Sheet, heading: string) {
  if (path === undefined) return []
  return [
    html`<meta property="og:site_name" content="${deps.site.name}">`,
    html`<meta property="og:type" content="${kind}">`,
    html`<meta property="og:title" content="${title}">`,
    html`<meta property="og:url" content="${context.absolute(context.link(path))}">`,
    html`<meta property="og:locale" content="${context.language}">`,
    when(summary !== '', () => html`<meta property="og:description" content="${summary}">`),
    when(image !== '', () => html`<meta property="og:image" content="${context.absolute(image)}">`),
    html`<meta name="twitter:card" content="${image === '' ? 'summary' : 'summary_large_image'}">`,
    html`<meta name="twitter:title" content="${heading}">`,
  ]
}

/** Search engines read the event from here; `<` is escaped so that no text can end the element. */
function jsonLd(value: unknown): Markup {
  if (value === undefined) return NOTHING
  return trusted(`<script type="application/ld+json">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`)
}

/** The name of a site with its logo, where it has one. */
function brand({ name, theme }: Pick<Site, 'name' | 'theme'>, { local }: PageContext): Markup {
  const logo = theme?.logo ?? ''
  return logo === '' ? html`${name}` : html`<img class="logo" src="${local(logo)}" alt=""> <span>${name}</span>`
}
