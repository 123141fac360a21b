import type { Phrases } from '../phrases.ts'

const NTH: Readonly<Record<number, string>> = {
  1: 'primeir',
  2: 'segund',
  3: 'terceir',
  4: 'quart',
  5: 'quint',
  [-1]: 'últim',
}

/** Recurrences in Portuguese. */
export const PORTUGUESE: Phrases = {
  each: {
    year: 'todos os anos',
    month: 'todos os meses',
    week: 'todas as semanas',
    day: 'todos os dias',
    hour: 'a cada hora',
    minute: 'a cada minuto',
    second: 'a cada segundo',
  },
  everyFew: {
    year: { other: 'a cada {n} anos' },
    month: { other: 'a cada {n} meses' },
    week: { other: 'a cada {n} semanas' },
    day: { other: 'a cada {n} dias' },
    hour: { other: 'a cada {n} horas' },
    minute: { other: 'a cada {n} minutos' },
    second: { other: 'a cada {n} segundos' },
  },
  // Saturday and Sunday are masculine.
  weekday: (day, name, isEachWeek) => (isEachWeek ? name : `${day === 0 || day === 6 ? 'no' : 'na'} ${name}`),
  weekly: ['cada {list}', '{every} {list}'],
  monthDay: (day) => `no dia ${day}`,
  lastDay: 'no último dia',
  nthWeekday: (nth, day, name) => {
    const isMasculine = day === 0 || day === 6
    return isMasculine ? `no ${NTH[nth]}o ${name}` : `na ${NTH[nth]}a ${name}`
  },
  monthly: ['{list} do mês', '{every} {list} do mês'],
  yearly: ['todos os anos em {list}', '{every} em {list}'],
  yearlyNth: ['todos os anos {nth} de {month}', '{every} {nth} de {month}'],
  until: '{rule} até {date}',
  counted: '{rule}, {times}',
  times: { one: 'uma vez', other: '{n} vezes' },
  also: '{rule}, também em {list}',
  except: '{rule}, exceto em {list}',
  contract: (text) => text.replaceAll(/(?<!\d)1 (?=de (jan|fev|mar|abr|mai|jun|jul|ago|set|out|nov|dez))/g, '1º '),
}
