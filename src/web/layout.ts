import type { PageAnswer } from '../http/page.ts'
import { escapeHtml } from '../text/entities.ts'

/** Text that is HTML already; everything else is escaped by `html`. */
export interface Markup {
  readonly markup: string
}

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

/** HTML that was sanitised when it was stored, or text that was encoded for the wire. */
export function trusted(markup: string): Markup {
  return { markup }
}

/** A page to be laid out. */
export interface Sheet {
  readonly status?: number
  readonly title: string
  readonly siteName: string
  readonly body: Markup
  /** Markup for the head beside the title. */
  readonly head?: Markup
  readonly headers?: Readonly<Record<string, string>>
  /** Address of the API below which this page's data is found. */
  readonly apiRoot: string
  readonly origin: string
}

const STYLE = `
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem; margin: 0 auto; padding: 1rem; }
header { border-bottom: 1px solid #8886; margin-bottom: 1.5rem; }
header p { margin: .5rem 0; font-weight: 600; }
h1 { line-height: 1.2; }
ol.events { list-style: none; padding: 0; }
ol.events li { padding: .6rem 0; border-bottom: 1px solid #8883; }
time, .where { color: #555; }
dt { font-weight: 600; } dd { margin: 0 0 .6rem; }
img { max-width: 100%; height: auto; }
code { background: #8882; padding: .1rem .3rem; border-radius: .2rem; overflow-wrap: anywhere; }
@media (prefers-color-scheme: dark) { time, .where { color: #bbb; } }
`

/** Scripts never run on these pages; pictures and frames may come from where the content says. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src http: https: data:; media-src http: https:; frame-src https:; base-uri 'none'; form-action 'none'"

/** The whole document, with the headers by which clients find the API from a page (wire: rest 7). */
export function layOut(sheet: Sheet): PageAnswer {
  const { title, siteName, body, apiRoot, origin } = sheet
  const heading = title === siteName ? siteName : `${title} – ${siteName}`
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="tec-api-version" content="v1">
<meta name="tec-api-origin" content="${origin}">
<link rel="alternate" type="application/json" href="${apiRoot}">
<title>${heading}</title>
<style>${trusted(STYLE)}</style>
${sheet.head ?? trusted('')}
</head>
<body>
<header><p><a href="${origin}/">${siteName}</a></p></header>
<main>
${body}
</main>
</body>
</html>
`
  const headers = {
    'content-security-policy': POLICY,
    'x-tec-api-version': 'v1',
    'x-tec-api-root': apiRoot,
    'x-tec-api-origin': origin,
    ...sheet.headers,
  }
  return { status: sheet.status ?? 200, html: document.markup, headers }
}
