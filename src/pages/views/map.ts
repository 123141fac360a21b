import type { EventWithRelations } from '../../calendar/events/index.ts'
import { pageUrl } from '../../calendar/shared/present.ts'
import type { PageResponse } from '../../http/html-page.ts'
import type { VenueTable } from '../../storage/schema.ts'
import { dayEnd, todayIn } from '../dates.ts'
import { eventCard } from '../event-cards.ts'
import { html, when } from '../html.ts'
import { layOut } from '../layout.ts'
import { addressText, MAP_SCRIPTS, mapAddress, mapButton, placeData } from '../place-map.ts'
import { filterChips, filteredAt, resultBar } from './filters.ts'
import { listOnMap } from './listing.ts'
import { freshUntil, hasDates, sentDates, upcoming } from './question.ts'
import { headOf, narrowing, subscribeLinks, type ViewRequest, viewHeading } from './view.ts'
import { viewHead } from './views-nav.ts'

/** Events of which the places are shown. */
const MAPPED = 200

/** What is to come, or takes place in a period, by its places, each with a way to a map; each series once. */
export async function mapView(view: ViewRequest): Promise<PageResponse> {
  const { context, deps, incoming, scope } = view
  const { zone } = deps.site
  const { period, events, freshness } = await listOnMap(view, MAPPED)
  const path = `${scope.base}map/`
  const filtered = filteredAt(view, path)
  const isNarrowed = narrowing(incoming).length > 0 || hasDates(incoming)
  const groups = Map.groupBy(events, (event) => placeOf(event)?.id ?? 0)
  const hasMap = events.some((event) => isMapped(placeOf(event)))
  const title = viewHeading(view, context.say('pages.places'))
  // The dates of a series differ in nothing that anyone would look for.
  const chips = when(
    scope.filter['series'] === undefined,
    () => html`<div class="tools">\n${filterChips(filtered)}</div>\n`,
  )
  const body = html`${await viewHead(view, { current: 'map', day: period?.from ?? todayIn(zone, incoming.now), title })}${chips}${await resultBar(filtered)}
${when(hasMap, () => mapButton(deps, context))}${[...groups.values()].map((group) => placeSection(group, view))}
${when(events.length === 0, () => html`<p class="empty">${context.say(isNarrowed ? 'pages.noMatches' : 'pages.noneOnMap')}</p>`)}
${subscribeLinks(view)}`
  return layOut({
    ...headOf(view, path, [...narrowing(incoming), ...sentDates(incoming)]),
    title: context.say('pages.places'),
    body,
    scripts: ['near.ts', ...MAP_SCRIPTS],
    isUnlisted: true,
    freshness: freshUntil(
      freshness,
      [...scope.dependencies, ...events.flatMap((event) => event.dependencies)],
      Math.min(dayEnd(zone, incoming.now), upcoming(zone, incoming.now).until),
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

function placeSection(group: readonly EventWithRelations[], { context, deps, scope }: ViewRequest) {
  const venue = group[0] === undefined ? undefined : placeOf(group[0])
  if (venue === undefined) return html``
  const map = mapAddress(venue)
  const isOnce = scope.filter['series'] === undefined
  return html`<section class="mapped"${when(isMapped(venue), () => placeData(venue))}><h2><a data-place href="${context.to(pageUrl('venue', venue, context.urls))}">${venue.name.trim() || context.say('pages.unnamedVenue')}</a></h2>
<p><bdi>${addressText(venue)}</bdi> ${when(map !== undefined, () => html`<a class="directions" href="${map ?? ''}" rel="noopener">${context.say('pages.openMap')}</a>`)}</p>
<ul class="cards alone">${group.map((event) => eventCard(event, { context, site: deps.site, day: '', isOnce, isAtVenue: event.venues.length === 1 }))}</ul></section>
`
}
