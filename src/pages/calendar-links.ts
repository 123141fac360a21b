import { cutAtWord, sentencesOfHtml } from '../base/text/summary.ts'
import { pageUrl } from '../calendar/shared/present.ts'
import { eventFileAddress } from '../exchange/index.ts'
import { queryText } from '../http/address.ts'
import { titleOf } from './cards.ts'
import { daysAfter, machineEnd, machineTime } from './dates.ts'
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
