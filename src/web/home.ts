import { upcomingEvents } from '../events/index.ts'
import type { Incoming } from '../http/dispatch.ts'
import type { PageAnswer } from '../http/page.ts'
import { RESOURCES } from '../model/resource.ts'
import { eventList } from './content.ts'
import { eventPage, linkedPage } from './items.ts'
import { html, layOut } from './layout.ts'
import type { WebParts } from './parts.ts'

/** Number of events on the start page. */
const SHOWN = 10

/** The start page: what this is, what comes next, and where the API is; `?post_type=…&p=…` names an item by its id. */
export async function homePage(parts: WebParts, incoming: Incoming): Promise<PageAnswer> {
  const named = itemByNumber(incoming)
  if (named?.key === 'event') return eventPage(parts, incoming, named)
  if (named !== undefined) return linkedPage(parts, incoming, { ...named, key: named.key })
  const { site, shelves, reader } = parts
  const { urls, now } = incoming
  const events = await upcomingEvents(reader, { site, shelves, urls, now, limit: SHOWN })
  const api = urls.api('')
  const lists = Object.values(RESOURCES).map(
    ({ collection }) => html`<li><a href="${urls.api(`/${collection}`)}">${collection}</a></li>\n`,
  )
  const body = html`<h1>${site.name}</h1>
<p>This is an event calendar. It runs on Kalends, and everything on it can be read and written over HTTP.</p>
<h2>Next events</h2>
${eventList(events)}
<h2>For developers</h2>
<p>The API is at <a href="${api}"><code>${api}</code></a>; its <a href="${urls.api('/doc')}">OpenAPI document</a> describes every route.</p>
<ul>
${lists}</ul>`
  return layOut({ title: site.name, siteName: site.name, body, apiRoot: `${api}/`, origin: urls.page('') })
}

type Named = { readonly key: 'event' | 'venue' | 'organizer'; readonly by: 'id'; readonly id: number }

function itemByNumber({ query }: Incoming): Named | undefined {
  const number = typeof query['p'] === 'string' && /^\d{1,15}$/.test(query['p']) ? Number(query['p']) : 0
  if (number === 0) return undefined
  const key = (['event', 'venue', 'organizer'] as const).find((one) => RESOURCES[one].wireType === query['post_type'])
  return key === undefined ? undefined : { key, by: 'id', id: number }
}
