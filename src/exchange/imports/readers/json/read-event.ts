import { withValues } from '../../../../base/i18n/translate.ts'
import { plainText } from '../../../../base/text/html.ts'
import { isZone, toLocal, toUtc } from '../../../../base/time/zones.ts'
import type { EventRow } from '../../../../calendar/events/index.ts'
import { EVENT_STATUSES, VIRTUAL_TYPES } from '../../../../model/attendance.ts'
import { link, plainNamesOf } from '../../../../model/column.ts'
import { EVENT_COLUMNS } from '../../../../model/event.ts'
import { webAddress } from '../../../../model/kinds/address.ts'
import { line } from '../../../../model/kinds/text.ts'
import type { Site } from '../../../../model/site.ts'
import type { EntryColumns } from '../../../../storage/schema.ts'
import type { Skipped } from '../../types.ts'
import { type Identity, identityOf } from './identity.ts'
import {
  below,
  clockAt,
  flagAt,
  idAt,
  noteAt,
  type Place,
  requiredClockAt,
  type SourceObject,
  textAt,
  unusable,
  valueAt,
} from './members.ts'
import { type CostColumns, type OwnMembers, readCostColumns, readOwnMembers } from './own-columns.ts'
import { columnAt, ENTRY_MEMBERS, readEntry, type SourceEntry } from './read-entry.ts'
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
  const skipped: Skipped[] = []
  const entry = readEntry(source, { known, zone: timezone, notes: skipped })
  const parent = idAt(source, 'post_parent')
  const item = {
    place,
    identity,
    entry,
    columns: {
      title: plainText(textAt(source, 'title')),
      ...readTimes(source, timezone, skipped),
      ...readCostColumns(source, site),
      website: readWebsite(source, skipped),
      all_day: flagAt(source, 'all_day') ? 1 : 0,
      ...readPlain(source, skipped),
      ...attendance,
      ...readOwnMembers(source, timezone, skipped),
    },
    parentGlobalId: parent === undefined ? '' : identity.globalId.replace(/\?id=.*$/, `?id=${parent}`),
    recurrence,
    ...(valueAt(source, 'has_password') === true && { isProtected: true as const }),
  }
  return { item, skipped }
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
function readPlain(source: SourceObject, notes: Skipped[]): PlainColumns {
  const values = PLAIN.map((name) => [name, columnAt(source, name, { column: EVENT_COLUMNS[name], notes })])
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
function readWebsite(source: SourceObject, notes: Skipped[]): string | null {
  if (valueAt(source, 'website') === undefined) return null
  if (isSamePage(textAt(source, 'website'), textAt(source, 'url'))) return null
  return String(columnAt(source, 'website', { column: link, notes }))
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

/** The dates as recorded, on the clock of their zone; those of UTC only say which one is meant of two that a clock shows alike. */
function readTimes(source: SourceObject, timezone: string, notes: Skipped[]): Times {
  const start_local = requiredClockAt(source, 'start_date', timezone)
  const end_local = requiredClockAt(source, 'end_date', timezone)
  const utcOf = (name: string, local: string): string => {
    const derived = toUtc(local, timezone)
    const recorded = clockAt(source, name, 'UTC')
    if (recorded === undefined || recorded === derived || toLocal(recorded, timezone) === local)
      return recorded ?? derived
    notes.push(noteAt(source, name, withValues('import.note.otherUtc', { value: recorded })))
    return derived
  }
  const [start_utc, end_utc] = [utcOf('utc_start_date', start_local), utcOf('utc_end_date', end_local)]
  return { start_local, end_local, start_utc, end_utc, timezone }
}
