import type { Phrases } from '../phrases.ts'

const NTH: Readonly<Record<number, string>> = { 1: 'prim', 2: 'second', 3: 'terz', 4: 'quart', 5: 'quint' }

/** Recurrences in Italian. */
export const ITALIAN: Phrases = {
  each: {
    year: 'ogni anno',
    month: 'ogni mese',
    week: 'ogni settimana',
    day: 'ogni giorno',
    hour: 'ogni ora',
    minute: 'ogni minuto',
    second: 'ogni secondo',
  },
  everyFew: {
    year: { other: 'ogni {n} anni' },
    month: { other: 'ogni {n} mesi' },
    week: { other: 'ogni {n} settimane' },
    day: { other: 'ogni {n} giorni' },
    hour: { other: 'ogni {n} ore' },
    minute: { other: 'ogni {n} minuti' },
    second: { other: 'ogni {n} secondi' },
  },
  weekly: ['ogni {list}', '{every} di {list}'],
  monthDay: (day) => `il giorno ${day}`,
  lastDay: 'l’ultimo giorno',
  nthWeekday: (nth, day, name) => {
    // Sunday alone is feminine.
    const isSunday = day === 0
    if (nth === -1) return `${isSunday ? 'l’ultima' : 'l’ultimo'} ${name}`
    return isSunday ? `la ${NTH[nth]}a ${name}` : `il ${NTH[nth]}o ${name}`
  },
  monthly: ['{list} del mese', '{every} {list} del mese'],
  yearDay: (date) => `il ${date}`,
  yearly: ['ogni anno {list}', '{every} {list}'],
  yearlyNth: ['ogni anno {nth} di {month}', '{every} {nth} di {month}'],
  until: '{rule} fino al {date}',
  counted: '{rule}, {times}',
  times: { one: 'una volta', other: '{n} volte' },
  also: '{rule}, anche {list}',
  except: '{rule}, tranne {list}',
  contract: (text) =>
    text
      .replaceAll(/\bil (?=(8|11) )/g, 'l’')
      .replaceAll(/\bal (?=(8|11) )/g, 'all’')
      .replaceAll(/(?<!\d)1 (?=(gen|feb|mar|apr|mag|giu|lug|ago|set|ott|nov|dic))/g, '1º '),
}
