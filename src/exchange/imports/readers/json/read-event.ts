import { plainText } from '../../../../base/text/html.ts'
import { isZone, toUtc } from '../../../../base/time/zones.ts'
import type { EventRow } from '../../../../calendar/events/index.ts'
import { EVENT_STATUSES, VIRTUAL_TYPES } from '../../../../model/attendance.ts'
import { plainNamesOf } from '../../../../model/column.ts'
import { EVENT_COLUMNS } from '../../../../model/event.ts'
import { webAddress } from '../../../../model/kinds/address.ts'
import { line } from '../../../../model/kinds/text.ts'
import type { Site } from '../../../../model/site.ts'
import type { EntryColumns } from '../../../../storage/schema.ts'
import { type CostColumns, readCostColumns } from './cost-columns.ts'
import { type Identity, identityOf } from './identity.ts'
import {
  below,
  clockAt,
  flagAt,
  idAt,
  type Place,
  requiredClockAt,
  type SourceObject,
  textAt,
  unusable,
  valueAt,
} from './members.ts'
import { type OwnMembers, readOwnMembers } from './own-members.ts'
import { addressAt, columnAt, ENTRY_MEMBERS, readEntry, type SourceEntry } from './read-entry.ts'
import { leftOut, type Read } from './read-term.ts'
import { seriesAt } from './series-dates.ts'

/** The columns of an event that a record decides. */
export type SourceColumns = Omit<EventRow, keyof EntryColumns | 'password_hash' | 'post_parent'>

/** An event as it was recorded, cleaned, without what it embeds. */
export interface SourceEvent {
  readonly place: Place
  readonly identity: Identity
  readonly entry: SourceEntry
  readonly columns: SourceColumns
  /** Global ID of the event that it is a part of; '' when none. */
  readonly parentGlobalId: string
  /** RRULE, RDATE and EXDATE as recorded; `[]` when it does not recur. */
  readonly recurrence: readonly string[]
  /** Present where a password protects it, which no record has. */
  readonly isProtected?: true
}

const PLAIN = plainNamesOf(EVENT_COLUMNS)

const KNOWN: ReadonlySet<string> = new Set([
  ...ENTRY_MEMBERS,
  ...PLAIN,
  ...['title', 'all_day', 'start_date', 'end_date', 'utc_start_date', 'utc_end_date', 'timezone', 'timezone_abbr'],
  ...['start_date_details', 'end_date_details', 'utc_start_date_details', 'utc_end_date_details'],
  ...['cost', 'cost_details', 'website', 'categories', 'tags', 'venue', 'organizer'],
  ...['custom_fields', 'tickets', 'post_parent', 'password', 'has_password'],
])

/** What a date of a series of ours has besides. */
const SERIES_MEMBERS = ['recurrence', 'recurrence_until', 'series'] as const

/**
 * Reads an event without what it embeds; `around` is the site that the file names, '' when none. One whose content a
 * password hid is left out.
 * @throws recorded_not_usable when it has no ID, title member or dates, and for members of a wrong type
 */
export function readEvent(
  source: SourceObject,
  { around, site }: { readonly around: string; readonly site: Site },
): Read<SourceEvent> {
  const { place } = source
  const identity = identityOf(source, around)
  if (identity === undefined) throw unusable(below(place, 'id'), 'is missing')
  if (typeof valueAt(source, 'title') !== 'string') {
    throw unusable(below(place, 'title'), valueAt(source, 'title') === undefined ? 'is missing' : 'is not a text')
  }
  // Lists answer null to those without the password (wire: events 7); a text of '' would empty what is stored.
  if (source.members['all_day'] === null) return leftOut(place, 'a password hid its content')
  const timezone = readZone(source, site)
  const recurrence = linesAt(source)
  const isRecurring = recurrence.length > 0 || seriesAt(source) !== undefined
  const attendance = readAttendance(source, timezone)
  const known = new Set([
    ...KNOWN,
    ...(isRecurring ? SERIES_MEMBERS : []),
    // Of a series it is another one for each date.
    ...(attendance.previous_start === null ? [] : ['previous_start_date']),
  ])
  const { entry, skipped } = readEntry(source, { known, zone: timezone })
  const own = readOwnMembers(source, timezone)
  const parent = idAt(source, 'post_parent')
  const item = {
    place,
    identity,
    entry,
    columns: {
      title: plainText(textAt(source, 'title')),
      ...readTimes(source, timezone),
      ...readCostColumns(source, site),
      website: readWebsite(source),
      all_day: flagAt(source, 'all_day') ? 1 : 0,
      ...readPlain(source),
      ...attendance,
      ...own.columns,
    },
    parentGlobalId: parent === undefined ? '' : identity.globalId.replace(/\?id=.*$/, `?id=${parent}`),
    recurrence,
    ...(valueAt(source, 'has_password') === true && { isProtected: true as const }),
  }
  return { item, skipped: [...skipped, ...own.skipped] }
}

/** The lines that an event recurs by; `[]` where the member is absent or something else. */
function linesAt(source: SourceObject): readonly string[] {
  const lines = valueAt(source, 'recurrence')
  return Array.isArray(lines) && lines.every((line) => typeof line === 'string') ? lines : []
}

type PlainColumns = Omit<
  SourceColumns,
  keyof Times | keyof CostColumns | keyof OwnMembers | keyof Attendance | 'title' | 'website' | 'all_day'
>

/** The columns that need no code of their own. */
function readPlain(source: SourceObject): PlainColumns {
  const values = PLAIN.map((name) => [name, columnAt(source, name, EVENT_COLUMNS[name])])
  // These are all the columns that are neither named above nor made here.
  return Object.fromEntries(values) as PlainColumns
}

type Attendance = Pick<
  SourceColumns,
  'event_status' | 'event_status_reason' | 'previous_start' | 'is_virtual' | 'virtual_url' | 'virtual_type'
>

/** What lists filter by, as far as it was recorded in words that are known here; the members stay as they were recorded. */
function readAttendance(source: SourceObject, timezone: string): Attendance {
  const word = (name: string, words: readonly string[]): string | undefined => {
    const recorded = String(valueAt(source, name) ?? '')
      .toLowerCase()
      .replaceAll('-', '_')
    return words.find((one) => one === recorded)
  }
  const lineOf = (name: string): string => {
    const reading = line.parse(valueAt(source, name) ?? '', { now: 0, siteZone: 'UTC' })
    return reading.ok ? reading.value : ''
  }
  const address = valueAt(source, 'virtual_url')
  const event_status = word('event_status', EVENT_STATUSES) ?? 'scheduled'
  return {
    event_status,
    event_status_reason: lineOf('event_status_reason'),
    previous_start: event_status === 'rescheduled' ? previousStartAt(source, timezone) : null,
    is_virtual: valueAt(source, 'is_virtual') === true ? 1 : 0,
    virtual_url: typeof address === 'string' ? (webAddress(address) ?? '') : '',
    virtual_type: word('virtual_type', VIRTUAL_TYPES) ?? '',
  }
}

/** When a rescheduled event was to start, on its own clock; null where nothing that can be read was recorded. */
function previousStartAt(source: SourceObject, timezone: string): string | null {
  const isText = typeof valueAt(source, 'previous_start_date') === 'string'
  return (isText ? clockAt(source, 'previous_start_date', timezone) : undefined) ?? null
}

/** The zone as recorded; that of our site where none was. */
function readZone(source: SourceObject, site: Site): string {
  const zone = textAt(source, 'timezone').trim()
  if (zone === '') return site.zone
  if (!isZone(zone)) throw unusable(below(source.place, 'timezone'), 'is not a time zone')
  return zone
}

/** The address as recorded; null, for the event's own page here, if none was recorded or it is that page there. */
function readWebsite(source: SourceObject): string | null {
  if (valueAt(source, 'website') === undefined) return null
  return isSamePage(textAt(source, 'website'), textAt(source, 'url')) ? null : addressAt(source, 'website')
}

/** Whether two addresses lead to one page: sites write them with http or https, and with or without the last slash. */
function isSamePage(one: string, other: string): boolean {
  const bare = (address: string): string =>
    address
      .trim()
      .replace(/^https?:/i, '')
      .replace(/\/+$/, '')
  return bare(one) !== '' && bare(one) === bare(other)
}

type Times = Pick<SourceColumns, 'start_local' | 'end_local' | 'start_utc' | 'end_utc' | 'timezone'>

/** The dates as recorded. The UTC ones are kept too, also where they do not follow from zone and wall clock. */
function readTimes(source: SourceObject, timezone: string): Times {
  const start_local = requiredClockAt(source, 'start_date', timezone)
  const end_local = requiredClockAt(source, 'end_date', timezone)
  return {
    start_local,
    end_local,
    start_utc: clockAt(source, 'utc_start_date', 'UTC') ?? toUtc(start_local, timezone),
    end_utc: clockAt(source, 'utc_end_date', 'UTC') ?? toUtc(end_local, timezone),
    timezone,
  }
}
