import { translate } from '../../base/i18n/translate.ts'
import { readClock } from '../../base/time/clock.ts'
import { millisFromUtc, offsetText, toLocal } from '../../base/time/zones.ts'
import type { EventRow, PresentedEvent } from '../../calendar/events/index.ts'
import { withoutEmpty } from '../../calendar/shared/present.ts'
import type { Viewer } from '../../calendar/shared/viewer.ts'
import { commonMembers, type Members, textOf } from './common.ts'
import { presentOrganizer, presentVenue } from './linked.ts'
import { scheduleDetails } from './schedule.ts'

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

/** An event, from what the interface shows this caller of it. */
export function presentEvent(event: EventToShow, viewer: EventViewer): Members {
  const { row, shown, isLocked } = event
  const { urls, language = 'en' } = viewer
  const instead = isLocked ? translate(language, 'api.tec.passwordProtected') : undefined
  const isProtected = row.password_hash !== null
  const organizers = listOf(shown['organizer']).map((one) => presentOrganizer(one, viewer))
  return {
    ...commonMembers('event', shown, { urls, isProtected, instead }),
    tags: listOf(shown['tags']).map(({ id }) => id),
    tribe_events_cat: listOf(shown['categories']).map(({ id }) => id),
    class_list: classesOf(event),
    start_date: row.start_local,
    start_date_utc: row.start_utc,
    end_date: row.end_local,
    end_date_utc: row.end_utc,
    dates: datesOf(row, viewer.site.zone),
    timezone: row.timezone,
    duration: String(readClock(row.end_utc) - readClock(row.start_utc)),
    ...momentsOf(row, viewer.now),
    all_day: shown['all_day'],
    starts_this_week: null,
    ends_this_week: null,
    this_week_duration: null,
    happens_this_week: null,
    displays_on: [],
    featured: shown['featured'],
    sticky: shown['sticky'],
    cost: instead ?? shown['cost'],
    organizer_names: organizers.map(({ title }) => (title as { readonly rendered: string }).rendered),
    organizers,
    venues: listOf(shown['venue']).map((one) => presentVenue(one, viewer)),
    schedule_details: scheduleDetails(row, language),
    short_schedule_details: scheduleDetails(row, language, true),
    ...(isLocked ? {} : furtherMembers(shown)),
  }
}

/** What the interface shows of related items: none, one, or several. */
function listOf(items: unknown): readonly Members[] {
  return (Array.isArray(items) ? items : [items]) as readonly Members[]
}

function classesOf({ row, shown, isLocked }: EventToShow): string[] {
  const hasPassword = row.password_hash !== null
  return [
    `post-${row.id}`,
    'tribe_events',
    'type-tribe_events',
    `status-${textOf(shown['status'])}`,
    ...(shown['image'] === false ? [] : ['has-post-thumbnail']),
    ...(hasPassword ? [isLocked ? 'post-password-required' : 'post-password-protected'] : []),
    'hentry',
    ...listOf(shown['tags']).map(({ slug }) => `tag-${textOf(slug)}`),
    ...listOf(shown['categories']).map(({ slug }) => `tribe_events_cat-${textOf(slug)}`),
  ]
}

/** A moment on a clock, as PHP writes it. */
interface PhpDate {
  readonly date: string
  /** 3 for a named zone, 1 for an offset. */
  readonly timezone_type: 1 | 3
  readonly timezone: string
}

function datesOf(row: Pick<EventRow, Times>, siteZone: string): Readonly<Record<string, PhpDate>> {
  const start = dateOn(row.start_local, row.start_utc, row.timezone)
  const end = dateOn(row.end_local, row.end_utc, row.timezone)
  return {
    start,
    start_utc: dateOn(row.start_utc, row.start_utc, 'UTC'),
    start_site: dateOn(toLocal(row.start_utc, siteZone), row.start_utc, siteZone),
    start_display: start,
    end,
    end_utc: dateOn(row.end_utc, row.end_utc, 'UTC'),
    end_site: dateOn(toLocal(row.end_utc, siteZone), row.end_utc, siteZone),
    end_display: end,
  }
}

function dateOn(local: string, utc: string, zone: string): PhpDate {
  const isOffset = /^UTC[+-]/i.test(zone)
  return {
    date: `${local}.000000`,
    timezone_type: isOffset ? 1 : 3,
    timezone: isOffset ? offsetText(utc, zone) : zone,
  }
}

/** What depends on the days of an event and on the present moment. */
function momentsOf(row: Pick<EventRow, Times>, now: number) {
  const [start, end] = [millisFromUtc(row.start_utc), millisFromUtc(row.end_utc)]
  const days = dayOf(row.end_local) - dayOf(row.start_local) + 1
  return { multiday: days > 1 && days, is_past: start < now, is_now: start <= now && now <= end }
}

function dayOf(local: string): number {
  return readClock(`${local.slice(0, 10)} 00:00:00`) / 86_400
}

/** The next moment (Unix milliseconds) at which `is_past` or `is_now` changes without a write; undefined for none. */
export function nextChange(row: Pick<EventRow, 'start_utc' | 'end_utc'>, now: number): number | undefined {
  const [start, end] = [millisFromUtc(row.start_utc), millisFromUtc(row.end_utc)]
  return [start, start + 1, end + 1].find((moment) => moment > now)
}

/** Members of the interface that follow those of this namespace. */
export const FURTHER: readonly string[] = [
  ...['website', 'image', 'event_status', 'event_status_reason', 'previous_start_date', 'is_virtual', 'virtual_url'],
  ...['virtual_type', 'recurrence', 'recurrence_until', 'series', 'custom_fields', 'tickets', 'post_parent'],
  ...['language', 'has_password'],
]

/** Those of them with content; an event without a website shows its page there in the interface. */
function furtherMembers(shown: Members): Members {
  const further = Object.fromEntries(FURTHER.map((name) => [name, shown[name]]))
  return withoutEmpty({ ...further, website: shown['website'] === shown['url'] ? '' : shown['website'] })
}
