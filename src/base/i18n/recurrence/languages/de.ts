import type { Phrases } from '../phrases.ts'

const NTH: Readonly<Record<number, string>> = {
  1: 'ersten',
  2: 'zweiten',
  3: 'dritten',
  4: 'vierten',
  5: 'fünften',
  [-1]: 'letzten',
}

/** Recurrences in German. */
export const GERMAN: Phrases = {
  each: {
    year: 'jedes Jahr',
    month: 'jeden Monat',
    week: 'jede Woche',
    day: 'jeden Tag',
    hour: 'jede Stunde',
    minute: 'jede Minute',
    second: 'jede Sekunde',
  },
  everyFew: {
    year: { other: 'alle {n} Jahre' },
    month: { other: 'alle {n} Monate' },
    week: { other: 'alle {n} Wochen' },
    day: { other: 'alle {n} Tage' },
    hour: { other: 'alle {n} Stunden' },
    minute: { other: 'alle {n} Minuten' },
    second: { other: 'alle {n} Sekunden' },
  },
  weekly: ['jeden {list}', '{every} am {list}'],
  monthDay: (day) => `am ${day}.`,
  lastDay: 'am letzten Tag',
  nthWeekday: (nth, _day, name) => `am ${NTH[nth]} ${name}`,
  monthly: ['{list} des Monats', '{every} {list} des Monats'],
  yearly: ['jedes Jahr am {list}', '{every} am {list}'],
  yearlyNth: ['jedes Jahr {nth} im {month}', '{every} {nth} im {month}'],
  until: '{rule} bis zum {date}',
  counted: '{rule}, {times}',
  times: { one: 'einmal', other: '{n}-mal' },
  also: '{rule}, außerdem am {list}',
  except: '{rule}, außer am {list}',
}
