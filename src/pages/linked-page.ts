import type { LinkedLookup } from '../calendar/shared/linked/lookup.ts'
import { pageUrl } from '../calendar/shared/present.ts'
import { imagesOf } from '../calendar/shared/stored-image.ts'
import { mayRead } from '../http/auth/rights.ts'
import type { Dependency } from '../http/cache/versions.ts'
import type { Selector } from '../http/resource.ts'
import type { Incoming } from '../http/route.ts'
import type { Reader } from '../storage/engine.ts'
import type { EntryColumns, MediaTable, OrganizerTable, VenueTable } from '../storage/schema.ts'
import { imageOf, wholeImage } from './cards.ts'
import { contact, factList, inOwnLanguage, outward, prose, statusNote, summaryOf } from './content.ts'
import type { PagesDeps } from './deps.ts'
import { html, joined, type Markup, when } from './html.ts'
import { contextOf, type PageContext, storedForm } from './page-context.ts'
import { addressText, mapAddress, mapButton, placeData } from './place-map.ts'
import type { Scope } from './scope.ts'

/** A venue or organizer as a scope of views; undefined for those who may not read it. */
export async function linkedScope(
  deps: PagesDeps,
  incoming: Incoming,
  wanted: Selector & { readonly key: 'venue' | 'organizer' },
): Promise<Scope | undefined> {
  const { lookups } = deps
  if (wanted.key === 'venue') {
    const found = await findOn(lookups.venue, deps.reader, { selector: wanted, incoming })
    return (
      found && scopeOf(incoming, { ...found, key: 'venue', facts: venueFacts(found.row, deps, contextOf(incoming)) })
    )
  }
  const found = await findOn(lookups.organizer, deps.reader, { selector: wanted, incoming })
  return (
    found && scopeOf(incoming, { ...found, key: 'organizer', facts: organizerFacts(found.row, contextOf(incoming)) })
  )
}

interface Found<Row> {
  readonly row: Row
  readonly picture: MediaTable | undefined
}

async function findOn<Row extends EntryColumns>(
  lookup: LinkedLookup<Row>,
  reader: Reader,
  { selector, incoming: { caller } }: { readonly selector: Selector; readonly incoming: Incoming },
): Promise<Found<Row> | undefined> {
  const row = await lookup.find(reader, storedForm(selector))
  if (row === undefined || !mayRead(caller, { authorId: row.author_id, status: row.status })) return undefined
  return { row, picture: (await imagesOf(reader, [row])).get(row.id) }
}

interface LinkedFound extends Found<VenueTable | OrganizerTable> {
  readonly key: 'venue' | 'organizer'
  readonly facts: Markup
}

function scopeOf(incoming: Incoming, { row, picture, key, facts }: LinkedFound): Scope {
  const context = contextOf(incoming)
  const { say } = context
  const isVenue = key === 'venue'
  const name = row.name.trim() || say(isVenue ? 'pages.unnamedVenue' : 'pages.unnamedOrganizer')
  const image = imageOf(row, picture, context)
  const element = wholeImage(image, context, '(max-width: 60rem) 100vw, 24rem')
  const home = pageUrl(key, row, context.urls).slice(context.urls.page('').length)
  const intro = html`<div class="profile">
<div class="words">
<p class="kind">${say(isVenue ? 'fields.venue' : 'common.organizer')}</p>
<h1>${inOwnLanguage(name, row.language)}</h1>
${statusNote(row.status, context)}${facts}${prose(row.description, row.language)}</div>
${element}
</div>`
  const used: Dependency[] = [{ of: key, id: row.id }]
  if (row.image_id !== null) used.push({ of: 'media', id: row.image_id })
  return {
    base: `/${key}/${row.slug}/`,
    home,
    filter: { [key]: String(row.id) },
    name,
    intro,
    summary: summaryOf(row),
    ...(image !== undefined && { image: image.files[0].url }),
    dependencies: used,
    isPrivate: row.status !== 'publish',
  }
}

function venueFacts(row: VenueTable, deps: PagesDeps, context: PageContext): Markup {
  const { say } = context
  const isPlaced = row.geo_lat !== null && row.geo_lng !== null && row.show_map === 1
  const shown = isPlaced ? html`<span hidden${placeData(row)}></span>${mapButton(deps, context)}` : html``
  const map = mapAddress(row)
  const address = addressText(row)
  const lines = [
    when(address !== '', () => html`<bdi>${address}</bdi>`),
    when(
      map !== undefined,
      () => html`<a class="directions" href="${map ?? ''}" rel="noopener">${say('pages.directions')}</a>`,
    ),
  ].filter(({ markup }) => markup !== '')
  return html`${factList([
    [say(address === '' ? 'pages.where' : 'fields.address'), joined(lines, '<br>')],
    [say('pages.phone'), contact('tel', row.phone)],
    [say('fields.website'), outward(row.website ?? '')],
  ])}${shown}`
}

function organizerFacts(row: OrganizerTable, { say }: PageContext): Markup {
  return factList([
    [say('pages.phone'), contact('tel', row.phone)],
    [say('fields.email'), contact('mailto', row.email)],
    [say('fields.website'), outward(row.website ?? '')],
  ])
}
