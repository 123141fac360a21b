import { mayRead } from '../auth/rights.ts'
import { type EventRow, findEvent, gatherEvents, isOpen, upcomingEvents } from '../events/index.ts'
import type { Incoming } from '../http/dispatch.ts'
import type { PageAnswer } from '../http/page.ts'
import type { Selector } from '../http/resource.ts'
import { RESOURCES } from '../model/resource.ts'
import { slugify } from '../text/slug.ts'
import { commaList, eventList, fact, itemsMember, linkTo, outward, type Shown, textMember, when } from './content.ts'
import { html, layOut, type Markup, trusted } from './layout.ts'
import { missingPage } from './missing.ts'
import type { WebParts } from './parts.ts'

/** Number of events on the page of a venue, organizer or term. */
const SHOWN = 20

/** What a path segment means as a slug: it arrives decoded, and slugs are stored in their percent-encoded form. */
function storedForm(selector: Selector): Selector {
  return selector.by === 'id' ? selector : { by: 'slug', slug: slugify(selector.slug) }
}

/** The page of an event; 404 for those who may not read it. */
export async function eventPage(parts: WebParts, incoming: Incoming, selector: Selector): Promise<PageAnswer> {
  const row = await findEvent(parts.reader, storedForm(selector))
  if (row === undefined || !mayRead(incoming.caller, { authorId: row.author_id, status: row.status })) {
    return missingPage(parts, incoming)
  }
  const viewer = { caller: incoming.caller, urls: incoming.urls, site: parts.site }
  const opened = isOpen(row, viewer, new Set())
  const showing = { viewer, withJsonLd: opened, opened: new Set<number>() }
  const [event] = await gatherEvents(parts.reader, parts.shelves, { rows: [row], showing })
  if (event === undefined) return missingPage(parts, incoming)
  return layOut({
    title: row.title,
    siteName: parts.site.name,
    body: eventBody(row, event, opened),
    head: jsonLd(event),
    apiRoot: incoming.urls.api(`/events/${row.id}`),
    origin: incoming.urls.page(''),
    headers: row.status === 'publish' && row.password_hash === null ? {} : { 'cache-control': 'private, no-store' },
  })
}

/** Search engines read the event from here; `<` is escaped so that no text can end the element. */
function jsonLd(event: Shown): Markup {
  if (event['json_ld'] === undefined) return trusted('')
  return trusted(
    `<script type="application/ld+json">${JSON.stringify(event['json_ld']).replaceAll('<', '\\u003c')}</script>`,
  )
}

function eventBody(row: EventRow, event: Shown, opened: boolean): Markup {
  if (!opened)
    return html`<h1>${row.title}</h1>\n<p><time>${when({ ...event, all_day: row.all_day === 1 })}</time></p>\n<p>This event is protected by a password.</p>`
  const website = row.website ?? ''
  return html`<h1>${row.title}</h1>
${picture(event)}
<dl>
${fact('When', when(event))}${fact('Where', commaList(itemsMember(event, 'venue').map((one) => linkTo(one, 'venue'))))}
${fact('Organized by', commaList(itemsMember(event, 'organizer').map((one) => linkTo(one, 'organizer'))))}
${fact('Cost', textMember(event, 'cost'))}${fact('Web site', website === '' ? '' : outward(website))}
${fact('Categories', commaList(itemsMember(event, 'categories').map(termLink('events/category'))))}
${fact('Tags', commaList(itemsMember(event, 'tags').map(termLink('tag'))))}
</dl>
${trusted(textMember(event, 'description'))}`
}

/** Embedded terms carry no page address; the last segment of a category's address is all that its page needs. */
function termLink(page: string): (term: Shown) => Markup {
  return (term) => html`<a href="/${page}/${textMember(term, 'slug')}/">${trusted(textMember(term, 'name'))}</a>`
}

function picture(item: Shown): Markup {
  const image = item['image']
  const address = typeof image === 'object' && image !== null ? textMember(image as Shown, 'url') : ''
  return /^https?:\/\//i.test(address) ? html`<p><img src="${address}" alt=""></p>` : trusted('')
}

/** The page of a venue or organizer with its next events. */
export async function linkedPage(
  parts: WebParts,
  incoming: Incoming,
  wanted: Selector & { readonly key: 'venue' | 'organizer' },
): Promise<PageAnswer> {
  const { key } = wanted
  const shown = await findLinked(parts, incoming, wanted)
  if (shown === undefined) return missingPage(parts, incoming)
  const id = Number(shown['id'])
  const { reader, site, shelves } = parts
  const { urls, now } = incoming
  const events = await upcomingEvents(reader, { site, shelves, urls, now, limit: SHOWN, of: { [key]: [id] } })
  const name = textMember(shown, key)
  const place = ['address', 'city', 'stateprovince', 'zip', 'country'].map((member) => textMember(shown, member))
  const body = html`<h1>${trusted(name)}</h1>
${picture(shown)}
<dl>
${fact('Address', place.filter((part) => part !== '').join(', '))}${fact('Telephone', textMember(shown, 'phone'))}
${fact('E-mail', textMember(shown, 'email'))}${fact('Web site', textMember(shown, 'website') === '' ? '' : outward(textMember(shown, 'website')))}
</dl>
${trusted(textMember(shown, 'description'))}
<h2>Next events</h2>
${eventList(events)}`
  const apiRoot = urls.api(`/${RESOURCES[key].collection}/${id}`)
  return layOut({ title: plain(name), siteName: site.name, body, apiRoot, origin: urls.page('') })
}

/** Names are answered with &, < and > encoded; the title of a page is escaped once more. */
function plain(encoded: string): string {
  return encoded.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

async function findLinked(
  { reader, shelves, site }: WebParts,
  { caller, urls }: Incoming,
  wanted: Selector & { readonly key: 'venue' | 'organizer' },
): Promise<Shown | undefined> {
  const selector = storedForm(wanted)
  const showing = { viewer: { caller, urls, site }, lineage: undefined, withJsonLd: false }
  if (wanted.key === 'venue') {
    const row = await shelves.venue.find(reader, selector)
    return row !== undefined && mayRead(caller, { authorId: row.author_id, status: row.status })
      ? shelves.venue.present(row, showing)
      : undefined
  }
  const row = await shelves.organizer.find(reader, selector)
  return row !== undefined && mayRead(caller, { authorId: row.author_id, status: row.status })
    ? shelves.organizer.present(row, showing)
    : undefined
}

/** The page of a category or tag with its next events. */
export async function termPage(
  parts: WebParts,
  incoming: Incoming,
  wanted: { readonly key: 'category' | 'tag'; readonly slug: string },
): Promise<PageAnswer> {
  const { reader, site, shelves } = parts
  const shelf = shelves[wanted.key]
  const term = await shelf.bySlug(reader, slugify(wanted.slug))
  if (term === undefined) return missingPage(parts, incoming)
  const { urls, now } = incoming
  const ids = await shelf.descendants(reader, [term.id])
  const of = wanted.key === 'category' ? { categories: ids } : { tags: ids }
  const events = await upcomingEvents(reader, { site, shelves, urls, now, limit: SHOWN, of })
  const body = html`<h1>${term.name}</h1>\n${trusted(term.description)}\n<h2>Next events</h2>\n${eventList(events)}`
  const filter = wanted.key === 'category' ? 'categories' : 'tags'
  const apiRoot = `${urls.api('/events/')}?${filter}=${encodeURIComponent(term.slug)}`
  return layOut({ title: term.name, siteName: site.name, body, apiRoot, origin: urls.page('') })
}
