import { fullYear } from './moments.ts'

/** What dates such as `03/04/2027` start with. */
export const DATE_ORDERS = ['day-first', 'month-first'] as const
/** What dates such as `03/04/2027` start with. */
export type DateOrder = (typeof DATE_ORDERS)[number]

/** Dates that can be read in two ways, where nothing in their table shows which one is meant. */
export interface UndecidedDates {
  /** How they were read. */
  readonly order: DateOrder
  /** How many there are. */
  readonly count: number
  /** The first of them, as it was written. */
  readonly example: string
}

/** A date whose day and month are numbers, and whose year is last; with dots it always starts with the day. */
const NUMERIC = /(?<![\d/-])(\d{1,2}) ?([/-]) ?(\d{1,2}) ?\2 ?(\d{4}|\d{2})(?![\d/:h])/

/** Dates of a table with the same separator: how many can only be read in one way, and how many in both. */
interface Group {
  /** How they are read where nothing shows it. */
  readonly usual: DateOrder
  dayFirst: number
  monthFirst: number
  open: number
  example: string
}

function groupOf(usual: DateOrder): Group {
  return { usual, dayFirst: 0, monthFirst: 0, open: 0, example: '' }
}

/**
 * Finds out in which order the dates of a table were written: a part above 12 is a day, and decides for all dates with its
 * separator. If both orders occur, the more common one counts.
 */
export class DateOrders {
  readonly #said: DateOrder | undefined
  /** As programs that were made in America write them, and as others do. */
  readonly #groups = { '/': groupOf('month-first'), '-': groupOf('day-first') }

  /** `said` is the order someone chose, which counts for all dates; undefined for none. */
  constructor(said: DateOrder | undefined) {
    this.#said = said
  }

  /** Takes notice of a date, before any is read. */
  note(text: string): void {
    const [written = '', first = '', separator, second = ''] = NUMERIC.exec(text) ?? []
    const [one, other] = [Number(first), Number(second)]
    if (written === '') return
    const group = this.#groups[separator === '/' ? '/' : '-']
    if (one > 12 && other <= 12) group.dayFirst += 1
    else if (other > 12 && one <= 12) group.monthFirst += 1
    else if (one !== other && one <= 12) {
      group.open += 1
      group.example ||= written
    }
  }

  /** The text with its date written `2027-04-03`; others stay as they are. */
  plain(text: string): string {
    const [written, first = '', separator, second = '', year = ''] = NUMERIC.exec(text) ?? []
    if (written === undefined) return text
    const order = this.#said ?? orderOf(this.#groups[separator === '/' ? '/' : '-'])
    const [day, month] = order === 'day-first' ? [first, second] : [second, first]
    return text.replace(written, `${fullYear(year)}-${Number(month)}-${Number(day)}`)
  }

  /** What nothing decides, by the order that was taken; `[]` where there is no such date. */
  get undecided(): readonly UndecidedDates[] {
    if (this.#said !== undefined) return []
    const doubtful = Object.values(this.#groups).filter(
      ({ open, dayFirst, monthFirst }) => open > 0 && dayFirst > 0 === monthFirst > 0,
    )
    const orders = Map.groupBy(doubtful, orderOf)
    return [...orders].map(([order, [first, second]]) => ({
      order,
      count: (first?.open ?? 0) + (second?.open ?? 0),
      example: first?.example ?? '',
    }))
  }
}

function orderOf({ usual, dayFirst, monthFirst }: Group): DateOrder {
  if (dayFirst === monthFirst) return usual
  return dayFirst > monthFirst ? 'day-first' : 'month-first'
}
