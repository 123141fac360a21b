import { mayRead } from '../auth/rights.ts'
import { type EventRow, findEvent, isOpen, partsOf, presentEvents } from '../events/index.ts'
import { eventFileAddress } from '../feeds/index.ts'
import type { Incoming } from '../http/dispatch.ts'
import { type PageAnswer, PRIVATE_PAGE } from '../http/page.ts'
import type { Selector } from '../http/resource.ts'
import { queryText } from '../http/urls.ts'
import { decodeEntities } from '../text/entities.ts'
import { utcFromMillis } from '../time/zones.ts'
import {
  commaList,
  description,
  factList,
  itemsMember,
  lineMember,
  linkTo,
  nameOf,
  outward,
  picture,
  type Shown,
  statusNote,
  summaryOf,
  textMember,
} from './content.ts'
import { html, layOut, type Markup, NOTHING } from './layout.ts'
import { missingPage } from './missing.ts'
import { time } from './moments.ts'
import type { WebParts } from './parts.ts'
import { storedForm } from './paths.ts'

/** The page of an event; 404 for those who may not read it. */
export async function eventPage(parts: WebParts, incoming: Incoming, selector: Selector): Promise<PageAnswer> {
  const { reader, lookups, site } = parts
  const { caller, urls } = incoming
  const row = await findEvent(reader, storedForm(selector))
  if (row === undefined || !mayRead(caller, { authorId: row.author_id, status: row.status })) {
    return missingPage(parts, incoming)
  }
  const viewer = { caller, urls, site }
  const opened = isOpen(row, viewer, new Set())
  const showing = { viewer, withJsonLd: opened, opened: new Set<number>() }
  const [event] = await presentEvents(reader, lookups, { rows: [row], showing })
  if (event === undefined) return missingPage(parts, incoming)
  const isPublic = row.status === 'publish' && row.password_hash === null
  return layOut({
    title: nameOf(event, 'title'),
    parts,
    urls,
    body: opened ? eventBody(event, await factsOf(parts, incoming, { row, event })) : closedBody(row, event),
    data: isPublic ? await dataOf(parts, incoming, row.id) : urls.api(`/events/${row.id}`),
    ...(isPublic && { calendar: eventFileAddress(urls, row.id) }),
    canonical: textMember(event, 'url'),
    summary: summaryOf(event),
    jsonLd: event['json_ld'],
    ...(!isPublic && { headers: PRIVATE_PAGE }),
  })
}

/** Address of what the page shows: the event, with its parts where it has some (wire: rest 7). */
async function dataOf({ reader, site }: WebParts, { urls }: Incoming, id: number): Promise<string> {
  const below = await partsOf(reader, id, site.perPageMax)
  if (below.length === 0) return urls.api(`/events/${id}`)
  return `${urls.api('/events/')}?${queryText([['include', [id, ...below].join(',')]])}`
}

function closedBody(row: EventRow, event: Shown): Markup {
  return html`<h1>${nameOf(event, 'title')}</h1>
${statusNote(row.status)}${factList([['When', time({ ...event, all_day: row.all_day === 1 })]])}
<p class="note">This event is protected by a password.</p>`
}

function eventBody(event: Shown, facts: Markup): Markup {
  return html`<h1>${nameOf(event, 'title')}</h1>
${statusNote(textMember(event, 'status'))}${picture(event)}${facts}${description(event)}`
}

async function factsOf(
  parts: WebParts,
  incoming: Incoming,
  { row, event }: { readonly row: EventRow; readonly event: Shown },
): Promise<Markup> {
  const hasEnded = row.end_utc < utcFromMillis(incoming.now)
  const terms = (key: 'category' | 'tag', member: string) => termLinks(parts, incoming, { key, event, member })
  return factList([
    ['When', html`${time(event)}${hasEnded ? html` (over)` : NOTHING}`],
    ['Where', commaList(itemsMember(event, 'venue').map(placeOf))],
    ['Organized by', commaList(itemsMember(event, 'organizer').map((one) => linkTo(one, 'organizer')))],
    ['Cost', html`${lineMember(event, 'cost')}`],
    ['Website', outward(row.website ?? '')],
    ['Categories', await terms('category', 'categories')],
    ['Tags', await terms('tag', 'tags')],
  ])
}

/** A venue with the part of its address that tells people where to go. */
function placeOf(venue: Shown): Markup {
  const place = ['address', 'city'].map((member) => lineMember(venue, member)).filter((part) => part !== '')
  return place.length === 0 ? linkTo(venue, 'venue') : html`${linkTo(venue, 'venue')}, ${place.join(', ')}`
}

/** Embedded terms carry no page address: it is read from the terms themselves. */
async function termLinks(
  { reader, lookups }: WebParts,
  { urls }: Incoming,
  { key, event, member }: { readonly key: 'category' | 'tag'; readonly event: Shown; readonly member: string },
): Promise<Markup> {
  const ids = itemsMember(event, member).map((term) => Number(term['id']))
  if (ids.length === 0) return NOTHING
  const terms = await lookups[key].shownOf(reader, await lookups[key].byIds(reader, ids), urls)
  return commaList(terms.map((term) => html`<a href="${term.url}">${decodeEntities(term.name)}</a>`))
}
