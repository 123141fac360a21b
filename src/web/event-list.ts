import { upcomingEvents } from '../events/index.ts'
import { feedAddress } from '../feeds/index.ts'
import type { Incoming } from '../http/dispatch.ts'
import { commaList, itemsMember, linkTo, nameOf, type Shown, textMember } from './content.ts'
import { html, type Markup, NOTHING } from './layout.ts'
import { time } from './moments.ts'
import type { WebParts } from './parts.ts'

type Question = Pick<Parameters<typeof upcomingEvents>[1], 'limit' | 'of'>

/** The next events of a page under a heading, and the address of all that are to come as an iCalendar file. */
export interface NextEvents {
  readonly list: Markup
  readonly calendar: string
}

/** The next events, of everything or of one item. */
export async function nextEvents(parts: WebParts, { urls, now }: Incoming, question: Question): Promise<NextEvents> {
  const { reader, site, lookups } = parts
  const events = await upcomingEvents(reader, { site, lookups, urls, now, ...question })
  const filters = Object.entries(question.of ?? {}).map(([name, value]) => [name, String(value)] as const)
  const calendar = feedAddress(urls, filters)
  return { list: html`<h2>Next events</h2>\n${eventList(events)}`, calendar }
}

function eventList(events: readonly Shown[]): Markup {
  if (events.length === 0) return html`<p>No events are planned at the moment.</p>`
  return html`<ul class="events">\n${events.map(eventRow)}</ul>`
}

function eventRow(event: Shown): Markup {
  const places = itemsMember(event, 'venue').map((venue) => linkTo(venue, 'venue'))
  const where = places.length === 0 ? NOTHING : html`<p>${commaList(places)}</p>`
  const link = html`<a class="title" href="${textMember(event, 'url')}">${nameOf(event, 'title')}</a>`
  return html`<li>${link}<p>${time(event)}</p>${where}</li>\n`
}
