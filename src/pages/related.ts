import type { MessageId } from '../base/i18n/translate.ts'
import { localFromMillis, millisFromUtc, toUtc } from '../base/time/zones.ts'
import { type EventRow, type EventWithRelations, type Relation, upcomingWith } from '../calendar/events/index.ts'
import { ANONYMOUS } from '../http/auth/rights.ts'
import type { Dependency } from '../http/cache/versions.ts'
import { addressOf, colourOf, dateText, imageElement, imageOf, placeText, titleOf } from './cards.ts'
import { ownDirection, struckIfOff } from './content.ts'
import { todayIn } from './dates.ts'
import { html, type Markup, NOTHING, when } from './html.ts'
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
const RELATED = 4
const OTHER_DATES = 5

/** The other dates of an event, what else happens at its venue, and what is like it: all that is to come from today on. */
export async function related(shown: ShownEvent): Promise<More> {
  const { event, context } = shown
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
    const cards = events.map((one) => nearby(one, context))
    sections.push(
      html`<section class="related"><h2>${context.say(title)}</h2>\n<ul class="near">\n${cards}</ul></section>\n`,
    )
  }
  return { markup: html`${sections}`, dependencies: [{ of: 'event' }] }
}

/** Another event in short: its image, day, name, category and venue. */
function nearby(event: EventWithRelations, context: PageContext): Markup {
  const { row, picture, categories } = event
  const [category] = categories
  const image = imageElement(imageOf(row, picture, context), { sizes: '(max-width: 68rem) 50vw, 18rem' })
  const title = html`<a href="${addressOf(event, context)}"${ownDirection(row.language)}>${titleOf(event, context)}</a>`
  return html`<li class="${colourOf(event)}">${image}<p class="sm"><b>${dateText(event, context)}</b></p>
<h3 class="title">${struckIfOff(title, row, context)}</h3>
<p class="meta">${when(category !== undefined, () => html`<span class="cat">${category?.name ?? ''}</span> `)}<span class="mute">${placeText(event, context)}</span></p></li>
`
}

/** Asks for the next events, as everybody sees them, without those that the page has shown by then. */
function nextEvents({ event, deps, incoming: { urls, now } }: ShownEvent, seen: Set<number>) {
  const endsAfter = todayStart(deps.site.zone, now)
  return async (relation: Relation, most: number): Promise<readonly EventWithRelations[]> => {
    const ids = await upcomingWith(deps.reader, relation, { endsAfter, limit: 2 * most + seen.size })
    const others = ids.filter((id) => !seen.has(id))
    const events = await deps.queries(() => ({})).seen({ caller: ANONYMOUS, urls }, others.slice(0, 2 * most))
    const named = relation.by === 'series' ? events.slice(0, most) : oneOfEach(events, event, most)
    for (const { row } of named) seen.add(row.id)
    return named
  }
}

/** The first date of each series, without that of the event itself. */
function oneOfEach(
  events: readonly EventWithRelations[],
  { row }: EventWithRelations,
  most: number,
): readonly EventWithRelations[] {
  const series = new Set([row.occasion?.series.id])
  const others = events.filter(({ row: { occasion } }) => {
    if (occasion === undefined) return true
    const isNew = !series.has(occasion.series.id)
    series.add(occasion.series.id)
    return isNew
  })
  return others.slice(0, most)
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
