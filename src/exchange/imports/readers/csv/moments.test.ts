import assert from 'node:assert/strict'
import test from 'node:test'
import { LANGUAGES } from '../../../../base/i18n/languages.ts'
import { writeClock } from '../../../../base/time/clock.ts'
import { isTimeAlone, momentOf } from './moments.ts'

function read(date: string, time = ''): string {
  const moment = momentOf(date, time, 'UTC')
  if (moment === undefined) return 'nothing'
  const written = writeClock(moment.seconds)
  return moment.hasTime ? written.slice(0, 16) : written.slice(0, 10)
}

test('times of day are read as people and programs write them', () => {
  const evening = [
    '6:30:PM',
    '6:30p',
    '6:30 p.m.',
    '6.30pm',
    '18h30',
    '18 h 30',
    '18.30',
    '18:30 Uhr',
    '18 Uhr 30',
    '1830',
  ]
  const more = [
    'às 18h30',
    'alle ore 18.30',
    'à 18:30',
    'om 18.30 uur',
    '18時30分',
    '下午6:30',
    '午後6時30分',
    '6:30 م',
    "'18:30'",
  ]
  for (const time of [...evening, ...more, '18:30:00', '１８：３０', '١٨:٣٠'])
    assert.equal(read('2027-07-15', time), '2027-07-15 18:30', time)
  for (const time of ['7a', '7 a.m.', '7h', '07', '7 Uhr', '上午7点'])
    assert.equal(read('2027-07-15', time), '2027-07-15 07:00', time)
  assert.deepEqual(
    ['12 am', '12:15 AM', '12 pm', '24:00'].map((time) => read('2027-07-15', time)),
    ['2027-07-15 00:00', '2027-07-15 00:15', '2027-07-15 12:00', '2027-07-16 00:00'],
  )
  for (const time of ['tba', '25:00', '19:75', 'evening', '7 or 8 pm'])
    assert.equal(read('2027-07-15', time), 'nothing', time)
})

test('dates with a year of two digits, in apostrophes and with dots are read', () => {
  for (const date of [
    '15.07.27',
    '15. 7. 2027',
    '15.7.2027',
    "'2027-07-15'",
    '’15.07.27’',
    '2027/7/15',
    '2027.07.15',
    '15-Jul-27',
  ])
    assert.equal(read(date), '2027-07-15', date)
  assert.deepEqual([read('1.1.69'), read('1.1.70')], ['2069-01-01', '1970-01-01'])
  assert.equal(read('15.07.27 19.30'), '2027-07-15 19:30')
  // What passes, or names no year, is no date.
  for (const date of ['tomorrow', '15.07.', '15.07. 19:30', '10 February', '2027-13-15', '31.02.27', 'soon'])
    assert.equal(read(date), 'nothing', date)
})

test('names of months and days of the week are read in every language', () => {
  for (const language of LANGUAGES)
    for (const month of [0, 1, 2, 4, 5, 6, 7, 9, 11])
      for (const style of ['full', 'long', 'medium'] as const) {
        const day = Date.UTC(2027, month, 15)
        const date = new Intl.DateTimeFormat(language, { dateStyle: style, timeZone: 'UTC' }).format(day)
        const numbers = !/\p{L}/u.test(date)
        if (!numbers) assert.equal(read(date), new Date(day).toISOString().slice(0, 10), `${language} ${date}`)
      }
})

test('names of months stand before or after the day, cut or whole, with a time behind them', () => {
  const dates = [
    '15 juillet 2027',
    '15 juil. 27',
    'Juli 15, 2027',
    'le 15 juillet 2027',
    '15. Juli 2027',
    '15 de julho de 2027',
    '15 LIPCA 2027',
    '15/Jul/2027',
    'Jul-15-2027',
    'Jul 15,2027',
  ]
  for (const date of dates) assert.equal(read(date), '2027-07-15', date)
  for (const date of ['03-Mrz-27', '3. Mrz. 2027', '3 mrt 2027', '3 آذار 2027', '3 مارس 2027'])
    assert.equal(read(date), '2027-03-03', date)
  for (const date of [
    'Do, 15. Juli 2027, 19 Uhr',
    'jeudi 15 juillet 2027 à 19h',
    'July 15, 2027 7 PM',
    '15 Juli 2027 19.00',
    '2027年7月15日(木) 19時',
  ])
    assert.equal(read(date), '2027-07-15 19:00', date)
  assert.deepEqual(
    [read('mar. 2 mars 2027'), read('Mar 2 2027'), read('1er août 2027')],
    ['2027-03-02', '2027-03-02', '2027-08-01'],
  )
})

test('a time alone is told from a date', () => {
  for (const time of ['22:00', '10 pm', '22h', '22.30', '22 Uhr']) assert.equal(isTimeAlone(time), true, time)
  for (const other of ['15.07.27', '2027-01-01', '5/6', '22', 'soon', ''])
    assert.equal(isTimeAlone(other), false, other)
})
