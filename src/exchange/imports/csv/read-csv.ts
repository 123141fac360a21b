import { fail } from '../../../base/errors.ts'
import { withValues } from '../../../base/i18n/translate.ts'
import { readCost } from '../../../base/text/cost.ts'
import { escapeHtml } from '../../../base/text/entities.ts'
import { cleanHtml, plainText } from '../../../base/text/html.ts'
import { nameKey } from '../../../base/text/name-key.ts'
import { slugify } from '../../../base/text/slug.ts'
import { readClock } from '../../../base/time/clock.ts'
import { parseDate } from '../../../base/time/parse.ts'
import { isZone } from '../../../base/time/zones.ts'
import { isTrashedSlug } from '../../../calendar/shared/trash.ts'
import { PLAIN_CELLS } from '../../../model/event-parts.ts'
import { webAddress } from '../../../model/kinds/address.ts'
import { booleanOf } from '../../../model/kinds/boolean.ts'
import { STATUSES } from '../../../model/status.ts'
import type { LineProblem } from '../icalendar/components.ts'
import type { EventContent, NamedPlace } from '../icalendar/content.ts'
import { timesAt, timesOfDays } from '../icalendar/times.ts'
import type { SourceCalendarEvent, SourceTimes } from '../icalendar/types.ts'
import { zoneCalled } from '../icalendar/zone-labels.ts'
import { instantIn } from '../icalendar/zones.ts'
import { languageTag, storedValue } from '../stored-value.ts'
import { type ColumnChoice, type ColumnPlan, type EntryField, type EventField, planColumns } from './columns.ts'
import { type DateOrder, DateOrders, type UndecidedDates } from './date-order.ts'
import { entryOf, namesIn, organizersIn, placeOf, type TableEntry, venuesIn } from './read-entries.ts'
import { firstRows, readTable, type TableRow } from './table.ts'

/** What was read of a table. */
export interface ReadTable {
  readonly events: readonly SourceCalendarEvent[]
  readonly entries: readonly TableEntry[]
  readonly problems: readonly LineProblem[]
  /** Dates that can be read in two ways. */
  readonly undecided: readonly UndecidedDates[]
  /** The fields that it has columns for. */
  readonly fields: ReadonlySet<string>
}

/** How tables are read. */
export interface TableOptions {
  /** Zone of times that are of none. */
  readonly zone: string
  /** The assignment of columns; `[]` for none. */
  readonly columns: readonly ColumnChoice[]
  /** What dates such as `03/04/2027` start with; undefined to find out. */
  readonly dates?: DateOrder | undefined
}

type Cell = (key: EventField) => string

/** Reads the events of a table, one for each row, or its venues or organizers. @throws calendar_not_readable */
export function readCsv(file: string, bytes: Buffer, { zone, columns, dates }: TableOptions): ReadTable {
  const problems: LineProblem[] = []
  const events: SourceCalendarEvent[] = []
  const entries: TableEntry[] = []
  let plan: ColumnPlan = planColumns([], [])
  const orders = new DateOrders(dates)
  const onHead = (headings: readonly string[]): void => {
    plan = planColumns(headings, columns)
    if (plan.lacks !== undefined) throw fail('calendar_not_readable', { file, reason: plan.lacks })
  }
  // If nobody chose it, the last row may show it.
  const [head = []] = firstRows(bytes, 1)
  const hasDates = planColumns(head, columns).kind === 'event'
  if (dates === undefined && hasDates) readTable(file, bytes, { onHead, onRow: (row) => noteDates(plan, row, orders) })
  readTable(file, bytes, {
    onHead,
    onRow: (row) => {
      const { kind, fields } = plan
      const cells = cellsOf(fields, row)
      for (const field of DATES) if (cells.has(field)) cells.set(field, orders.plain(field, cells.get(field) ?? ''))
      const cell = (field: EventField | EntryField): string => cells.get(field) ?? ''
      const read = kind === 'event' ? eventOf(cell, { zone, line: row.line, cells }) : entryOf(kind, cell, row.line)
      if (typeof read === 'string') problems.push({ line: row.line, why: read })
      else if ('kind' in read) entries.push(read)
      else events.push(read)
    },
  })
  const { undecided } = orders
  return { events: withWholePlaces(events), entries, problems, undecided, fields: new Set(plan.fields) }
}

/** Events of which each further place, of which a row has only the name, is the one that other rows say more of. */
function withWholePlaces(events: readonly SourceCalendarEvent[]): readonly SourceCalendarEvent[] {
  if (events.every(({ content }) => content.otherPlaces === undefined)) return events
  const whole = new Map<string, NamedPlace>()
  for (const { content } of events) {
    const { location, point, place } = content
    if (place === undefined || location === place.name) continue
    const key = nameKey(place.name ?? '')
    if (!whole.has(key)) whole.set(key, { location, point, place })
  }
  return events.map((event) => {
    const { otherPlaces } = event.content
    if (otherPlaces === undefined) return event
    const places = otherPlaces.map((one) => whole.get(nameKey(one.location)) ?? one)
    return { ...event, content: { ...event.content, otherPlaces: places } }
  })
}

/** Fields with dates. */
const DATES = ['start_date', 'end_date'] as const

function noteDates({ fields }: ColumnPlan, row: TableRow, orders: DateOrders): void {
  for (const [index, field] of fields.entries())
    if (DATES.some((one) => one === field)) orders.note(field, row.cellAt(index))
}

/** The cells of a row by field, '' for empty ones; of several columns of one field the first that says something counts. */
function cellsOf(fields: readonly string[], row: TableRow): Map<string, string> {
  const cells = new Map<string, string>()
  for (const [index, field] of fields.entries())
    if (field !== '' && (cells.get(field) ?? '') === '') cells.set(field, row.cellAt(index))
  return cells
}

interface RowContext {
  /** Zone of times that are of none. */
  readonly zone: string
  readonly line: number
  /** By field: what the table has no column for is missing. */
  readonly cells: ReadonlyMap<string, string>
}

/** The event of a row, or what is wrong with it. */
function eventOf(cell: Cell, { zone: siteZone, line, cells }: RowContext): SourceCalendarEvent | string {
  const title = plainText(escapeHtml(cell('title'))).slice(0, 1000)
  if (title === '') return 'import.problem.noTitle'
  const named = cell('timezone')
  const zone = named === '' ? siteZone : (zoneCalled(named) ?? named)
  if (!isZone(zone)) return withValues('import.problem.unknownZone', { zone: zone.slice(0, 60) })
  const times = timesOfRow(cell, zone)
  if (typeof times === 'string') return times
  const more = columnsOf(cell)
  if (more === undefined) return 'import.problem.costTooLong'
  const shown = [cell('status'), cell('event_status')].map((one) => one.toLowerCase())
  const status = STATUSES.find((one) => shown.includes(one) && one !== 'trash' && one !== 'future')
  const slug = slugify(cell('slug'))
  return {
    uid: cell('uid') || `${nameKey(title)} ${times.startUtc}`,
    line,
    times,
    content: contentOf(cell, { title, website: cells.has('website') ? cell('website') : cell('url') }),
    recurrence: undefined,
    exceptions: [],
    columns: more,
    entry: {
      excerpt: cleanHtml(cell('excerpt')),
      ...(status !== undefined && { status }),
      ...(slug !== '' && !isTrashedSlug(slug) && { slug }),
    },
  }
}

/** What no other form of calendars says; undefined where the cost is too long. */
function columnsOf(cell: Cell): SourceCalendarEvent['columns'] | undefined {
  const cost = readCost(cell('cost'))
  if (!cost.ok) return undefined
  const plain = PLAIN_CELLS.map(({ name, column }) => [name, storedValue(column, cell(name))])
  const symbol = plainText(cell('currency_symbol')).slice(0, 40)
  const isBehind = /^(?:postfix|suffix|after)$/i.test(cell('currency_position'))
  const currency = symbol === '' ? {} : { cost_symbol: symbol, cost_position: isBehind ? 'postfix' : 'prefix' }
  return {
    ...{ cost: cost.cost.text, cost_symbol: cost.cost.symbol, cost_position: cost.cost.position, ...currency },
    ...(Object.fromEntries(plain) as SourceCalendarEvent['columns']),
    ...(/^postponed$/i.test(cell('event_status')) && { event_status: 'postponed' }),
  }
}

function contentOf(cell: Cell, { title, website }: { readonly title: string; readonly website: string }): EventContent {
  const [venue = '', ...others] = venuesIn(cell('venue'), cell('venues'))
  const place = placeOf(cell, venue)
  const location = [venue, cell('address'), cell('city')].filter((part) => part !== '')
  const otherPlaces = others.map((name) => ({ location: name, point: undefined, place: { name } }))
  return {
    title,
    description: cleanHtml(cell('description').slice(0, 500_000)),
    state: /^cancell?ed$/i.test(cell('event_status')) ? 'CANCELLED' : '',
    isPrivate: false,
    comment: '',
    categories: namesIn(cell('categories')),
    tags: namesIn(cell('tags')),
    location: venue === '' ? '' : plainText(escapeHtml(location.join(', '))).slice(0, 1000),
    point: undefined,
    ...(place !== undefined && { place }),
    ...(others.length > 0 && { otherPlaces }),
    organizers: organizersIn(cell('organizer'), cell('organizer_email')),
    url: webAddress(website) ?? '',
    image: webAddress(cell('image')) ?? '',
    conference: webAddress(cell('virtual_url')) ?? '',
    language: languageTag(cell('language')),
    created: undefined,
    modified: undefined,
    kept: [],
  }
}

interface Moment {
  readonly seconds: number
  readonly isUtc: boolean
  readonly hasTime: boolean
}

/** When the event of a row takes place; without times it lasts the whole day. */
function timesOfRow(cell: Cell, zone: string): SourceTimes | string {
  const start = momentOf(cell('start_date'), cell('start_time'), zone)
  if (start === undefined) return cell('start_date') === '' ? 'import.problem.noStart' : 'import.problem.badStart'
  const hasEnd = cell('end_date') !== '' || cell('end_time') !== ''
  const endDate = cell('end_date') || cell('start_date').replace(/[ T]\d.*$/, '')
  const end = hasEnd ? momentOf(endDate, cell('end_time'), zone) : start
  if (end === undefined) return 'import.problem.badEnd'
  const isAllDay =
    cell('all_day') === '' ? !start.hasTime && !end.hasTime : booleanOf(cell('all_day').toLowerCase()) === true
  const utc = (one: Moment): number => (one.isUtc ? one.seconds : instantIn(one.seconds, zone))
  const isOpen = start.hasTime && !end.hasTime && !isAllDay
  if (isOpen ? end.seconds < start.seconds - 86_400 : utc(end) < utc(start)) return 'import.problem.endsBeforeStart'
  const times = isAllDay
    ? timesOfDays({ zone, first: start.seconds, last: end.seconds })
    : timesAt({ from: utc(start), to: isOpen ? utc(start) : utc(end), zone })
  return times ?? 'import.problem.outOfRange'
}

/** A date with its time, together or in two columns; words such as `tomorrow` are none, because they pass. */
function momentOf(date: string, time: string, zone: string): Moment | undefined {
  if (!/\d/.test(date)) return undefined
  const parsed = parseDate(`${date} ${time}`.trim(), { now: 0, zone })
  if (!parsed.ok) return undefined
  const isUtc = parsed.kind === 'instant'
  return { seconds: readClock(isUtc ? parsed.utc : parsed.local), isUtc, hasTime: parsed.hasTime }
}
