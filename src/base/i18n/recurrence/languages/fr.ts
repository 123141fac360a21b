import type { Phrases } from '../phrases.ts'

const NTH: Readonly<Record<number, string>> = {
  1: 'premier',
  2: 'deuxième',
  3: 'troisième',
  4: 'quatrième',
  5: 'cinquième',
  [-1]: 'dernier',
}

/** Recurrences in French. */
export const FRENCH: Phrases = {
  each: {
    year: 'chaque année',
    month: 'chaque mois',
    week: 'chaque semaine',
    day: 'chaque jour',
    hour: 'chaque heure',
    minute: 'chaque minute',
    second: 'chaque seconde',
  },
  everyFew: {
    year: { other: 'tous les {n} ans' },
    month: { other: 'tous les {n} mois' },
    week: { other: 'toutes les {n} semaines' },
    day: { other: 'tous les {n} jours' },
    hour: { other: 'toutes les {n} heures' },
    minute: { other: 'toutes les {n} minutes' },
    second: { other: 'toutes les {n} secondes' },
  },
  weekday: (_day, name, isEachWeek) => (isEachWeek ? `${name}s` : `le ${name}`),
  weekly: ['tous les {list}', '{every} {list}'],
  monthDay: (day) => `le ${day === 1 ? '1er' : day}`,
  lastDay: 'le dernier jour',
  nthWeekday: (nth, _day, name) => `le ${NTH[nth]} ${name}`,
  monthly: ['{list} du mois', '{every} {list} du mois'],
  yearDay: (date) => `le ${date}`,
  yearly: ['chaque année {list}', '{every} {list}'],
  yearlyNth: ['chaque année {nth} de {month}', '{every} {nth} de {month}'],
  until: '{rule} jusqu’au {date}',
  counted: '{rule}, {times}',
  times: { one: 'une fois', other: '{n} fois' },
  also: '{rule}, et aussi {list}',
  except: '{rule}, sauf {list}',
  contract: (text) =>
    text
      .replaceAll(/\bde (?=avril|août|octobre)/g, 'd’')
      .replaceAll(/(?<!\d)1 (?=janv|févr|mars|avr|mai|juin|juil|août|sept|oct|nov|déc)/g, '1er '),
}
