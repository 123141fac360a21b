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
  readonly series: Pick<EventTable, 'id' | 'slug'>
  readonly date: Pick<SeriesDateTable, 'id' | 'recurrence_id' | 'of_day' | 'position'>
  readonly exception?: Pick<EventTable, 'slug' | 'exception'> | undefined
}

/** Where the page of a date is below those of events, without slashes at its ends. */
export function pathOfDate(names: DateNames): string {
  return pageOfDate(names).page ?? slugOfDate(names)
}

/** The page of a further date stands below that of the event, unless the date has a slug of its own. */
function pageOfDate({ series, date, exception }: DateNames): { readonly page?: string } {
  const hasSlug = exception !== undefined && exceptionOf(exception)?.fields.includes('slug') === true
  return date.id === series.id || hasSlug ? {} : { page: `${series.slug}/${dayOf(date)}` }
}

/** The day of a date with its number among those of the day. */
function dayOf({ recurrence_id, of_day }: Pick<SeriesDateTable, 'recurrence_id' | 'of_day'>): string {
  return `${recurrence_id.slice(0, 10)}${of_day === 1 ? '' : `-${of_day}`}`
}

/** The slug of a date: its own, that of the event for the first one, `{slug}-{day}` for the others. */
function slugOfDate({ series, date, exception }: DateNames): string {
  if (exception !== undefined && exceptionOf(exception)?.fields.includes('slug') === true) return exception.slug
  if (date.id === series.id) return series.slug
  return `${dateSlug(series, date)}${isOut(date) ? '__trashed' : ''}`
}

/** The slug of a further date that has none of its own and was not taken out. */
export function dateSlug(
  series: Pick<EventTable, 'slug'>,
  date: Pick<SeriesDateTable, 'recurrence_id' | 'of_day'>,
): string {
  return `${series.slug}-${dayOf(date)}`
}
