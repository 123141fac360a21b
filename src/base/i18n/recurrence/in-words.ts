import { readClock, writeClock } from '../../time/clock.ts'
import type { RecurringDate } from '../../time/recurrence/dates.ts'
import type { FirstDate, ListedDate, Recurrence } from '../../time/recurrence/lines.ts'
import type { RecurrenceRule } from '../../time/recurrence/rule.ts'
import { toLocal } from '../../time/zones.ts'
import { LANGUAGES } from '../languages.ts'
import { localeOf, type MessageValues } from '../translate.ts'
import { ARABIC } from './languages/ar.ts'
import { GERMAN } from './languages/de.ts'
import { ENGLISH } from './languages/en.ts'
import { SPANISH } from './languages/es.ts'
import { FRENCH } from './languages/fr.ts'
import { ITALIAN } from './languages/it.ts'
import { JAPANESE } from './languages/ja.ts'
import { DUTCH } from './languages/nl.ts'
import { POLISH } from './languages/pl.ts'
import { PORTUGUESE } from './languages/pt.ts'
import { CHINESE } from './languages/zh.ts'
import type { Phrases } from './phrases.ts'
import { type RulePattern, rulePattern } from './rule-pattern.ts'

/** What is put into words. */
export interface ShownRecurrence {
  readonly recurrence: Recurrence
  readonly first: FirstDate
  /** The first dates: six or more where there are as many. They are listed, and thus calculated, only if no words fit the rule. */
  dates(): readonly Pick<RecurringDate, 'start'>[]
}

/** Single dates that are named at most; further ones are an ellipsis. */
const NAMED = 5

type Language = (typeof LANGUAGES)[number]

const PHRASES: Readonly<Record<Language, Phrases>> = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
  it: ITALIAN,
  nl: DUTCH,
  pt: PORTUGUESE,
  pl: POLISH,
  ja: JAPANESE,
  zh: CHINESE,
  ar: ARABIC,
}

/**
 * A recurrence in the words of a language, without a capital or a period: `every Tuesday and Thursday until 30 June
 * 2027`. Where no words fit its rule, and where it has none, the first dates in short. English for a language that is
 * none of ours.
 */
export function recurrenceInWords({ recurrence, first, dates }: ShownRecurrence, language: string): string {
  const speech = speechOf(LANGUAGES.find((one) => one === language) ?? 'en')
  const { rule, added, excluded } = recurrence
  const pattern = rule && rulePattern(rule, readClock(first.start))
  const finish = speech.phrases.contract ?? ((text: string) => text)
  if (rule === undefined || pattern === undefined) return finish(speech.dates(dates().map(({ start }) => start)))
  const said = [withEnd(speech, sayPattern(speech, pattern), { rule, zone: first.zone })]
  const addDates = (template: string, listed: readonly ListedDate[]): void => {
    const list = speech.days(listed.map(({ seconds }) => writeClock(seconds)))
    if (listed.length > 0) said.unshift(fillSlots(template, { rule: said[0] ?? '', list }))
  }
  addDates(speech.phrases.also, added)
  addDates(speech.phrases.except, excluded)
  return finish(said[0] ?? '')
}

/** A language with what the runtime knows of it. */
interface Speech {
  readonly phrases: Phrases
  plural(number: number): Intl.LDMLPluralRule
  number(number: number): string
  list(items: readonly string[]): string
  /** Names of weekdays, 0 Sunday .. 6 Saturday. */
  weekday(day: number): string
  /** A wall clock reading as a date with its year; in short. */
  date(local: string): string
  dates(locals: readonly string[]): string
  /** Dates in short as parts of a sentence. */
  days(locals: readonly string[]): string
  /** A date without its year, and the month alone in the form that it has beside a day. */
  monthDay(month: number, day: number): string
  month(month: number): string
}

const speeches = new Map<Language, Speech>()

function speechOf(language: Language): Speech {
  const known = speeches.get(language)
  if (known !== undefined) return known
  const made = makeSpeech(language, PHRASES[language])
  speeches.set(language, made)
  return made
}

function makeSpeech(language: string, phrases: Phrases): Speech {
  const locale = localeOf(language)
  const plurals = new Intl.PluralRules(locale)
  const numbers = new Intl.NumberFormat(locale)
  const lists = new Intl.ListFormat(locale, { type: 'conjunction' })
  const long = dateFormat(locale, { day: 'numeric', month: 'long', year: 'numeric' })
  const short = dateFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' })
  const monthDay = dateFormat(locale, { day: 'numeric', month: 'long' })
  // Chinese writes the numbers of months in words where they stand alone, and in digits beside a day.
  const alone = dateFormat(locale, { month: language === 'zh' ? 'numeric' : 'long' })
  const weekdays = dateFormat(locale, { weekday: 'long' })
  const comma = { ja: '、', zh: '、', ar: '، ' }[language] ?? ', '
  const named = (locals: readonly string[]): string[] =>
    locals.slice(0, NAMED).map((local) => short.format(readClock(local) * 1000))
  const ellipsis = (locals: readonly string[]): string => (locals.length > NAMED ? ' …' : '')
  return {
    phrases,
    plural: (number) => plurals.select(number),
    number: (number) => numbers.format(number),
    list: (items) => lists.format(items),
    // 1970-01-04 was a Sunday.
    weekday: (day) => weekdays.format((day + 3) * 86_400_000),
    date: (local) => long.format(readClock(local) * 1000),
    dates: (locals) => `${named(locals).join(comma)}${ellipsis(locals)}`,
    days: (locals) => {
      const days = named(locals).map((date) => phrases.yearDay?.(date) ?? date)
      return locals.length > NAMED ? `${days.join(comma)}${ellipsis(locals)}` : lists.format(days)
    },
    monthDay: (month, day) => monthDay.format(Date.UTC(2000, month - 1, day)),
    month: (month) => {
      const ms = Date.UTC(2000, month - 1, 1)
      // The genitive, which Polish months have beside a day.
      const besideDay = monthDay.formatToParts(ms).find(({ type }) => type === 'month')?.value
      return language === 'pl' && besideDay !== undefined ? besideDay : alone.format(ms)
    },
  }
}

function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC', calendar: 'gregory' })
}

function sayPattern(speech: Speech, pattern: RulePattern): string {
  const { phrases } = speech
  const every = sayEvery(speech, pattern)
  const say = ([each, few]: readonly [string, string], slots: MessageValues): string =>
    fillSlots(pattern.interval === 1 ? each : few, { every, ...slots })
  const listed = (phrase: readonly [string, string], items: readonly string[]): string =>
    say(phrase, { list: speech.list(items) })
  const nth = (place: number, day: number): string => phrases.nthWeekday(place, day, speech.weekday(day))
  switch (pattern.kind) {
    case 'periods':
      return every
    case 'weekdays': {
      const isEach = pattern.interval === 1
      const names = pattern.weekdays.map(
        (day) => phrases.weekday?.(day, speech.weekday(day), isEach) ?? speech.weekday(day),
      )
      return listed(phrases.weekly, names)
    }
    case 'month-days':
      return listed(
        phrases.monthly,
        pattern.days.map((day) => (day === -1 ? phrases.lastDay : phrases.monthDay(day))),
      )
    case 'month-weekdays':
      return listed(
        phrases.monthly,
        pattern.weekdays.map((one) => nth(one.nth, one.weekday)),
      )
    case 'year-days':
      return listed(
        phrases.yearly,
        pattern.days.map(({ month, day }) => {
          const date = speech.monthDay(month, day)
          return phrases.yearDay?.(date) ?? date
        }),
      )
    case 'year-weekday':
      return say(phrases.yearlyNth, { nth: nth(pattern.nth, pattern.weekday), month: speech.month(pattern.month) })
  }
}

function sayEvery({ phrases, plural, number }: Speech, { unit, interval }: RulePattern): string {
  if (interval === 1) return phrases.each[unit]
  const texts = phrases.everyFew[unit]
  return fillSlots(texts[plural(interval)] ?? texts.other, { n: number(interval) })
}

function withEnd(
  { phrases, plural, number, date }: Speech,
  said: string,
  { rule: { until, count }, zone }: { readonly rule: RecurrenceRule; readonly zone: string },
): string {
  if (until !== undefined) {
    const text = writeClock(until.seconds)
    return fillSlots(phrases.until, { rule: said, date: date(until.isUtc ? toLocal(text, zone) : text) })
  }
  if (count === undefined) return said
  const times = fillSlots(phrases.times[plural(count)] ?? phrases.times.other, { n: number(count) })
  return fillSlots(phrases.counted, { rule: said, times })
}

/** Fills the `{slots}` of a phrase. */
function fillSlots(text: string, slots: MessageValues): string {
  return text.replace(/\{(\w+)\}/g, (slot, name: string) => String(Object.hasOwn(slots, name) ? slots[name] : slot))
}
