import type { EventWithRelations } from '../../calendar/events/index.ts'
import { pageUrl } from '../../calendar/shared/present.ts'
import type { PageResponse } from '../../http/html-page.ts'
import type { VenueTable } from '../../storage/schema.ts'
import { todayIn } from '../dates.ts'
import { eventCard } from '../event-cards.ts'
import { html, when } from '../html.ts'
import { layOut } from '../layout.ts'
import { addressText, MAP_SCRIPTS, mapAddress, mapButton, placeData } from '../place-map.ts'
import { ask, freshUntil, upcoming } from './question.ts'
import { headOf, questionOf, subscribeLinks, type ViewRequest, viewHeading, viewsNav } from './view.ts'

/** Events of which the places are shown. */
const MAPPED = 200

/** What is to come by its places, each with a way to a map. */
export async function mapView(view: ViewRequest): Promise<PageResponse> {
  const { context, deps, incoming, scope } = view
  const { set, until } = upcoming(deps.site.zone, incoming.now)
  const found = await ask(questionOf(view, { ...set, geoloc: 'true' }), (total) => ({
    page: 1,
    perPage: Math.min(total, MAPPED),
    offset: 0,
  }))
  const events = await found.events(found.ids)
  const groups = Map.groupBy(events, (event) => placeOf(event)?.id ?? 0)
  const hasMap = events.some((event) => isMapped(placeOf(event)))
  const body = html`${viewHeading(view, context.say('pages.places'))}
<div class="bar">${viewsNav(view, 'map', todayIn(deps.site.zone, incoming.now))}</div>
${when(hasMap, () => mapButton(deps, context))}${[...groups.values()].map((group) => placeSection(group, view))}
${when(events.length === 0, () => html`<p class="empty">${context.say('pages.noneOnMap')}</p>`)}
${subscribeLinks(view)}`
  return layOut({
    ...headOf(view, `${scope.base}map/`),
    title: context.say('pages.places'),
    body,
    scripts: MAP_SCRIPTS,
    isUnlisted: true,
    freshness: freshUntil(
      found.freshness,
      [...scope.dependencies, ...events.flatMap((event) => event.dependencies)],
      until,
    ),
  })
}

/** The venue of an event that says where it is; the first one where none does. */
function placeOf({ venues }: EventWithRelations): VenueTable | undefined {
  return venues.find(({ geo_lat, geo_lng }) => geo_lat !== null && geo_lng !== null) ?? venues[0]
}

/** Whether a map may show a venue and can. */
function isMapped(venue: VenueTable | undefined): boolean {
  return venue !== undefined && venue.show_map === 1 && venue.geo_lat !== null && venue.geo_lng !== null
}

function placeSection(group: readonly EventWithRelations[], { context, deps }: ViewRequest) {
  const venue = group[0] === undefined ? undefined : placeOf(group[0])
  if (venue === undefined) return html``
  const map = mapAddress(venue)
  return html`<section class="mapped"${when(isMapped(venue), () => placeData(venue))}><h2><a data-place href="${context.to(pageUrl('venue', venue, context.urls))}">${venue.name.trim() || context.say('pages.unnamedVenue')}</a></h2>
<p><bdi>${addressText(venue)}</bdi> ${when(map !== undefined, () => html`<a class="directions" href="${map ?? ''}" rel="noopener">${context.say('pages.openMap')}</a>`)}</p>
<ul class="cards alone">${group.map((event) => eventCard(event, { context, site: deps.site, day: '', isAtVenue: event.venues.length === 1 }))}</ul></section>
`
}
