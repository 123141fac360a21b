import { millisFromUtc, toUtc } from '../base/time/zones.ts'
import type { EventRow, EventWithRelations } from '../calendar/events/index.ts'
import type { Dependency } from '../http/cache/versions.ts'
import type { Incoming } from '../http/route.ts'
import { addressOf, dateText, eventCard } from './cards.ts'
import { struckIfOff } from './content.ts'
import { todayIn } from './dates.ts'
import { html, type Markup, NOTHING } from './html.ts'
import type { PageContext } from './page-context.ts'
import type { WebParts } from './parts.ts'
import { ALL_EVENTS } from './scope.ts'
import type { ShownEvent } from './shown-event.ts'
import { ask, upcoming } from './views/question.ts'
import { questionOf } from './views/view.ts'

/** What a page shows below its event, and what it was made of. */
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
  const { event, context, parts } = shown
  const seen = new Set([event.row.id])
  const next = nextEvents(shown, seen)
  const { occasion } = event.row
  const dates = occasion === undefined ? [] : await next({ series: String(occasion.series.id) }, OTHER_DATES)
  const sections = occasion === undefined ? [] : [otherDates(dates, occasion.series, context)]
  const groups = [
    ['pages.moreAtVenue', event.venues.length === 1 ? { venue: String(event.venues[0]?.id) } : undefined],
    ['pages.moreLikeThis', event.categories[0] && { categories: String(event.categories[0].id) }],
  ] as const
  for (const [title, filter] of groups) {
    if (filter === undefined) continue
    const events = await next(filter, RELATED)
    if (events.length === 0) continue
    const cards = events.map((one) => eventCard(one, { context, site: parts.site, day: '', level: 3 }))
    sections.push(
      html`<section class="related"><h2>${context.say(title)}</h2>\n<ul class="cards alone">\n${cards}</ul></section>\n`,
    )
  }
  return { markup: html`${sections}`, dependencies: [{ of: 'event' }] }
}

/** Asks for the next events that a filter leaves, without those that the page has shown by then. */
function nextEvents({ parts, incoming, context }: ShownEvent, seen: Set<number>) {
  const queries = parts.queries(() => ({}))
  const view = { parts, incoming: { ...incoming, query: {} }, context, scope: ALL_EVENTS, queries }
  const { set } = upcoming(parts.site.zone, todayStart(parts, incoming))
  return async (filter: Readonly<Record<string, string>>, most: number): Promise<readonly EventWithRelations[]> => {
    const found = await ask(questionOf(view, { ...set, ...filter, per_page: String(most + seen.size) }))
    const events = (await found.events(found.ids)).filter(({ row }) => !seen.has(row.id)).slice(0, most)
    for (const { row } of events) seen.add(row.id)
    return events
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

/** The beginning of the day: a page is not made anew each minute because of what it names at its end. */
function todayStart({ site: { zone } }: WebParts, { now }: Incoming): number {
  return Math.min(now, millisFromUtc(toUtc(`${todayIn(zone, now)} 00:00:00`, zone)))
}
