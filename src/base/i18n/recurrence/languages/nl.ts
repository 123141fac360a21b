import type { Phrases } from '../phrases.ts'

const NTH: Readonly<Record<number, string>> = {
  1: 'eerste',
  2: 'tweede',
  3: 'derde',
  4: 'vierde',
  5: 'vijfde',
  [-1]: 'laatste',
}

/** Recurrences in Dutch. */
export const DUTCH: Phrases = {
  each: {
    year: 'elk jaar',
    month: 'elke maand',
    week: 'elke week',
    day: 'elke dag',
    hour: 'elk uur',
    minute: 'elke minuut',
    second: 'elke seconde',
  },
  everyFew: {
    year: { other: 'elke {n} jaar' },
    month: { other: 'elke {n} maanden' },
    week: { other: 'elke {n} weken' },
    day: { other: 'elke {n} dagen' },
    hour: { other: 'elke {n} uur' },
    minute: { other: 'elke {n} minuten' },
    second: { other: 'elke {n} seconden' },
  },
  weekly: ['elke {list}', '{every} op {list}'],
  monthDay: (day) => `de ${day}e`,
  lastDay: 'de laatste dag',
  nthWeekday: (nth, _day, name) => `de ${NTH[nth]} ${name}`,
  monthly: ['op {list} van de maand', '{every} op {list} van de maand'],
  yearly: ['elk jaar op {list}', '{every} op {list}'],
  yearlyNth: ['elk jaar op {nth} van {month}', '{every} op {nth} van {month}'],
  until: '{rule} tot en met {date}',
  counted: '{rule}, {times}',
  times: { one: 'één keer', other: '{n} keer' },
  also: '{rule}, ook op {list}',
  except: '{rule}, behalve op {list}',
}
