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

/** Between the parts of such dates. */
const SEPARATORS = ['/', '-'] as const
type Separator = (typeof SEPARATORS)[number]

/** How dates are read where nothing shows it: as programs that were made in America write them, and as others do. */
const USUAL: Readonly<Record<Separator, DateOrder>> = { '/': 'month-first', '-': 'day-first' }

interface NumericDate {
  readonly written: string
  readonly first: number
  readonly second: number
  readonly year: string
  readonly separator: Separator
}

/** Dates of one column with the same separator: how many can only be read in one way, and how many in both. */
interface Group {
  readonly separator: Separator
  dayFirst: number
  monthFirst: number
  open: number
  example: string
}

/** What dates start with, and whether nothing contradicts that. */
interface Finding {
  readonly order: DateOrder
  readonly isSure: boolean
}

/**
 * Finds out in which order the dates of a table were written: a part above 12 is a day, and decides for its whole column,
 * and for the other one where that has none. If both orders occur, the more common one counts.
 */
export class DateOrders {
  readonly #said: DateOrder | undefined
  readonly #groups = new Map<string, Group>()

  /** `said` is the order someone chose, which counts for all dates; undefined for none. */
  constructor(said: DateOrder | undefined) {
    this.#said = said
  }

  /** Takes notice of a date in a column, before any is read. */
  note(column: string, text: string): void {
    const date = numericDate(text)
    if (date === undefined) return
    const { first, second, separator, written } = date
    const key = `${column} ${separator}`
    const group = this.#groups.get(key) ?? { separator, dayFirst: 0, monthFirst: 0, open: 0, example: '' }
    this.#groups.set(key, group)
    if (first > 12 && second <= 12) group.dayFirst += 1
    else if (second > 12 && first <= 12) group.monthFirst += 1
    else if (first !== second && first <= 12) {
      group.open += 1
      group.example ||= written
    }
  }

  /** The text with its date written `2027-04-03`; others stay as they are. */
  plain(column: string, text: string): string {
    const date = numericDate(text)
    if (date === undefined) return text
    const { first, second, year, separator, written } = date
    const { order } = this.#find(column, separator)
    const [day, month] = order === 'day-first' ? [first, second] : [second, first]
    return text.replace(written, `${year}-${month}-${day}`)
  }

  /** What nothing decides, by the order that was taken; `[]` where there is no such date. */
  get undecided(): readonly UndecidedDates[] {
    const found = new Map<DateOrder, UndecidedDates>()
    for (const [key, { open, example, separator }] of this.#groups) {
      const { order, isSure } = this.#find(key.slice(0, -2), separator)
      if (isSure || open === 0) continue
      const before = found.get(order)
      found.set(order, { order, count: open + (before?.count ?? 0), example: before?.example ?? example })
    }
    return [...found.values()]
  }

  #find(column: string, separator: Separator): Finding {
    if (this.#said !== undefined) return { order: this.#said, isSure: true }
    const alike = [...this.#groups.values()].filter((one) => one.separator === separator)
    const own = this.#groups.get(`${column} ${separator}`)
    const usual = { order: USUAL[separator], isSure: false }
    return (own && decided([own])) ?? decided(alike) ?? usual
  }
}

/** What the dates of groups show; undefined for nothing. */
function decided(groups: readonly Group[]): Finding | undefined {
  const sum = (part: 'dayFirst' | 'monthFirst'): number => groups.reduce((total, one) => total + one[part], 0)
  const [days, months] = [sum('dayFirst'), sum('monthFirst')]
  if (days === months) return undefined
  return { order: days > months ? 'day-first' : 'month-first', isSure: days === 0 || months === 0 }
}

function numericDate(text: string): NumericDate | undefined {
  const match = NUMERIC.exec(text)
  if (match === null) return undefined
  const [written, first, between, second, year = ''] = match
  const separator = SEPARATORS.find((one) => one === between)
  if (separator === undefined) return undefined
  return { written, first: Number(first), second: Number(second), year: fullYear(year), separator }
}
