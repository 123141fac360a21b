import type { PageAnswer } from '../http/page.ts'
import { discovery, indexLink } from '../http/response/discovery.ts'
import type { Urls } from '../http/urls.ts'
import { escapeHtml } from '../text/entities.ts'
import type { SiteParts } from './parts.ts'
import { STYLE } from './style.ts'

/** Text that is HTML already; everything else is escaped by `html`. */
export interface Markup {
  readonly markup: string
}

/** No markup at all. */
export const NOTHING: Markup = { markup: '' }

/** Template of HTML: values are escaped, markup and lists of markup are put in as they are. */
export function html(
  parts: TemplateStringsArray,
  ...values: readonly (string | number | Markup | readonly Markup[])[]
): Markup {
  return { markup: parts.reduce((text, part, index) => text + part + textOf(values[index]), '') }
}

function textOf(value: string | number | Markup | readonly Markup[] | undefined): string {
  if (value === undefined) return ''
  if (typeof value === 'object') return 'markup' in value ? value.markup : value.map((one) => one.markup).join('')
  return escapeHtml(String(value))
}

/** HTML that was sanitised when it was stored. */
export function trusted(markup: string): Markup {
  return { markup }
}

/** A page to be laid out. */
export interface Sheet {
  /** 200 when absent. */
  readonly status?: number
  /** Plain text. */
  readonly title: string
  readonly parts: SiteParts
  readonly body: Markup
  readonly urls: Urls
  /** Address in the API of what the page shows; the root of the API when absent. */
  readonly data?: string
  /** Address of what the page shows as an iCalendar file; absent where nobody else may read that. */
  readonly calendar?: string
  /** The one address of the page; absent where it has none. */
  readonly canonical?: string
  /** A sentence for search engines, plain text; absent or '' for none. */
  readonly summary?: string
  /** What the page shows for search engines; undefined for nothing. */
  readonly jsonLd?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Scripts never run on these pages; pictures and frames may come from where the content says. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src http: https: data:; media-src http: https:; frame-src https:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

/** The whole document, with the headers and links by which clients find the API from a page (wire: rest 7). */
export function layOut(sheet: Sheet): PageAnswer {
  const { parts, body, urls } = sheet
  const siteName = parts.site.name
  const root = sheet.data ?? urls.api('/')
  // The heading of the start page is the name of the site already.
  const header =
    sheet.title === siteName ? NOTHING : html`<header><a href="${urls.page('/')}">${siteName}</a></header>\n`
  const document = html`<!doctype html>
<html lang="en">
<head>
${head(sheet, root)}
</head>
<body>
${header}<main>
${body}${calendarLink(sheet)}
</main>
<footer>This calendar has an <a href="${urls.api('')}">API</a>, described by an <a href="${urls.api('/doc')}">OpenAPI document</a>.</footer>
</body>
</html>
`
  const headers = {
    'content-security-policy': POLICY,
    'referrer-policy': 'strict-origin-when-cross-origin',
    link: indexLink(urls),
    ...discovery(urls, root),
    ...sheet.headers,
  }
  return { status: sheet.status ?? 200, html: document.markup, headers }
}

function calendarLink({ calendar }: Sheet): Markup {
  if (calendar === undefined) return NOTHING
  return html`\n<p><a href="${calendar}">Add to your calendar</a> (iCalendar)</p>`
}

function head(sheet: Sheet, root: string): Markup {
  const {
    title,
    parts: { site, namespaces },
    urls,
    calendar = '',
    canonical = '',
    summary = '',
  } = sheet
  const heading = title === site.name ? title : `${title} – ${site.name}`
  const elements = [
    html`<meta charset="utf-8">`,
    html`<meta name="viewport" content="width=device-width, initial-scale=1">`,
    html`<title>${heading}</title>`,
    summary === '' ? NOTHING : html`<meta name="description" content="${summary}">`,
    html`<meta name="tec-api-version" content="v1">`,
    html`<meta name="tec-api-origin" content="${urls.page('')}">`,
    html`<link rel="https://api.w.org/" href="${urls.index}">`,
    // The data of this page first: clients take the first link.
    html`<link rel="alternate" type="application/json" href="${root}">`,
    ...namespaces.map(
      (name) => html`<link rel="alternate" type="application/json" title="${name}" href="${urls.index}${name}">`,
    ),
    calendar === '' ? NOTHING : html`<link rel="alternate" type="text/calendar" href="${calendar}">`,
    canonical === '' ? NOTHING : html`<link rel="canonical" href="${canonical}">`,
    html`<style>${trusted(STYLE)}</style>`,
    jsonLd(sheet.jsonLd),
  ]
  return trusted(
    elements
      .map((element) => element.markup)
      .filter((markup) => markup !== '')
      .join('\n'),
  )
}

/** Search engines read the event from here; `<` is escaped so that no text can end the element. */
function jsonLd(value: unknown): Markup {
  if (value === undefined) return NOTHING
  return trusted(`<script type="application/ld+json">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`)
}
