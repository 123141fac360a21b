import type { EventTable, SeriesDateTable } from '../../../storage/schema.ts'
import type { EventRow } from '../event-row.ts'
import { exceptionOf, momentsOfDate, previousStartOfDate } from './recurring.ts'

/** A date of a recurring event with the rows that it is made of. */
export interface DateRows {
  readonly series: EventTable
  readonly date: SeriesDateTable
  readonly exception?: EventTable | undefined
}

/** Whether a date was taken out of its series. */
export function isOut({ position }: Pick<SeriesDateTable, 'position'>): boolean {
  return position === 0
}

/** A date as if it were an event of its own. The first one is the event itself, also when it was taken out. */
export function shownDate({ series, date, exception }: DateRows): EventRow {
  const isFirst = date.id === series.id
  const isGone = isOut(date) && !isFirst
  const { status, trashed_from, recurrence } = series
  const previous_start = previousStartOfDate(series, date.recurrence_id)
  return {
    ...(exception ?? { ...series, ...momentsOfDate(series, date.recurrence_id), previous_start }),
    id: date.id,
    slug: slugOfDate({ series, date, exception }),
    post_parent: isFirst ? series.post_parent : series.id,
    recurrence: isFirst ? recurrence : null,
    exception: null,
    status: isGone ? 'trash' : status,
    trashed_from: isGone ? status : trashed_from,
    occasion: {
      series,
      date,
      ...(exception !== undefined && { exception }),
      ...pageOfDate({ series, date, exception }),
    },
  }
}

/** A date with as much of its rows as its address takes. */
interface DateNames {
  readonly series: Pick<EventTable, 'id' | 'slug' | 'status'>
  readonly date: Pick<SeriesDateTable, 'id' | 'recurrence_id' | 'of_day' | 'position' | 'address'>
  readonly exception?: Pick<EventTable, 'slug' | 'exception'> | undefined
}

/** Where the page of a date is below those of events, without slashes at its ends. */
export function pathOfDate(names: DateNames): string {
  return pageOfDate(names).page ?? slugOfDate(names)
}

/** The page of a further date stands below that of the event, unless the date has a slug of its own. */
function pageOfDate({ series, date, exception }: DateNames): { readonly page?: string } {
  if (hasOwnSlug(exception)) return {}
  const page = keptAddress(series, date) ?? (date.id === series.id ? undefined : addressText(series.slug, date))
  return page === undefined ? {} : { page }
}

function hasOwnSlug(exception: DateNames['exception']): exception is Pick<EventTable, 'slug' | 'exception'> {
  return exception !== undefined && exceptionOf(exception)?.fields.includes('slug') === true
}

/** The address that a date keeps, whatever its series is called and when it starts. In the trash nobody asks for it. */
function keptAddress(
  { status }: Pick<EventTable, 'status'>,
  { address }: Pick<SeriesDateTable, 'address'>,
): string | undefined {
  return status === 'trash' ? undefined : (address ?? undefined)
}

/** An address of a date: below what slug, on which day `YYYY-MM-DD`, and the how manieth of that day. */
export interface DateAddress {
  readonly slug: string
  readonly day: string
  readonly of_day: number
}

/** An address as `series_date.address` has it: the day of a date below a slug, with its number among the dates of that. */
export function addressText(
  slug: string,
  { recurrence_id, of_day }: Pick<SeriesDateTable, 'recurrence_id' | 'of_day'>,
): string {
  return `${slug}/${recurrence_id.slice(0, 10)}${of_day === 1 ? '' : `-${of_day}`}`
}

/** A date that keeps the address that it has, wherever it moves. */
export function withAddress(series: EventTable, date: SeriesDateTable): SeriesDateTable {
  return { ...date, address: date.address ?? addressText(series.slug, date) }
}

/** The slug of a date: its own, that of the event for the first one, `{slug}-{day}` for the others. */
function slugOfDate({ series, date, exception }: DateNames): string {
  if (hasOwnSlug(exception)) return exception.slug
  const isFirst = date.id === series.id
  if (isFirst && keptAddress(series, date) === undefined) return series.slug
  return `${dateSlug(series, date)}${isOut(date) && !isFirst ? '__trashed' : ''}`
}

/** The slug of a further date that has none of its own and was not taken out. */
export function dateSlug(
  series: Pick<EventTable, 'slug' | 'status'>,
  date: Pick<SeriesDateTable, 'recurrence_id' | 'of_day' | 'address'>,
): string {
  return addressOf(series, date).replace('/', '-')
}

/** The address of a further date that has no slug of its own: the one that it keeps, or else that of its day. */
export function addressOf(
  series: Pick<EventTable, 'slug' | 'status'>,
  date: Pick<SeriesDateTable, 'recurrence_id' | 'of_day' | 'address'>,
): string {
  return keptAddress(series, date) ?? addressText(series.slug, date)
}
