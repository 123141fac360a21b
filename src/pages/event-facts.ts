import { cutAtWord, sentencesOfHtml } from '../base/text/summary.ts'
import { recurrenceSentence, recursNoMore } from '../calendar/events/index.ts'
import { pageUrl } from '../calendar/shared/present.ts'
import { eventFileAddress } from '../exchange/index.ts'
import { queryText } from '../http/address.ts'
import type { VenueTable } from '../storage/schema.ts'
import { costText, titleOf } from './cards.ts'
import { factList, onlineFact, outward, spokenIn } from './content.ts'
import { daysAfter, machineEnd, machineTime, time } from './dates.ts'
import { html, joined, type Markup, NOTHING, when } from './html.ts'
import type { PageContext } from './page-context.ts'
import { addressText, mapAddress, mapButton, placeData } from './place-map.ts'
import type { ShownEvent } from './shown-event.ts'

/** Everything about an event that is no prose. */
export async function eventFacts(shown: ShownEvent): Promise<Markup> {
  const { event, context, deps } = shown
  const { row, venues, organizers } = event
  const { say } = context
  return factList([
    [say('pages.when'), time(context, row)],
    [say('pages.repeats'), repeats(shown)],
    [say('pages.howToAttend'), onlineFact(row, context)],
    [say('pages.where'), html`${venues.map((venue) => place(venue, context))}${mapOf(shown)}`],
    [
      say('pages.organizedBy'),
      joined(
        organizers.map(
          (one) =>
            html`<a href="${context.to(pageUrl('organizer', one, context.urls))}"${spokenIn(one.language)}>${one.name.trim() || say('pages.unnamedOrganizer')}</a>`,
        ),
        ', ',
      ),
    ],
    [say('fields.cost'), html`${costText(event, deps)}`],
    [say('fields.website'), outward(row.website ?? '')],
    [say('fields.categories'), await termLinks(shown, 'category')],
    [say('fields.tags'), await termLinks(shown, 'tag')],
  ])
}

/** The rule of a recurring event in words, with the way to all its dates; nothing for other events. */
function repeats({ event: { row }, context }: ShownEvent): Markup {
  const { occasion } = row
  if (occasion === undefined || occasion.series.recurrence === null || recursNoMore(occasion.series)) return NOTHING
  const all = html`<a href="${context.to(context.urls.page(`/series/${occasion.series.slug}/`))}">${context.say('common.allDates')}</a>`
  const text = recurrenceSentence(occasion.series, context.language)
  return text === undefined ? all : html`${text}<br>${all}`
}

/** The map of the venues, where one of them says where it is and none is to be without. */
function mapOf({ event: { venues }, context, deps }: ShownEvent): Markup {
  const isPlaced = venues.some(({ geo_lat, geo_lng }) => geo_lat !== null && geo_lng !== null)
  return isPlaced && venues.every(({ show_map }) => show_map === 1) ? mapButton(deps, context) : NOTHING
}

/** A venue with its address and the way there. */
function place(venue: VenueTable, context: PageContext): Markup {
  const address = addressText(venue)
  const map = mapAddress(venue)
  return html`<p class="venue"${placeData(venue)}><a data-place href="${context.to(pageUrl('venue', venue, context.urls))}"${spokenIn(venue.language)}>${venue.name.trim() || context.say('pages.unnamedVenue')}</a>${when(address !== '', () => html`, <bdi>${address}</bdi>`)}${when(map !== undefined, () => html`<br><a class="directions" href="${map ?? ''}" rel="noopener">${context.say('pages.directions')}</a>`)}</p>`
}

/** Addresses of categories name the whole way down: they are read from the terms themselves. */
async function termLinks({ event, context, deps: { reader, lookups } }: ShownEvent, key: 'category' | 'tag') {
  const terms = key === 'category' ? event.categories : event.tags
  if (terms.length === 0) return NOTHING
  const views = await lookups[key].shownOf(reader, terms, context.urls)
  return joined(
    views.map((view, index) => html`<a class="term" href="${context.to(view.url)}">${terms[index]?.name ?? ''}</a>`),
    ', ',
  )
}

/** Longest description that is handed to another calendar, in characters: addresses are short. */
const HANDED_OVER = 500

/** What visitors do with an event: save it, share it. */
export function visitActions({ event, context }: ShownEvent): Markup {
  const { row } = event
  if (row.status !== 'publish' || row.password_hash !== null) return NOTHING
  const { say } = context
  const place = event.venues
    .map((venue) => [venue.name, addressText(venue)].filter((part) => part !== '').join(', '))
    .join(' · ')
  const details = [
    cutAtWord(sentencesOfHtml(row.excerpt || row.description), HANDED_OVER),
    context.absolute(context.to(pageUrl('event', row, context.urls))),
  ]
  const about = { title: titleOf(event, context), details: details.filter((part) => part !== '').join('\n\n'), place }
  const [from, to] = [machineTime(row), machineEnd(row)]
  const google = `https://calendar.google.com/calendar/render?${queryText([
    ['action', 'TEMPLATE'],
    ['text', about.title],
    ['dates', googleDates(from, row.all_day === 1 ? daysAfter(to, 1) : to)],
    ['details', about.details],
    ['location', about.place],
  ])}`
  const outlook = `https://outlook.live.com/calendar/0/deeplink/compose?${queryText([
    ['rru', 'addevent'],
    ['subject', about.title],
    ['startdt', from],
    ['enddt', row.all_day === 1 ? daysAfter(to, 1) : to],
    ...(row.all_day === 1 ? [['allday', 'true'] as const] : []),
    ['body', about.details],
    ['location', about.place],
  ])}`
  return html`<div class="actions">
<details class="menu"><summary class="button primary">${say('pages.addToCalendar')}</summary>
<ul>
<li><a href="${context.local(eventFileAddress(context.urls, row.id))}">iCalendar (.ics)</a></li>
<li><a href="${google}" rel="noopener nofollow">Google Calendar</a></li>
<li><a href="${outlook}" rel="noopener nofollow">Outlook</a></li>
</ul></details>
<event-share data-copied="${say('pages.linkCopied')}" data-copy="${say('pages.copyLink')}" data-title="${about.title}"><details class="menu"><summary class="button">${say('pages.share')}</summary>
<ul>
<li><a href="mailto:?${queryText([
    ['subject', about.title],
    ['body', context.absolute(context.to(pageUrl('event', row, context.urls)))],
  ])}">${say('fields.email')}</a></li>
</ul></details></event-share>
</div>`
}

/** `20261128T190000Z/…`, or days without their dashes. */
function googleDates(from: string, to: string): string {
  const compact = (moment: string): string =>
    moment.length === 10 ? moment.replaceAll('-', '') : new Date(moment).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  return `${compact(from)}/${compact(to)}`
}
