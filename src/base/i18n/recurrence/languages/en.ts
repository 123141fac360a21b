import type { Phrases } from '../phrases.ts'

const ORDINALS = new Intl.PluralRules('en', { type: 'ordinal' })
const ENDINGS: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd' }
const NTH: Readonly<Record<number, string>> = {
  1: 'first',
  2: 'second',
  3: 'third',
  4: 'fourth',
  5: 'fifth',
  [-1]: 'last',
}

/** Recurrences in English. */
export const ENGLISH: Phrases = {
  each: {
    year: 'every year',
    month: 'every month',
    week: 'every week',
    day: 'every day',
    hour: 'every hour',
    minute: 'every minute',
    second: 'every second',
  },
  everyFew: {
    year: { other: 'every {n} years' },
    month: { other: 'every {n} months' },
    week: { other: 'every {n} weeks' },
    day: { other: 'every {n} days' },
    hour: { other: 'every {n} hours' },
    minute: { other: 'every {n} minutes' },
    second: { other: 'every {n} seconds' },
  },
  weekly: ['every {list}', '{every} on {list}'],
  monthDay: (day) => `the ${day}${ENDINGS[ORDINALS.select(day)] ?? 'th'}`,
  lastDay: 'the last day',
  nthWeekday: (nth, _day, name) => `the ${NTH[nth]} ${name}`,
  monthly: ['on {list} of the month', '{every} on {list} of the month'],
  yearly: ['every year on {list}', '{every} on {list}'],
  yearlyNth: ['every year on {nth} of {month}', '{every} on {nth} of {month}'],
  until: '{rule} until {date}',
  counted: '{rule}, {times}',
  times: { one: 'once', other: '{n} times' },
  also: '{rule}, also on {list}',
  except: '{rule}, except on {list}',
}
