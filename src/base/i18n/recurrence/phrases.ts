/** The periods that rules count in. */
export type Unit = 'year' | 'month' | 'week' | 'day' | 'hour' | 'minute' | 'second'

/** A text by plural category (Unicode CLDR), where `{n}` stands for the number; categories left out are `other`. */
export type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string }

/** How a language says a recurrence. Slots in braces are filled; `{list}` is joined as the language joins lists. */
export interface Phrases {
  /** Each period: `every day`. */
  readonly each: Readonly<Record<Unit, string>>
  /** Every so many of them: `every {n} days`. */
  readonly everyFew: Readonly<Record<Unit, Plural>>
  /** A weekday in the list of each week, or of every few: 0 Sunday .. 6 Saturday; the name is that of the language's calendar. */
  readonly weekday?: (day: number, name: string, isEachWeek: boolean) => string
  /** Weekdays of each week, and of every few weeks (`{every}`). */
  readonly weekly: readonly [each: string, few: string]
  /** A day of the month by its number, and the last one, in the list of a month. */
  readonly monthDay: (day: number) => string
  readonly lastDay: string
  /** A weekday of a month: the nth, 1..5, or -1 for the last. */
  readonly nthWeekday: (nth: number, day: number, name: string) => string
  /** Days of each month, and of every few months. */
  readonly monthly: readonly [each: string, few: string]
  /** A date in a list of dates; as the language writes it if absent. */
  readonly yearDay?: (date: string) => string
  /** Dates of each year, and of every few years; `{list}` is of month and day. */
  readonly yearly: readonly [each: string, few: string]
  /** A weekday of one month of each year, and of every few years: `{nth}`, `{month}`. */
  readonly yearlyNth: readonly [each: string, few: string]
  /** Where it ends: `{rule}` and `{date}` or `{times}`. */
  readonly until: string
  readonly counted: string
  readonly times: Plural
  /** Single dates added or left out: `{rule}` and `{list}`. */
  readonly also: string
  readonly except: string
  /** What neighboring words do to each other, done to the whole. */
  readonly contract?: (text: string) => string
}
