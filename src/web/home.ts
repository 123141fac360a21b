import { booleanOf } from '../fields/boolean.ts'
import type { Incoming } from '../http/dispatch.ts'
import type { PageAnswer } from '../http/page.ts'
import { type EntryKey, RESOURCES } from '../model/resource.ts'
import { nextEvents } from './event-list.ts'
import { eventPage } from './event-page.ts'
import { html, layOut } from './layout.ts'
import { linkedPage } from './linked-page.ts'
import { missingPage } from './missing.ts'
import type { WebParts } from './parts.ts'

/** Number of events on the start page. */
const SHOWN = 10

/** The start page; `?post_type=…&p=…` names an event, venue or organizer by its id (wire: events 1.1, row 10). */
export async function homePage(parts: WebParts, incoming: Incoming): Promise<PageAnswer> {
  const { p } = incoming.query
  if (p === undefined) return startPage(parts, incoming)
  const named = itemByNumber(incoming)
  if (named === undefined) return missingPage(parts, incoming)
  if (named.key === 'event') return eventPage(parts, incoming, named)
  return linkedPage(parts, incoming, { ...named, key: named.key })
}

/** What this is, what comes next (`?featured=1`: what is featured), and where the API is. */
async function startPage(parts: WebParts, incoming: Incoming): Promise<PageAnswer> {
  const { site } = parts
  const { urls } = incoming
  const isFeatured = booleanOf(incoming.query['featured']) === true
  const lists = Object.values(RESOURCES).map(
    ({ collection }) => html`<li><a href="${urls.api(`/${collection}`)}">${collection}</a></li>\n`,
  )
  const of = isFeatured ? { featured: true } : undefined
  const { list, calendar } = await nextEvents(parts, incoming, { limit: SHOWN, ...(of && { of }) })
  const body = html`<h1>${site.name}</h1>
<p>This is an event calendar: what happens, when and where. It runs on Kalends.</p>
${list}
<h2>For developers</h2>
<p>Everything here can be read and written over HTTP. The API is at <a href="${urls.api('')}"><code>${urls.api('')}</code></a>; its <a href="${urls.api('/doc')}">OpenAPI document</a> describes every route. The lists:</p>
<ul>
${lists}</ul>`
  const summary = `${site.name}: the next events, and an API for all of them.`
  return layOut({
    title: site.name,
    parts,
    body,
    urls,
    summary,
    calendar,
    canonical: urls.page('/'),
    ...(isFeatured && { data: `${urls.api('/events/')}?featured=1` }),
  })
}

type Named = { readonly key: EntryKey; readonly by: 'id'; readonly id: number }

/** The item that the query names; undefined when its type or number cannot be one. */
function itemByNumber({ query }: Incoming): Named | undefined {
  const { p, post_type } = query
  const key = (['event', 'venue', 'organizer'] as const).find((one) => RESOURCES[one].wireType === post_type)
  return key !== undefined && typeof p === 'string' && /^\d{1,15}$/.test(p)
    ? { key, by: 'id', id: Number(p) }
    : undefined
}
