import { cutAtWord, sentencesOfHtml } from '../base/text/html.ts'
import { pageUrl } from '../calendar/shared/present.ts'
import { eventFileAddress } from '../exchange/index.ts'
import { queryText } from '../http/address.ts'
import { titleOf } from './cards.ts'
import { daysAfter, machineEnd, machineTime } from './dates.ts'
import { html, icon, type Markup } from './html.ts'
import type { PageContext } from './page-context.ts'
import { addressText } from './place-map.ts'
import type { ShownEvent } from './shown-event.ts'

/** Longest description that is handed to another calendar, in characters: addresses are short. */
const HANDED_OVER = 500

/** Ways to put an event into a calendar: the name of each and its address. */
export function calendarLinks(shown: ShownEvent): readonly (readonly [name: string, address: string])[] {
  const { event, context } = shown
  const { row } = event
  const isAllDay = row.all_day === 1
  const [from, to] = [machineTime(row), machineEnd(row)]
  const end = isAllDay ? daysAfter(to, 1) : to
  const [title, details, place] = [titleOf(event, context), detailsOf(shown), placesOf(shown)]
  const google = [
    ...[
      ['action', 'TEMPLATE'] as const,
      ['text', title] as const,
      ['dates', `${compact(from)}/${compact(end)}`] as const,
    ],
    ...[['details', details] as const, ['location', place] as const],
  ]
  const outlook = [
    ...[['path', '/calendar/action/compose'] as const, ['rru', 'addevent'] as const, ['subject', title] as const],
    ...[['startdt', from] as const, ['enddt', end] as const, ...(isAllDay ? [['allday', 'true'] as const] : [])],
    ...[['body', details] as const, ['location', place] as const],
  ]
  const yahoo = [
    ...[['v', '60'] as const, ['title', title] as const, ['st', compact(from)] as const, ['et', compact(to)] as const],
    ...[...(isAllDay ? [['dur', 'allday'] as const] : []), ['desc', details] as const, ['in_loc', place] as const],
  ]
  return [
    [context.say('pages.appleAndOthers'), context.local(eventFileAddress(context.urls, row.id))],
    ['Google', `https://calendar.google.com/calendar/render?${queryText(google)}`],
    ['Outlook.com', `https://outlook.live.com/calendar/0/deeplink/compose?${queryText(outlook)}`],
    ['Office 365', `https://outlook.office.com/calendar/0/deeplink/compose?${queryText(outlook)}`],
    ['Yahoo', `https://calendar.yahoo.com/?${queryText(yahoo)}`],
  ]
}

function detailsOf({ event: { row }, context }: ShownEvent): string {
  const text = cutAtWord(sentencesOfHtml(row.excerpt || row.description), HANDED_OVER)
  const address = context.absolute(context.to(pageUrl('event', row, context.urls)))
  return [text, address].filter((part) => part !== '').join('\n\n')
}

function placesOf({ event: { venues } }: ShownEvent): string {
  const places = venues.map((venue) => [venue.name, addressText(venue)].filter((part) => part !== '').join(', '))
  return places.join(' · ')
}

/** `20261128T190000Z`, or a day without its dashes. */
function compact(moment: string): string {
  if (moment.length === 10) return moment.replaceAll('-', '')
  return new Date(moment).toISOString().replaceAll(/[-:]|\.\d+/g, '')
}

/** What a menu subscribes to. */
export interface Subscribable {
  /** Absolute address of the iCalendar file. */
  readonly file: string
  /** What is subscribed to, plain text: `Jazz`. */
  readonly name: string
}

/**
 * The menu by which people add events to their calendar for good: each app has an address of its own for that, and all others
 * take that of the file. Without scripts the button is the summary of the menu.
 */
export function subscribeMenu({ say }: PageContext, { file, name }: Subscribable): Markup {
  const webcal = file.replace(/^https?:/, 'webcal:')
  const google = `https://calendar.google.com/calendar/r?${queryText([['cid', webcal]])}`
  const outlook = `https://outlook.live.com/calendar/0/addfromweb?${queryText([
    ['url', file],
    ['name', name],
  ])}`
  return html`<div class="menu subscribe"><details><summary class="button">${icon('bell')}<span>${say('pages.subscribe')}</span></summary>
<div class="pop"><p><strong>${say('pages.subscribeTo', { name })}</strong></p>
<p class="sm mute">${say('pages.subscribeHint')}</p>
<ul>
<li><a href="${webcal}">${icon('phone')}${say('pages.appleAndPhones')}</a></li>
<li><a href="${google}" rel="noopener nofollow">${icon('calendar')}Google</a></li>
<li><a href="${outlook}" rel="noopener nofollow">${icon('mail')}Outlook.com</a></li>
</ul>
<label class="sm">${say('pages.orCopyUrl')}<input class="copy" readonly dir="ltr" value="${file}"></label>
</div></details></div>`
}
