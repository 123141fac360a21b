import { textOfHtml } from '../base/text/html.ts'
import { recurrenceSentence, recursNoMore } from '../calendar/events/index.ts'
import { pageUrl } from '../calendar/shared/present.ts'
import { eventFileAddress } from '../exchange/index.ts'
import { queryText } from '../http/address.ts'
import type { VenueTable } from '../storage/schema.ts'
import { costText, titleOf } from './cards.ts'
import { factList, onlineFact, outward, spokenIn } from './content.ts'
import { daysAfter, machineEnd, machineTime, time } from './dates.ts'
import type { Here } from './here.ts'
import { html, joined, type Markup, NOTHING, when } from './html.ts'
import { addressText, mapAddress, mapButton, placeData } from './place-map.ts'
import type { ShownEvent } from './shown-event.ts'

/** Everything about an event that is no prose. */
export async function eventFacts(shown: ShownEvent): Promise<Markup> {
  const { event, here, parts } = shown
  const { row, venues, organizers } = event
  const { say } = here
  return factList([
    [say('pages.when'), time(here, row)],
    [say('pages.repeats'), repeats(shown)],
    [say('pages.howToAttend'), onlineFact(row, here)],
    [say('pages.where'), html`${venues.map((venue) => place(venue, here))}${mapOf(shown)}`],
    [
      say('pages.organizedBy'),
      joined(
        organizers.map(
          (one) =>
            html`<a href="${here.to(pageUrl('organizer', one, here.urls))}"${spokenIn(one.language)}>${one.name.trim() || say('pages.unnamedOrganizer')}</a>`,
        ),
        ', ',
      ),
    ],
    [say('fields.cost'), html`${costText(event, parts)}`],
    [say('fields.website'), outward(row.website ?? '')],
    [say('fields.categories'), await termLinks(shown, 'category')],
    [say('fields.tags'), await termLinks(shown, 'tag')],
  ])
}

/** The rule of a recurring event in words, with the way to all its dates; nothing for other events. */
function repeats({ event: { row }, here }: ShownEvent): Markup {
  const { occasion } = row
  if (occasion === undefined || occasion.series.recurrence === null || recursNoMore(occasion.series)) return NOTHING
  const all = html`<a href="${here.to(here.urls.page(`/series/${occasion.series.slug}/`))}">${here.say('common.allDates')}</a>`
  const text = recurrenceSentence(occasion.series, here.language)
  return text === undefined ? all : html`${text}<br>${all}`
}

/** The map of the venues, where one of them says where it is and none is to be without. */
function mapOf({ event: { venues }, here, parts }: ShownEvent): Markup {
  const isPlaced = venues.some(({ geo_lat, geo_lng }) => geo_lat !== null && geo_lng !== null)
  return isPlaced && venues.every(({ show_map }) => show_map === 1) ? mapButton(parts, here) : NOTHING
}

/** A venue with its address and the way there. */
function place(venue: VenueTable, here: Here): Markup {
  const address = addressText(venue)
  const map = mapAddress(venue)
  return html`<p class="venue"${placeData(venue)}><a data-place href="${here.to(pageUrl('venue', venue, here.urls))}"${spokenIn(venue.language)}>${venue.name.trim() || here.say('pages.unnamedVenue')}</a>${when(address !== '', () => html`, <bdi>${address}</bdi>`)}${when(map !== undefined, () => html`<br><a class="directions" href="${map ?? ''}" rel="noopener">${here.say('pages.directions')}</a>`)}</p>`
}

/** Addresses of categories name the whole way down: they are read from the terms themselves. */
async function termLinks({ event, here, parts: { reader, lookups } }: ShownEvent, key: 'category' | 'tag') {
  const terms = key === 'category' ? event.categories : event.tags
  if (terms.length === 0) return NOTHING
  const views = await lookups[key].shownOf(reader, terms, here.urls)
  return joined(
    views.map((view, index) => html`<a class="term" href="${here.to(view.url)}">${terms[index]?.name ?? ''}</a>`),
    ', ',
  )
}

/** Longest description that is handed to another calendar, in characters: addresses are short. */
const HANDED_OVER = 500

/** What visitors do with an event: keep it, tell others of it. */
export function visitActions({ event, here }: ShownEvent): Markup {
  const { row } = event
  if (row.status !== 'publish' || row.password_hash !== null) return NOTHING
  const { say } = here
  const place = event.venues
    .map((venue) => [venue.name, addressText(venue)].filter((part) => part !== '').join(', '))
    .join(' · ')
  const details = [
    textOfHtml(row.excerpt || row.description.slice(0, 4000)).slice(0, HANDED_OVER),
    here.to(pageUrl('event', row, here.urls)),
  ]
  const about = { title: titleOf(event, here), details: details.filter((part) => part !== '').join('\n\n'), place }
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
<li><a href="${eventFileAddress(here.urls, row.id)}">iCalendar (.ics)</a></li>
<li><a href="${google}" rel="noopener nofollow">Google Calendar</a></li>
<li><a href="${outlook}" rel="noopener nofollow">Outlook</a></li>
</ul></details>
<event-share data-copied="${say('pages.linkCopied')}" data-copy="${say('pages.copyLink')}" data-title="${about.title}"><details class="menu"><summary class="button">${say('pages.share')}</summary>
<ul>
<li><a href="mailto:?${queryText([
    ['subject', about.title],
    ['body', here.to(pageUrl('event', row, here.urls))],
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
