import type { Phrases } from '../phrases.ts'

/** The days of every week, from Sunday on: accusative plural with its preposition. */
const EACH_WEEK = ['w niedziele', 'w poniedziałki', 'we wtorki', 'w środy', 'w czwartki', 'w piątki', 'w soboty']
/** One of them after an adjective: accusative. */
const ONE = ['niedzielę', 'poniedziałek', 'wtorek', 'środę', 'czwartek', 'piątek', 'sobotę']
const MASCULINE: Readonly<Record<number, string>> = {
  1: 'pierwszy',
  2: 'drugi',
  3: 'trzeci',
  4: 'czwarty',
  5: 'piąty',
  [-1]: 'ostatni',
}
const FEMININE: Readonly<Record<number, string>> = {
  1: 'pierwszą',
  2: 'drugą',
  3: 'trzecią',
  4: 'czwartą',
  5: 'piątą',
  [-1]: 'ostatnią',
}

/** Recurrences in Polish. */
export const POLISH: Phrases = {
  each: {
    year: 'co roku',
    month: 'co miesiąc',
    week: 'co tydzień',
    day: 'codziennie',
    hour: 'co godzinę',
    minute: 'co minutę',
    second: 'co sekundę',
  },
  everyFew: {
    year: { few: 'co {n} lata', other: 'co {n} lat' },
    month: { few: 'co {n} miesiące', other: 'co {n} miesięcy' },
    week: { few: 'co {n} tygodnie', other: 'co {n} tygodni' },
    day: { other: 'co {n} dni' },
    hour: { few: 'co {n} godziny', other: 'co {n} godzin' },
    minute: { few: 'co {n} minuty', other: 'co {n} minut' },
    second: { few: 'co {n} sekundy', other: 'co {n} sekund' },
  },
  weekday: (day) => EACH_WEEK[day] ?? '',
  weekly: ['{list}', '{every} {list}'],
  monthDay: (day) => `${day}. dnia`,
  lastDay: 'ostatniego dnia',
  nthWeekday: (nth, day) => {
    const isFeminine = day === 0 || day === 3 || day === 6
    const ordinal = (isFeminine ? FEMININE : MASCULINE)[nth]
    return `w ${ordinal} ${ONE[day]}`
  },
  monthly: ['{list} miesiąca', '{every} {list} miesiąca'],
  yearly: ['co roku {list}', '{every} {list}'],
  yearlyNth: ['co roku {nth} {month}', '{every} {nth} {month}'],
  until: '{rule} do {date}',
  counted: '{rule}, {times}',
  times: { one: 'raz', other: '{n} razy' },
  also: '{rule}, także {list}',
  except: '{rule}, oprócz {list}',
}
