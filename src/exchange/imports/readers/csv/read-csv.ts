import { fail } from '../../../../base/errors.ts'
import { nameKey } from '../../../../base/text/name-key.ts'
import type { LineProblem } from '../icalendar/components.ts'
import type { NamedPlace } from '../icalendar/places.ts'
import type { SourceCalendarEvent } from '../icalendar/types.ts'
import { type ColumnChoice, type ColumnPlan, planColumns, type TableKind } from './columns.ts'
import { type DateOrder, DateOrders, type UndecidedDates } from './date-order.ts'
import { tidy } from './moments.ts'
import { entryOf, type TableEntry } from './read-entries.ts'
import { ownUid, readRow } from './read-row.ts'
import { RowCells } from './row-cells.ts'
import { firstRows, isTable, readTable, type TableRow } from './table.ts'

/** What was read of a table. */
export interface ReadTable {
  readonly events: SourceCalendarEvent[]
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

/** Reads the events of a table, one for each row, or its venues or organizers. @throws calendar_not_readable */
export function readCsv(file: string, bytes: Buffer, { zone, columns, dates }: TableOptions): ReadTable {
  const problems: LineProblem[] = []
  const events: SourceCalendarEvent[] = []
  const entries: TableEntry[] = []
  const said = new Set<string>()
  const orders = new DateOrders(dates)
  const [headings] = firstRows(bytes, 1)
  const plan = planColumns(headings ?? [], columns)
  const { kind, fields, lacks } = plan
  if (headings !== undefined && lacks !== undefined) throw fail('calendar_not_readable', { file, reason: lacks })
  // Where it was not said, the last row may show it.
  if (dates === undefined && kind === 'event') readTable(file, bytes, (row) => noteDates(plan, row, orders))
  readTable(file, bytes, (row) => {
    const cells = new RowCells(row, { headings: headings ?? [], fields, orders })
    const read = kind === 'event' ? readRow(cells, { zone, said }) : entryOf(kind, cells)
    if (typeof read === 'string') return void problems.push({ line: row.line, why: read, title: cells.title })
    cells.noteOthers()
    problems.push(...cells.notes)
    if ('kind' in read) entries.push(read)
    else events.push(read)
  })
  const { undecided } = orders
  return { events: [...apart(withWholePlaces(events))], entries, problems, undecided, fields: fieldsSaid(plan, said) }
}

/** The fields of the columns; a column for the status may name that of publication, that of the event, or both. */
function fieldsSaid({ fields }: ColumnPlan, said: ReadonlySet<string>): ReadonlySet<string> {
  const isSaid = (field: string): boolean => field !== 'status' || said.has(field)
  return new Set([...fields.filter(isSaid), ...said])
}

/**
 * Rows with the same title and start at several venues are several events: the first by its name keeps the usual identity, so
 * that the order of the rows does not matter.
 */
function apart(events: readonly SourceCalendarEvent[]): readonly SourceCalendarEvent[] {
  const venues = new Map<string, Set<string>>()
  for (const { uid, content } of events) venues.set(uid, (venues.get(uid) ?? new Set()).add(nameKey(content.location)))
  if (venues.size === events.length) return events
  return events.map((event) => {
    const { uid, times, content } = event
    const [first, ...others] = [...(venues.get(uid) ?? [])].toSorted()
    const venue = nameKey(content.location)
    const isNamed = uid !== ownUid(content.title, times.startUtc)
    return isNamed || others.length === 0 || venue === first ? event : { ...event, uid: `${uid} ${venue}` }
  })
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

/** Fields that may have dates. */
const DATES = ['start_date', 'start_time', 'end_date', 'end_time'] as const

function noteDates({ fields }: ColumnPlan, row: TableRow, orders: DateOrders): void {
  for (const [index, field] of fields.entries())
    if (DATES.some((one) => one === field)) orders.note(tidy(row.cellAt(index)))
}

/** A column of a table. */
export interface TableColumn {
  /** As it stands in the file, cut at 100 characters. */
  readonly heading: string
  /** The field that it is imported as; '' for none. */
  readonly field: string
  /** The first text in it, cut at 60 characters; '' where the first rows have none. */
  readonly sample: string
}

/** The fields assigned to the columns of a table. */
export interface TableHead {
  readonly kind: TableKind
  readonly columns: readonly TableColumn[]
}

/** Rows in which samples are looked for. */
const ROWS = 20

/** The fields assigned to the columns of a file; undefined for a file that is not a table or cannot be read. */
export function headOf(
  { name, bytes }: { readonly name: string; readonly bytes: Uint8Array },
  said: readonly ColumnChoice[],
): TableHead | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!isTable(name, buffer)) return undefined
  const [headings, ...rows] = firstRows(buffer, ROWS)
  if (headings === undefined) return undefined
  const { kind, fields } = planColumns(headings, said)
  const columns = headings.map((heading, index) => ({
    heading: heading.slice(0, 100),
    field: fields[index] ?? '',
    sample: (rows.map((row) => row[index] ?? '').find((text) => text !== '') ?? '').replace(/\s+/g, ' ').slice(0, 60),
  }))
  return { kind, columns }
}
