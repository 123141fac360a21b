import type { MessageId } from '../base/i18n/translate.ts'
import { localFromMillis, millisFromUtc, toUtc } from '../base/time/zones.ts'
import { type EventRow, type EventWithRelations, type Relation, upcomingWith } from '../calendar/events/index.ts'
import { ANONYMOUS } from '../http/auth/rights.ts'
import type { Dependency } from '../http/cache/versions.ts'
import { addressOf, dateText } from './cards.ts'
import { struckIfOff } from './content.ts'
import { todayIn } from './dates.ts'
import { eventCard } from './event-cards.ts'
import { html, type Markup, NOTHING } from './html.ts'
import type { PageContext } from './page-context.ts'
import type { ShownEvent } from './shown-event.ts'

/** Content of a page below its event, with its dependencies. */
export interface More {
  readonly markup: Markup
  readonly dependencies: readonly Dependency[]
}

/** Nothing below an event. */
export const NO_MORE: More = { markup: NOTHING, dependencies: [] }

/** Number of other events that a page names, and of other dates of a series. */
const RELATED = 3
const OTHER_DATES = 5

/** The other dates of an event, what else happens at its venue, and what is like it: all that is to come from today on. */
export async function related(shown: ShownEvent): Promise<More> {
  const { event, context, deps } = shown
  const seen = new Set([event.row.id])
  const next = nextEvents(shown, seen)
  const { occasion } = event.row
  const dates = occasion === undefined ? [] : await next({ by: 'series', id: occasion.series.id }, OTHER_DATES)
  const sections = occasion === undefined ? [] : [otherDates(dates, occasion.series, context)]
  const [venue, ...others] = event.venues
  const [category] = event.categories
  const groups: [MessageId, Relation][] = []
  if (venue !== undefined && others.length === 0) groups.push(['pages.moreAtVenue', { by: 'venue', id: venue.id }])
  if (category !== undefined) groups.push(['pages.moreLikeThis', { by: 'category', id: category.id }])
  for (const [title, relation] of groups) {
    const events = await next(relation, RELATED)
    if (events.length === 0) continue
    const cards = events.map((one) => eventCard(one, { context, site: deps.site, day: '' }))
    sections.push(
      html`<section class="related"><h2>${context.say(title)}</h2>\n<ul class="cards alone">\n${cards}</ul></section>\n`,
    )
  }
  return { markup: html`${sections}`, dependencies: [{ of: 'event' }] }
}

/** Asks for the next events, as everybody sees them, without those that the page has shown by then. */
function nextEvents({ deps, incoming: { urls, now } }: ShownEvent, seen: Set<number>) {
  const endsAfter = todayStart(deps.site.zone, now)
  return async (relation: Relation, most: number): Promise<readonly EventWithRelations[]> => {
    const ids = await upcomingWith(deps.reader, relation, { endsAfter, limit: most + seen.size })
    const others = ids.filter((id) => !seen.has(id)).slice(0, most)
    for (const id of others) seen.add(id)
    return deps.queries(() => ({})).seen({ caller: ANONYMOUS, urls }, others)
  }
}

/** Further dates of a series, with the way to all of them; nothing where there are none. */
function otherDates(
  events: readonly EventWithRelations[],
  series: Pick<EventRow, 'slug'>,
  context: PageContext,
): Markup {
  if (events.length === 0) return NOTHING
  const dates = events.map((one) => {
    const text = struckIfOff(html`${dateText(one, context)}`, one.row, context)
    return html`<li><a class="chip" href="${addressOf(one, context)}">${text}</a></li>\n`
  })
  const all = context.to(context.urls.page(`/series/${series.slug}/`))
  return html`<section class="related"><h2>${context.say('pages.otherDates')}</h2>
<ul class="chips dates">
${dates}<li><a class="chip" href="${all}">${context.say('common.allDates')}</a></li>
</ul></section>
`
}

/** The start of the day: a page is not rebuilt each minute because of what it names at its end. */
function todayStart(zone: string, now: number): string {
  const day = millisFromUtc(toUtc(`${todayIn(zone, now)} 00:00:00`, zone))
  return localFromMillis(Math.floor(Math.min(now, day) / 60_000) * 60_000, zone)
}
