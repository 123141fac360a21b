import { translate } from '../../base/i18n/translate.ts'
import { readClock } from '../../base/time/clock.ts'
import { millisFromUtc, offsetText, toLocal } from '../../base/time/zones.ts'
import { EVENT_SCHEMA, type EventRow, type PresentedEvent } from '../../calendar/events/index.ts'
import { IMAGE } from '../../calendar/shared/schema.ts'
import type { Viewer } from '../../calendar/shared/viewer.ts'
import { type NamedSchema, NOTHING, named, ref, type Schema } from '../../http/openapi/parts.ts'
import { image, ORGANIZER, presentOrganizer, presentVenue, VENUE } from './linked.ts'
import { commonMembers, type Members, type ShownItem, shapeOf, textOf } from './members.ts'
import { scheduleDetails } from './schedule.ts'
import { FLAG, ID, listOf, MOMENT, object, only, orNull, sample, TEXT } from './schemas.ts'

/** For whom, where and when an event is shown. */
export interface EventViewer extends Pick<Viewer, 'urls' | 'language'> {
  readonly site: Pick<Viewer['site'], 'zone'>
  /** Unix milliseconds. */
  readonly now: number
}

/** Columns that say when an event takes place. */
type Times = 'start_local' | 'end_local' | 'start_utc' | 'end_utc' | 'timezone' | 'all_day'

/** An event to be shown: as the interface shows it, and what that may hide or leave out. */
export interface EventToShow extends Pick<PresentedEvent, 'shown' | 'isLocked'> {
  readonly row: Pick<EventRow, 'id' | 'password_hash' | Times>
}

/** An event with all that its members depend on. */
interface Showing extends EventToShow, EventViewer, ShownItem {
  readonly urls: Viewer['urls']
}

/** An event, from what the interface shows this caller of it. */
export function presentEvent(event: EventToShow, viewer: EventViewer): Members {
  const instead = event.isLocked ? translate(viewer.language ?? 'en', 'api.tec.passwordProtected') : undefined
  const showing = { ...event, ...viewer, isProtected: event.row.password_hash !== null, instead }
  return EVENTS.present(showing, !event.isLocked)
}

const ZONE = sample('America/Los_Angeles')
const PHP_DATE = object({
  date: sample('2027-04-17 09:30:00.000000', { pattern: '\\.000000$' }),
  timezone_type: { type: 'integer', enum: [1, 3] },
  timezone: ZONE,
})
const CLOCKS = ['start', 'end'].flatMap((edge) => ['', '_utc', '_site', '_display'].map((clock) => edge + clock))

/** A member that depends on a week that nobody has asked for. */
const OF_A_WEEK = [{ type: ['integer', 'null'], enum: [null] }, () => null] as const

/** A member with the value of the interface; null where it is locked. */
const same = (name: string, schema: Schema) => [schema, ({ shown }: Showing) => shown[name]] as const

/** Members of the interface that follow those of this namespace. */
const FURTHER = [
  ...['website', 'image', 'event_status', 'event_status_reason', 'previous_start_date', 'is_virtual', 'virtual_url'],
  ...['virtual_type', 'recurrence', 'recurrence_until', 'series', 'custom_fields', 'tickets', 'post_parent'],
  ...['language', 'has_password'],
]

/** The schemas that events of the interface are made of, by name. */
const PARTS = new Map(EVENT_SCHEMA.uses.map((part) => [part.name, part]))
const INNER = EVENT_SCHEMA.schema['properties'] as Readonly<Record<string, Schema>>

const EVENTS = shapeOf<Showing>('Event', {
  always: {
    ...commonMembers('event'),
    tags: [listOf(ID), (one) => relatedOf(one, 'tags').map(({ id }) => id)],
    tribe_events_cat: [listOf(ID), (one) => relatedOf(one, 'categories').map(({ id }) => id)],
    class_list: [listOf(sample('post-7')), classesOf],
    start_date: [MOMENT, ({ row }) => row.start_local],
    start_date_utc: [MOMENT, ({ row }) => row.start_utc],
    end_date: [MOMENT, ({ row }) => row.end_local],
    end_date_utc: [MOMENT, ({ row }) => row.end_utc],
    dates: [object(Object.fromEntries(CLOCKS.map((name) => [name, PHP_DATE]))), datesOf],
    timezone: [ZONE, ({ row }) => row.timezone],
    duration: [sample('19800', { pattern: '^\\d+$' }), durationOf],
    multiday: [{ anyOf: [sample(2, { minimum: 2 }), only(false)] }, ({ row }) => daysOf(row) > 1 && daysOf(row)],
    is_past: [FLAG, ({ row, now }) => millisFromUtc(row.start_utc) < now],
    is_now: [FLAG, ({ row, now }) => millisFromUtc(row.start_utc) <= now && now <= millisFromUtc(row.end_utc)],
    all_day: same('all_day', orNull(FLAG)),
    starts_this_week: OF_A_WEEK,
    ends_this_week: OF_A_WEEK,
    this_week_duration: OF_A_WEEK,
    happens_this_week: OF_A_WEEK,
    displays_on: [NOTHING, () => []],
    featured: same('featured', orNull(FLAG)),
    sticky: same('sticky', orNull(FLAG)),
    cost: [sample('€12.50'), ({ shown, instead }) => instead ?? shown['cost']],
    organizer_names: [listOf(TEXT), (one) => relatedOf(one, 'organizer').map(({ organizer }) => textOf(organizer))],
    organizers: [listOf(ref('Organizer')), (one) => relatedOf(one, 'organizer').map((of) => presentOrganizer(of, one))],
    venues: [listOf(ref('Venue')), (one) => relatedOf(one, 'venue').map((of) => presentVenue(of, one))],
    schedule_details: [TEXT, ({ row, language = 'en' }) => scheduleDetails(row, language)],
    short_schedule_details: [TEXT, ({ row, language = 'en' }) => scheduleDetails(row, language, true)],
  },
  further: {
    ...Object.fromEntries(FURTHER.map((name) => [name, same(name, INNER[name] ?? {})])),
    // An event without a website shows its page there in the interface.
    website: [INNER['website'] ?? {}, ({ shown }) => (shown['website'] === shown['url'] ? '' : shown['website'])],
    image,
    // The interface calls a ticket what events embed.
    tickets: same('tickets', listOf(ref('Offer'))),
  },
  uses: [
    ...[VENUE, ORGANIZER, IMAGE, named('Offer', PARTS.get('Ticket')?.schema ?? {})],
    PARTS.get('SeriesDate') as NamedSchema,
  ],
})

/** An event as responses show it, whole or locked. */
export const EVENT = EVENTS.schema

/** What the interface shows of related items: none, one, or several. */
function relatedOf({ shown }: Pick<EventToShow, 'shown'>, member: string): readonly Members[] {
  return [shown[member]].flat() as readonly Members[]
}

function classesOf(event: EventToShow): string[] {
  const { row, shown, isLocked } = event
  const hasPassword = row.password_hash !== null
  return [
    `post-${row.id}`,
    'tribe_events',
    'type-tribe_events',
    `status-${textOf(shown['status'])}`,
    ...(shown['image'] === false ? [] : ['has-post-thumbnail']),
    ...(hasPassword ? [isLocked ? 'post-password-required' : 'post-password-protected'] : []),
    'hentry',
    ...relatedOf(event, 'tags').map(({ slug }) => `tag-${textOf(slug)}`),
    ...relatedOf(event, 'categories').map(({ slug }) => `tribe_events_cat-${textOf(slug)}`),
  ]
}

function datesOf({ row, site: { zone } }: Showing): Members {
  const dates = (edge: 'start' | 'end') => {
    const utc = row[`${edge}_utc`]
    const own = dateOn(row[`${edge}_local`], utc, row.timezone)
    const [inUtc, ofSite] = [dateOn(utc, utc, 'UTC'), dateOn(toLocal(utc, zone), utc, zone)]
    return { [edge]: own, [`${edge}_utc`]: inUtc, [`${edge}_site`]: ofSite, [`${edge}_display`]: own }
  }
  return { ...dates('start'), ...dates('end') }
}

/** A moment on a clock, as PHP writes it: type 3 is a named zone, type 1 an offset. */
function dateOn(local: string, utc: string, zone: string) {
  const isOffset = /^UTC[+-]/i.test(zone)
  return {
    date: `${local}.000000`,
    timezone_type: isOffset ? 1 : 3,
    timezone: isOffset ? offsetText(utc, zone) : zone,
  }
}

function durationOf({ row }: Showing): string {
  return String(readClock(row.end_utc) - readClock(row.start_utc))
}

/** How many days of its clock it touches. */
function daysOf(row: Pick<EventRow, Times>): number {
  return dayOf(row.end_local) - dayOf(row.start_local) + 1
}

function dayOf(local: string): number {
  return readClock(`${local.slice(0, 10)} 00:00:00`) / 86_400
}

/** The next moment (Unix milliseconds) at which `is_past` or `is_now` changes without a write; undefined for none. */
export function nextChange(row: Pick<EventRow, 'start_utc' | 'end_utc'>, now: number): number | undefined {
  const [start, end] = [millisFromUtc(row.start_utc), millisFromUtc(row.end_utc)]
  return [start, start + 1, end + 1].find((moment) => moment > now)
}
