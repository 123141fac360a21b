import assert from 'node:assert/strict'
import { test } from 'node:test'
import { datesOf } from '../../time/recurrence/dates.ts'
import { type FirstDate, readRecurrence } from '../../time/recurrence/lines.ts'
import { LANGUAGES } from '../languages.ts'
import { recurrenceInWords } from './in-words.ts'

const TUESDAY: FirstDate = {
  start: '2027-01-05 18:00:00',
  end: '2027-01-05 19:00:00',
  zone: 'Europe/Berlin',
  isAllDay: false,
}

function said(lines: string, language: string): string {
  const read = readRecurrence([lines], TUESDAY)
  assert.ok(read.ok)
  const found = datesOf(read.recurrence, TUESDAY, { limit: 6 })
  assert.ok(found.ok)
  return recurrenceInWords({ recurrence: read.recurrence, first: TUESDAY, dates: () => found.dates }, language)
}

/** What is said, each in every language. */
const LINES = [
  'RRULE:FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20270630',
  'RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,WE',
  'RRULE:FREQ=MONTHLY;BYDAY=-1FR',
  'RRULE:FREQ=MONTHLY;INTERVAL=3;BYDAY=1SU,3WE',
  'RRULE:FREQ=MONTHLY;BYMONTHDAY=1,15,-1',
  'RRULE:FREQ=MONTHLY;COUNT=12',
  'RRULE:FREQ=YEARLY',
  'RRULE:FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=28',
  'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH',
  'RRULE:FREQ=DAILY;COUNT=1',
  'RRULE:FREQ=DAILY;INTERVAL=5;COUNT=3',
  'RRULE:FREQ=HOURLY;INTERVAL=2;COUNT=2',
  'RRULE:FREQ=WEEKLY\nEXDATE:20270112T180000\nRDATE:20270113T180000',
  'RRULE:FREQ=YEARLY;BYWEEKNO=20;COUNT=10',
  'RDATE:20270201T180000',
]

const WORDS: Readonly<Record<(typeof LANGUAGES)[number], readonly string[]>> = {
  en: [
    'every Tuesday and Thursday until 30 June 2027',
    'every 2 weeks on Wednesday and Sunday',
    'on the last Friday of the month',
    'every 3 months on the first Sunday and the third Wednesday of the month',
    'on the 1st, the 15th and the last day of the month',
    'on the 5th of the month, 12 times',
    'every year on 5 January',
    'every 4 years on 28 February',
    'every year on the fourth Thursday of November',
    'every day, once',
    'every 5 days, 3 times',
    'every 2 hours, 2 times',
    'every Tuesday, also on 13 Jan 2027, except on 12 Jan 2027',
    '5 Jan 2027, 18 May 2027, 16 May 2028, 15 May 2029, 14 May 2030 …',
    '5 Jan 2027, 1 Feb 2027',
  ],
  de: [
    'jeden Dienstag und Donnerstag bis zum 30. Juni 2027',
    'alle 2 Wochen am Mittwoch und Sonntag',
    'am letzten Freitag des Monats',
    'alle 3 Monate am ersten Sonntag und am dritten Mittwoch des Monats',
    'am 1., am 15. und am letzten Tag des Monats',
    'am 5. des Monats, 12-mal',
    'jedes Jahr am 5. Januar',
    'alle 4 Jahre am 28. Februar',
    'jedes Jahr am vierten Donnerstag im November',
    'jeden Tag, einmal',
    'alle 5 Tage, 3-mal',
    'alle 2 Stunden, 2-mal',
    'jeden Dienstag, außerdem am 13. Jan. 2027, außer am 12. Jan. 2027',
    '5. Jan. 2027, 18. Mai 2027, 16. Mai 2028, 15. Mai 2029, 14. Mai 2030 …',
    '5. Jan. 2027, 1. Feb. 2027',
  ],
  fr: [
    'tous les mardis et jeudis jusqu’au 30 juin 2027',
    'toutes les 2 semaines le mercredi et le dimanche',
    'le dernier vendredi du mois',
    'tous les 3 mois le premier dimanche et le troisième mercredi du mois',
    'le 1er, le 15 et le dernier jour du mois',
    'le 5 du mois, 12 fois',
    'chaque année le 5 janvier',
    'tous les 4 ans le 28 février',
    'chaque année le quatrième jeudi de novembre',
    'chaque jour, une fois',
    'tous les 5 jours, 3 fois',
    'toutes les 2 heures, 2 fois',
    'tous les mardis, et aussi le 13 janv. 2027, sauf le 12 janv. 2027',
    '5 janv. 2027, 18 mai 2027, 16 mai 2028, 15 mai 2029, 14 mai 2030 …',
    '5 janv. 2027, 1er févr. 2027',
  ],
  es: [
    'todos los martes y jueves hasta el 30 de junio de 2027',
    'cada 2 semanas los miércoles y domingos',
    'el último viernes del mes',
    'cada 3 meses el primer domingo y el tercer miércoles del mes',
    'el día 1, el día 15 y el último día del mes',
    'el día 5 del mes, 12 veces',
    'cada año el 5 de enero',
    'cada 4 años el 28 de febrero',
    'cada año el cuarto jueves de noviembre',
    'cada día, una vez',
    'cada 5 días, 3 veces',
    'cada 2 horas, 2 veces',
    'todos los martes, también el 13 ene 2027, excepto el 12 ene 2027',
    '5 ene 2027, 18 may 2027, 16 may 2028, 15 may 2029, 14 may 2030 …',
    '5 ene 2027, 1 feb 2027',
  ],
  it: [
    'ogni martedì e giovedì fino al 30 giugno 2027',
    'ogni 2 settimane di mercoledì e domenica',
    'l’ultimo venerdì del mese',
    'ogni 3 mesi la prima domenica e il terzo mercoledì del mese',
    'il giorno 1, il giorno 15 e l’ultimo giorno del mese',
    'il giorno 5 del mese, 12 volte',
    'ogni anno il 5 gennaio',
    'ogni 4 anni il 28 febbraio',
    'ogni anno il quarto giovedì di novembre',
    'ogni giorno, una volta',
    'ogni 5 giorni, 3 volte',
    'ogni 2 ore, 2 volte',
    'ogni martedì, anche il 13 gen 2027, tranne il 12 gen 2027',
    '5 gen 2027, 18 mag 2027, 16 mag 2028, 15 mag 2029, 14 mag 2030 …',
    '5 gen 2027, 1º feb 2027',
  ],
  nl: [
    'elke dinsdag en donderdag tot en met 30 juni 2027',
    'elke 2 weken op woensdag en zondag',
    'op de laatste vrijdag van de maand',
    'elke 3 maanden op de eerste zondag en de derde woensdag van de maand',
    'op de 1e, de 15e en de laatste dag van de maand',
    'op de 5e van de maand, 12 keer',
    'elk jaar op 5 januari',
    'elke 4 jaar op 28 februari',
    'elk jaar op de vierde donderdag van november',
    'elke dag, één keer',
    'elke 5 dagen, 3 keer',
    'elke 2 uur, 2 keer',
    'elke dinsdag, ook op 13 jan 2027, behalve op 12 jan 2027',
    '5 jan 2027, 18 mei 2027, 16 mei 2028, 15 mei 2029, 14 mei 2030 …',
    '5 jan 2027, 1 feb 2027',
  ],
  pt: [
    'cada terça-feira e quinta-feira até 30 de junho de 2027',
    'a cada 2 semanas na quarta-feira e no domingo',
    'na última sexta-feira do mês',
    'a cada 3 meses no primeiro domingo e na terceira quarta-feira do mês',
    'no dia 1, no dia 15 e no último dia do mês',
    'no dia 5 do mês, 12 vezes',
    'todos os anos em 5 de janeiro',
    'a cada 4 anos em 28 de fevereiro',
    'todos os anos na quarta quinta-feira de novembro',
    'todos os dias, uma vez',
    'a cada 5 dias, 3 vezes',
    'a cada 2 horas, 2 vezes',
    'cada terça-feira, também em 13 de jan. de 2027, exceto em 12 de jan. de 2027',
    '5 de jan. de 2027, 18 de mai. de 2027, 16 de mai. de 2028, 15 de mai. de 2029, 14 de mai. de 2030 …',
    '5 de jan. de 2027, 1º de fev. de 2027',
  ],
  pl: [
    'we wtorki i w czwartki do 30 czerwca 2027',
    'co 2 tygodnie w środy i w niedziele',
    'w ostatni piątek miesiąca',
    'co 3 miesiące w pierwszą niedzielę i w trzecią środę miesiąca',
    '1. dnia, 15. dnia i ostatniego dnia miesiąca',
    '5. dnia miesiąca, 12 razy',
    'co roku 5 stycznia',
    'co 4 lata 28 lutego',
    'co roku w czwarty czwartek listopada',
    'codziennie, raz',
    'co 5 dni, 3 razy',
    'co 2 godziny, 2 razy',
    'we wtorki, także 13 sty 2027, oprócz 12 sty 2027',
    '5 sty 2027, 18 maj 2027, 16 maj 2028, 15 maj 2029, 14 maj 2030 …',
    '5 sty 2027, 1 lut 2027',
  ],
  ja: [
    '毎週火曜日、木曜日、2027年6月30日まで',
    '2週間ごとの水曜日、日曜日',
    '毎月最終金曜日',
    '3か月ごとの第1日曜日、第3水曜日',
    '毎月1日、15日、末日',
    '毎月5日、12回',
    '毎年1月5日',
    '4年ごとの2月28日',
    '毎年11月の第4木曜日',
    '毎日、1回',
    '5日ごと、3回',
    '2時間ごと、2回',
    '毎週火曜日、および2027年1月13日（2027年1月12日を除く）',
    '2027年1月5日、2027年5月18日、2028年5月16日、2029年5月15日、2030年5月14日 …',
    '2027年1月5日、2027年2月1日',
  ],
  zh: [
    '每星期二和星期四，直到2027年6月30日',
    '每2周的星期三和星期日',
    '每月最后一个星期五',
    '每3个月的第一个星期日和第三个星期三',
    '每月1日、15日和最后一天',
    '每月5日，共12次',
    '每年1月5日',
    '每4年的2月28日',
    '每年11月的第四个星期四',
    '每天，共1次',
    '每5天，共3次',
    '每2小时，共2次',
    '每星期二，另加2027年1月13日，2027年1月12日除外',
    '2027年1月5日、2027年5月18日、2028年5月16日、2029年5月15日、2030年5月14日 …',
    '2027年1月5日、2027年2月1日',
  ],
  ar: [
    'كل يوم ثلاثاء ويوم خميس حتى 30 يونيو 2027',
    'كل أسبوعين يوم الأربعاء ويوم الأحد',
    'في آخر يوم جمعة من الشهر',
    'كل 3 أشهر في أول يوم أحد وثالث يوم أربعاء من الشهر',
    'في اليوم 1 واليوم 15 واليوم الأخير من الشهر',
    'في اليوم 5 من الشهر، 12 مرة',
    'كل سنة في 5 يناير',
    'كل 4 سنوات في 28 فبراير',
    'كل سنة في رابع يوم خميس من نوفمبر',
    'كل يوم، مرة واحدة',
    'كل 5 أيام، 3 مرات',
    'كل ساعتين، مرتين',
    'كل يوم ثلاثاء، وكذلك في 13 يناير 2027، باستثناء 12 يناير 2027',
    '5 يناير 2027، 18 مايو 2027، 16 مايو 2028، 15 مايو 2029، 14 مايو 2030 …',
    '5 يناير 2027، 1 فبراير 2027',
  ],
}

for (const language of LANGUAGES) {
  test(`recurrences in words: ${language}`, () => {
    assert.deepEqual(
      LINES.map((lines) => said(lines, language)),
      WORDS[language],
    )
  })
}

/** Rules that are said in the same way. */
const ALIKE = [
  ['RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU', 'RRULE:FREQ=DAILY'],
  ['RRULE:FREQ=DAILY;BYDAY=TU,TH', 'RRULE:FREQ=WEEKLY;BYDAY=TU,TH'],
  ['RRULE:FREQ=MONTHLY;BYDAY=FR;BYSETPOS=-1', 'RRULE:FREQ=MONTHLY;BYDAY=-1FR'],
  ['RRULE:FREQ=WEEKLY;UNTIL=20270630T215959Z', 'RRULE:FREQ=WEEKLY;UNTIL=20270630'],
] as const

for (const [lines, same] of ALIKE)
  test(`${lines} is said like ${same}`, () => assert.equal(said(lines, 'en'), said(same, 'en')))

const WORDLESS = [
  ...['FREQ=YEARLY;BYYEARDAY=100', 'FREQ=MONTHLY;BYMONTHDAY=-3', 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1'],
  ...[
    'FREQ=DAILY;BYHOUR=9,18',
    'FREQ=WEEKLY;BYMONTH=6',
    'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13',
    'FREQ=MONTHLY;BYDAY=-2SU',
  ],
  ...[
    'FREQ=YEARLY;BYDAY=20MO',
    'FREQ=YEARLY;BYMONTHDAY=1',
    'FREQ=DAILY;INTERVAL=2;BYDAY=MO',
    'FREQ=YEARLY;BYMONTH=1,6;BYDAY=-1MO',
  ],
]

for (const rule of WORDLESS) {
  test(`no words fit ${rule}: its dates are said`, () => {
    assert.match(said(`RRULE:${rule}`, 'en'), /^5 Jan 2027, (\d+ [A-Z][a-z]+ \d{4}, ){3}\d+ [A-Z][a-z]+ \d{4} …$/)
  })
}

test('neighbouring words change each other in French and Italian', () => {
  assert.equal(
    said('RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=1SA;UNTIL=20300801', 'fr'),
    'chaque année le premier samedi d’octobre jusqu’au 1er août 2030',
  )
  assert.equal(said('RRULE:FREQ=DAILY;UNTIL=20270308', 'it'), 'ogni giorno fino all’8 marzo 2027')
  assert.equal(said('RRULE:FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=8', 'it'), 'ogni anno l’8 marzo')
})

test('several days of a year, without those that do not exist', () => {
  const words = LANGUAGES.map((one) => [one, said('RRULE:FREQ=YEARLY;BYMONTH=1,2,7;BYMONTHDAY=1,30', one)])
  assert.deepEqual(Object.fromEntries(words), {
    en: 'every year on 1 January, 30 January, 1 February, 1 July and 30 July',
    de: 'jedes Jahr am 1. Januar, 30. Januar, 1. Februar, 1. Juli und 30. Juli',
    fr: 'chaque année le 1er janvier, le 30 janvier, le 1er février, le 1er juillet et le 30 juillet',
    es: 'cada año el 1 de enero, el 30 de enero, el 1 de febrero, el 1 de julio y el 30 de julio',
    it: 'ogni anno il 1º gennaio, il 30 gennaio, il 1º febbraio, il 1º luglio e il 30 luglio',
    nl: 'elk jaar op 1 januari, 30 januari, 1 februari, 1 juli en 30 juli',
    pt: 'todos os anos em 1º de janeiro, 30 de janeiro, 1º de fevereiro, 1º de julho e 30 de julho',
    pl: 'co roku 1 stycznia, 30 stycznia, 1 lutego, 1 lipca i 30 lipca',
    ja: '毎年1月1日、1月30日、2月1日、7月1日、7月30日',
    zh: '每年1月1日、1月30日、2月1日、7月1日和7月30日',
    ar: 'كل سنة في 1 يناير و30 يناير و1 فبراير و1 يوليو و30 يوليو',
  })
})

test('several dates that are added or left out are joined like words', () => {
  const lines = 'RRULE:FREQ=DAILY;COUNT=9\nEXDATE:20270108T180000,20270111T180000'
  const words = LANGUAGES.map((one) => [one, said(lines, one)])
  assert.deepEqual(Object.fromEntries(words), {
    en: 'every day, 9 times, except on 8 Jan 2027 and 11 Jan 2027',
    de: 'jeden Tag, 9-mal, außer am 8. Jan. 2027 und 11. Jan. 2027',
    fr: 'chaque jour, 9 fois, sauf le 8 janv. 2027 et le 11 janv. 2027',
    es: 'cada día, 9 veces, excepto el 8 ene 2027 y el 11 ene 2027',
    it: 'ogni giorno, 9 volte, tranne l’8 gen 2027 e l’11 gen 2027',
    nl: 'elke dag, 9 keer, behalve op 8 jan 2027 en 11 jan 2027',
    pt: 'todos os dias, 9 vezes, exceto em 8 de jan. de 2027 e 11 de jan. de 2027',
    pl: 'codziennie, 9 razy, oprócz 8 sty 2027 i 11 sty 2027',
    ja: '毎日、9回（2027年1月8日、2027年1月11日を除く）',
    zh: '每天，共9次，2027年1月8日和2027年1月11日除外',
    ar: 'كل يوم، 9 مرات، باستثناء 8 يناير 2027 و11 يناير 2027',
  })
  const many = [6, 7, 8, 9, 10, 11].map((day) => `202701${String(day).padStart(2, '0')}T180000`)
  assert.equal(
    said(`RRULE:FREQ=DAILY\nEXDATE:${many.join()}`, 'fr'),
    'chaque jour, sauf le 6 janv. 2027, le 7 janv. 2027, le 8 janv. 2027, le 9 janv. 2027, le 10 janv. 2027 …',
  )
})

test('the last one of a month comes last', () => {
  const text = said('RRULE:FREQ=MONTHLY;BYDAY=-1SU,1SA,1TU', 'en')
  assert.equal(text, 'on the first Tuesday, the first Saturday and the last Sunday of the month')
})

test('a language without words is answered in English', () => {
  assert.equal(said('RRULE:FREQ=DAILY', 'sv'), 'every day')
})
