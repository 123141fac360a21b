import type { Phrases } from '../phrases.ts'

const NTH: Readonly<Record<number, string>> = {
  1: 'primer',
  2: 'segundo',
  3: 'tercer',
  4: 'cuarto',
  5: 'quinto',
  [-1]: 'último',
}

/** Recurrences in Spanish. */
export const SPANISH: Phrases = {
  each: {
    year: 'cada año',
    month: 'cada mes',
    week: 'cada semana',
    day: 'cada día',
    hour: 'cada hora',
    minute: 'cada minuto',
    second: 'cada segundo',
  },
  everyFew: {
    year: { other: 'cada {n} años' },
    month: { other: 'cada {n} meses' },
    week: { other: 'cada {n} semanas' },
    day: { other: 'cada {n} días' },
    hour: { other: 'cada {n} horas' },
    minute: { other: 'cada {n} minutos' },
    second: { other: 'cada {n} segundos' },
  },
  // Only Saturday and Sunday have a plural of their own.
  weekday: (_day, name) => (name.endsWith('s') ? name : `${name}s`),
  weekly: ['todos los {list}', '{every} los {list}'],
  monthDay: (day) => `el día ${day}`,
  lastDay: 'el último día',
  nthWeekday: (nth, _day, name) => `el ${NTH[nth]} ${name}`,
  monthly: ['{list} del mes', '{every} {list} del mes'],
  yearDay: (date) => `el ${date}`,
  yearly: ['cada año {list}', '{every} {list}'],
  yearlyNth: ['cada año {nth} de {month}', '{every} {nth} de {month}'],
  until: '{rule} hasta el {date}',
  counted: '{rule}, {times}',
  times: { one: 'una vez', other: '{n} veces' },
  also: '{rule}, también {list}',
  except: '{rule}, excepto {list}',
}
