import { linesOfHtml } from '../../base/text/lines.ts'
import { placeOf } from '../../base/time/observances.ts'
import { nextMidnight } from '../../base/time/ranges.ts'
import { millisFromUtc, occursTwice } from '../../base/time/zones.ts'
import type { EventWithRelations } from '../../calendar/events/index.ts'
import { pageUrl } from '../../calendar/shared/present.ts'
import type { Urls } from '../../http/address.ts'
import { cssColorOf } from '../../model/color.ts'
import { keptWord, originOf } from '../icalendar/kept.ts'
import { imageAddress, placeText, utcStamp } from './facts.ts'

/** Members of a JSCalendar object by name. */
export type JscalendarMembers = Readonly<Record<string, unknown>>

/** What events are written for. */
export interface JscalendarScene {
  /** Of identifiers; it never changes. */
  readonly host: string
  readonly urls: Urls
}

/** An Event (RFC 8984 section 5.1) without its recurrence; members without content are left out. A date has the `uid` of its event. */
export function eventObject(event: EventWithRelations, { host, urls }: JscalendarScene): JscalendarMembers {
  const { row, categories, tags } = event
  const { uid = `${row.occasion?.series.id ?? row.id}@${host}`, lines } = originOf(row)
  const description = linesOfHtml(row.description || row.excerpt)
  const keywords = [...categories, ...tags].map(({ name }) => [name, true] as const)
  const color = cssColorOf(categories)
  const changed =
    [row, ...event.venues, ...event.organizers]
      .map(({ modified_at }) => modified_at)
      .sort()
      .at(-1) ?? ''
  return {
    '@type': 'Event',
    uid,
    prodId: '-//Kalends//Kalends//EN',
    created: utcStamp([row.published_at, row.modified_at].sort()[0] ?? ''),
    updated: utcStamp(changed),
    sequence: Math.max(row.revision, row.occasion?.series.revision ?? 0) - 1,
    title: row.title,
    ...(description !== '' && { description, descriptionContentType: 'text/plain' }),
    ...timesOf(event),
    status: OUTCOMES.get(row.event_status) ?? (isTentative(row.status, lines) ? 'tentative' : 'confirmed'),
    freeBusyStatus: FREE_OR_BUSY.get(keptWord('TRANSP', lines)) ?? (row.all_day === 1 ? 'free' : 'busy'),
    ...(row.status === 'private' && {
      privacy: keptWord('CLASS', lines) === 'CONFIDENTIAL' ? 'secret' : 'private',
    }),
    ...(keywords.length > 0 && { keywords: Object.fromEntries(keywords) }),
    ...(color !== undefined && { color }),
    ...placesOf(event),
    ...participantsOf(event),
    links: linksOf(event, urls),
  }
}

/** The status of an event that is less certain than its state. */
const OUTCOMES: ReadonlyMap<string, string> = new Map([
  ['canceled', 'cancelled'],
  ['postponed', 'tentative'],
])

/** Whether it is not public yet, or the file that it came with was not sure of it. */
function isTentative(status: string, kept: readonly string[]): boolean {
  return status === 'draft' || status === 'pending' || keptWord('STATUS', kept) === 'TENTATIVE'
}

/** Value of TRANSP in an imported file. */
const FREE_OR_BUSY: ReadonlyMap<string, string> = new Map([
  ['TRANSPARENT', 'free'],
  ['OPAQUE', 'busy'],
])

/** On the clock of its place, but in UTC where that clock shows the start twice. */
function timesOf({ row }: EventWithRelations): JscalendarMembers {
  const { start_local, end_local, start_utc, end_utc, timezone } = row
  const millis = (utc: string): number => millisFromUtc(utc)
  if (row.all_day === 1) {
    const days = (millis(nextMidnight(end_local)) - millis(`${start_local.slice(0, 10)} 00:00:00`)) / 86_400_000
    const start = `${start_local.slice(0, 10)}T00:00:00`
    return { start, timeZone: null, showWithoutTime: true, duration: `P${Math.max(1, Math.round(days))}D` }
  }
  const place = placeOf(timezone)
  const isPlain = place !== undefined && !occursTwice(start_local, place.name)
  const start = (isPlain ? start_local : start_utc).replace(' ', 'T')
  const duration = durationText(Math.max(0, millis(end_utc) - millis(start_utc)) / 1000)
  return { start, timeZone: isPlain ? place.name : 'Etc/UTC', duration }
}

/** Elapsed time: hours and not days, which may be longer or shorter. */
function durationText(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 3600), 'H'],
    [Math.floor(seconds / 60) % 60, 'M'],
    [seconds % 60, 'S'],
  ] as const
  const text = parts.map(([count, letter]) => (count === 0 ? '' : `${count}${letter}`)).join('')
  return `PT${text === '' ? '0S' : text}`
}

function placesOf({ row, venues }: EventWithRelations): JscalendarMembers {
  const locations = venues.map((venue) => {
    const description = placeText(venue)
    const { geo_lat, geo_lng } = venue
    const coordinates = geo_lat === null || geo_lng === null ? '' : `geo:${geo_lat},${geo_lng}`
    const named = { '@type': 'Location', ...(venue.name !== '' && { name: venue.name }) }
    return [
      `venue-${venue.id}`,
      { ...named, ...(description !== '' && { description }), ...(coordinates !== '' && { coordinates }) },
    ]
  })
  return {
    ...(locations.length > 0 && { locations: Object.fromEntries(locations) }),
    ...(row.virtual_url !== '' && {
      virtualLocations: { online: { '@type': 'VirtualLocation', uri: new URL(row.virtual_url).href } },
    }),
  }
}

function participantsOf({ organizers }: EventWithRelations): JscalendarMembers {
  const participants = organizers.map(({ id, name, email }) => [
    `organizer-${id}`,
    { '@type': 'Participant', name, ...(email !== '' && { email }), roles: { owner: true } },
  ])
  return participants.length === 0 ? {} : { participants: Object.fromEntries(participants) }
}

function linksOf(event: EventWithRelations, urls: Urls): JscalendarMembers {
  const image = imageAddress(event, urls)
  return {
    page: { '@type': 'Link', href: pageUrl('event', event.row, urls), rel: 'alternate', contentType: 'text/html' },
    ...(image !== '' && {
      image: {
        '@type': 'Link',
        href: image,
        rel: 'icon',
        display: 'fullsize',
        ...(event.picture !== undefined && { contentType: event.picture.mime }),
      },
    }),
  }
}
