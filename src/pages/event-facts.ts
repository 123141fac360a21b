import { localeOf } from '../base/i18n/translate.ts'
import { storedJson } from '../base/text/stored-json.ts'
import { utcFromMillis } from '../base/time/zones.ts'
import { recurrenceSentence, recursNoMore } from '../calendar/events/index.ts'
import { pageUrl } from '../calendar/shared/present.ts'
import { queryText } from '../http/address.ts'
import type { Ticket } from '../model/kinds/tickets.ts'
import type { VenueTable } from '../storage/schema.ts'
import { calendarLinks } from './calendar-links.ts'
import { costText, titleOf } from './cards.ts'
import { hybridOrOnline, isOff, outward, spokenIn } from './content.ts'
import { dayAndTime } from './dates.ts'
import { html, type IconName, icon, joined, type Markup, NOTHING, when } from './html.ts'
import type { PageContext } from './page-context.ts'
import { addressText, mapAddress, placeData } from './place-map.ts'
import type { ShownEvent } from './shown-event.ts'

/** Everything about an event that is no prose, once, with what visitors do with it. */
export async function eventFacts(shown: ShownEvent): Promise<Markup> {
  const { event, context, deps } = shown
  const { row, venues, organizers } = event
  const { say } = context
  const cost = costText(event, { site: deps.site, context })
  const facts = [
    fact('clock', say('pages.when'), moment(shown)),
    fact('repeat', say('pages.repeats'), repeats(shown)),
    fact('video', say('pages.howToAttend'), online(shown)),
    ...venues.map((venue) => fact('place', say('pages.where'), place(venue, context))),
    fact('ticket', say('fields.cost'), cost === '' ? NOTHING : html`<b>${cost}</b>`),
    fact(
      'person',
      say('pages.organizedBy'),
      joined(
        organizers.map((one) => organizer(one, context)),
        ', ',
      ),
    ),
    fact('link', say('fields.website'), leadsToWebsite(shown) ? NOTHING : outward(row.website ?? '')),
    fact('tag', say('fields.categories'), event.categories.length > 1 ? await termLinks(shown, 'category') : NOTHING),
    fact('tag', say('fields.tags'), await termLinks(shown, 'tag')),
  ]
  return html`<div class="panel"><dl class="facts">
${facts}</dl>
${eventActions(shown)}</div>`
}

/** A fact beside its icon; nothing without content. */
function fact(name: IconName, label: string, content: Markup): Markup {
  if (content.markup === '') return NOTHING
  return html`<div><dt>${icon(name)}<span class="vh">${label}</span></dt><dd>${content}</dd></div>\n`
}

/** The day, and below it the time and what it is on the clock of the visitor; struck through where nothing takes place then. */
function moment({ event: { row }, context }: ShownEvent): Markup {
  const when = dayAndTime(context, row)
  const shown = isOff(row) ? html`<s>${when}</s>` : when
  const own = html`<p class="visitor-time mute" hidden data-visitor-time data-locale="${localeOf(context.language)}" data-label="${context.say('pages.yourTimeZone')}"></p>`
  return html`<div class="when">${shown}</div>${isOff(row) ? NOTHING : own}`
}

/** The rule of a recurring event in words, with the way to all its dates; nothing for other events. */
function repeats({ event: { row }, context }: ShownEvent): Markup {
  const { occasion } = row
  if (occasion === undefined || occasion.series.recurrence === null || recursNoMore(occasion.series)) return NOTHING
  const all = html`<a href="${context.link(`/series/${occasion.series.slug}/`)}">${context.say('common.allDates')}</a>`
  const text = recurrenceSentence(occasion.series, context.language)
  return text === undefined ? all : html`${text}<br>${all}`
}

/** That people take part online, and where; the way there is the main button too. */
function online({ event: { row }, context }: ShownEvent): Markup {
  const label = hybridOrOnline(row, context)
  if (label === '') return NOTHING
  return html`<b>${label}</b>${when(row.virtual_url !== '', () => html`<br>${outward(row.virtual_url)}`)}`
}

function organizer(one: ShownEvent['event']['organizers'][number], context: PageContext): Markup {
  const name = one.name.trim() || context.say('pages.unnamedOrganizer')
  return html`<b><a href="${context.to(pageUrl('organizer', one, context.urls))}"${spokenIn(one.language)}>${name}</a></b>`
}

/** A venue with its address and the way there. */
function place(venue: VenueTable, context: PageContext): Markup {
  const address = addressText(venue)
  const map = mapAddress(venue)
  const name = venue.name.trim() || context.say('pages.unnamedVenue')
  const link = html`<b><a data-place href="${context.to(pageUrl('venue', venue, context.urls))}"${spokenIn(venue.language)}>${name}</a></b>`
  return html`<div class="venue"${placeData(venue)}>${link}${when(address !== '' && address !== name, () => html`<br><bdi>${address}</bdi>`)}${when(map !== undefined, () => html`<br><a class="directions" href="${map ?? ''}" rel="noopener">${context.say('pages.directions')}</a>`)}</div>`
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

/** Where the main button of an event leads, and what it says. */
interface MainAction {
  readonly href: string
  readonly label: string
}

/** What visitors do with an event: take part, save it, share it. On phones the first of these stays in sight. */
function eventActions(shown: ShownEvent): Markup {
  const { event, context, deps } = shown
  const { row } = event
  if (row.status !== 'publish' || row.password_hash !== null) return NOTHING
  const { say } = context
  const isOpen = isAhead(shown)
  const main = mainAction(shown)
  const cost = costText(event, { site: deps.site, context })
  const saving = (
    look: string,
  ): Markup => html`<details class="menu"><summary class="button${look}">${icon('calendar')}${say('pages.addToCalendar')}</summary>
<ul>
${calendarLinks(shown).map(([name, address]) => html`<li><a href="${address}" rel="noopener nofollow">${name}</a></li>\n`)}</ul></details>`
  const button =
    main === undefined
      ? saving(' primary')
      : html`<a class="button primary" href="${main.href}" rel="noopener nofollow">${main.label}</a>`
  return html`${when(isOpen, () => html`<div class="act">${when(cost !== '', () => html`<p><b>${cost}</b></p>`)}${button}</div>`)}
<div class="pair">${when(main !== undefined, () => saving(''))}${share(shown)}</div>`
}

/** Whether the main button leads to the website of an event, which needs no second link then. */
function leadsToWebsite(shown: ShownEvent): boolean {
  return mainAction(shown)?.href === shown.event.row.website
}

/** Whether people can still take part. */
function isAhead({ event: { row }, context: { now } }: ShownEvent): boolean {
  return row.status === 'publish' && row.password_hash === null && !isOff(row) && row.end_utc >= utcFromMillis(now)
}

/** Taking part comes first: online, with a ticket, or by whatever the website says. */
function mainAction(shown: ShownEvent): MainAction | undefined {
  if (!isAhead(shown)) return undefined
  const { row } = shown.event
  const { say } = shown.context
  const tickets = row.tickets === null ? [] : storedJson<readonly Ticket[]>(row.tickets)
  const ticket = tickets.find(({ url, sold_out }) => url !== undefined && sold_out !== true)?.url
  const ways = [
    [row.virtual_url, say('pages.joinOnline')],
    [ticket ?? '', say('pages.getTickets')],
    [row.website ?? '', say('pages.visitWebsite')],
  ] as const
  const [href, label] = ways.find(([address]) => /^https?:\/\//i.test(address)) ?? []
  return href === undefined || label === undefined ? undefined : { href, label }
}

function share({ event, context }: ShownEvent): Markup {
  const { say } = context
  const title = titleOf(event, context)
  const mail = queryText([
    ['subject', title],
    ['body', context.absolute(context.to(pageUrl('event', event.row, context.urls)))],
  ])
  return html`<event-share data-copied="${say('pages.linkCopied')}" data-copy="${say('pages.copyLink')}" data-title="${title}"><details class="menu"><summary class="button">${icon('share')}${say('pages.share')}</summary>
<ul>
<li><a href="mailto:?${mail}">${say('fields.email')}</a></li>
</ul></details></event-share>`
}
