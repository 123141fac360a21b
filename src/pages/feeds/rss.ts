import { millisFromUtc } from '../../base/time/zones.ts'
import type { PageResponse } from '../../http/html-page.ts'
import { html, type Markup, trusted, when } from '../html.ts'
import { feedsOf, type ViewRequest } from '../views/view.ts'
import { feedEntries, feedTitle } from './entries.ts'

/** Characters that XML cannot hold, not even escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken away
const ILLEGAL_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** The events to come of a scope as RSS 2.0. */
export async function rssFeed(view: ViewRequest): Promise<PageResponse> {
  const { context } = view
  const { home, rss } = feedsOf(view)
  const { entries, freshness } = await feedEntries(view)
  const title = feedTitle(view)
  const items = entries.map(
    (entry) => html`<item>
<title>${entry.title}</title>
<link>${entry.url}</link>
<guid isPermaLink="true">${entry.url}</guid>
<pubDate>${stamp(entry.published)}</pubDate>
${entry.categories.map((name) => html`<category>${name}</category>\n`)}<description>${entry.content}</description>
${when(entry.image !== undefined, () => imageElement(entry.image ?? ''))}</item>
`,
  )
  const document = html`<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/">
<channel>
<title>${title}</title>
<link>${home}</link>
<atom:link href="${rss}" rel="self" type="application/rss+xml"/>
<description>${context.say('pages.siteDescription', { name: title })}</description>
<language>${context.language}</language>
<ttl>60</ttl>
${items}</channel>
</rss>
`
  const body = trusted(`<?xml version="1.0" encoding="utf-8"?>\n${document.markup}`).markup.replace(ILLEGAL_IN_XML, '')
  return { status: 200, body, type: 'application/rss+xml; charset=utf-8', freshness }
}

function imageElement(address: string): Markup {
  return html`<media:content url="${address}" medium="image"/>\n`
}

/** RFC 822, as RSS has its dates. */
function stamp(utc: string): string {
  return new Date(millisFromUtc(utc)).toUTCString()
}
