import type { FirstDate, Recurrence } from '../../../../base/time/recurrence/lines.ts'
import type { ColumnChoice } from '../csv/columns.ts'
import type { DateOrder } from '../csv/date-order.ts'
import type { SourceEntry } from '../json/read-entry.ts'
import type { SourceColumns } from '../json/read-event.ts'
import type { EventContent } from './content.ts'

/** When something takes place: the clock of its zone, and UTC where the clock alone does not say it. */
export interface SourceTimes extends FirstDate {
  /** UTC text. */
  readonly startUtc: string
  readonly endUtc: string
}

/** A date of an event that differs from the others. */
export interface SourceException {
  /** The start that it has in the recurrence, on the clock of the event. */
  readonly recurrenceId: string
  readonly times: SourceTimes
  /** Undefined where only the times differ. */
  readonly content: EventContent | undefined
}

/** An event of a file with all its dates. */
export interface SourceCalendarEvent {
  /** UID; for what is no date of the event with that UID, with its RECURRENCE-ID behind it. */
  readonly uid: string
  /** The line on which it starts. */
  readonly line: number
  readonly times: SourceTimes
  readonly content: EventContent
  /** Undefined for a single date. */
  readonly recurrence: Recurrence | undefined
  readonly exceptions: readonly SourceException[]
  /** What other forms than iCalendar say besides. */
  readonly columns?: Partial<SourceColumns>
  readonly entry?: Partial<Pick<SourceEntry, 'excerpt' | 'status' | 'slug'>>
}

/** What reading needs beside the file. */
export interface ReadingOptions {
  /** Zone of times that are of none; undefined for that of the calendar, or of the site. */
  readonly zone: string | undefined
  readonly siteZone: string
  /** Unix milliseconds. */
  readonly now: number
  /** Years for which the dates of rules without end are held. */
  readonly recurrenceYears: number
  /** Whether it cannot be a table or an archive; absent to find out. */
  readonly isCalendar?: boolean
  /** The assignment of the columns of tables; absent for none. */
  readonly columns?: readonly ColumnChoice[] | undefined
  /** What dates such as `03/04/2027` start with in tables; absent to find out. */
  readonly dates?: DateOrder | undefined
}
