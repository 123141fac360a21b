import { localeOf } from '../base/i18n/translate.ts'
import { recurrenceSentence, recursNoMore } from '../calendar/events/index.ts'
import { pageUrl } from '../calendar/shared/present.ts'
import type { VenueTable } from '../storage/schema.ts'
import { hybridOrOnline, isOff, outward, spokenIn } from './content.ts'
import { costText } from './cost.ts'
import { dayAndTime } from './dates.ts'
import { eventActions, leadsToWebsite } from './event-actions.ts'
import { html, joined, type Markup, NOTHING, when } from './html.ts'
import { type IconName, icon } from './icons.ts'
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
