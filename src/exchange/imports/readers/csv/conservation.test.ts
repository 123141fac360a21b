import assert from 'node:assert/strict'
import test from 'node:test'
import { draws, SEED } from '../../../../../test/support/draws.ts'
import { COLUMN_FIELDS } from './columns.ts'
import { readCsv } from './read-csv.ts'

/** Values that say something else than an empty cell. */
const GOOD: Readonly<Record<string, readonly string[]>> = {
  title: ['Regatta', '=Fair'],
  start_date: ['2027-03-01', '15.07.27', '1 mars 2027'],
  start_time: ['10:00', '6:30p'],
  end_date: ['2027-08-01', '2027-01-01'],
  end_time: ['23:00', '01:00'],
  timezone: ['Asia/Tokyo', 'Mars/Olympus'],
  all_day: ['yes', 'wahr'],
  status: ['draft', 'privat', 'abgesagt', 'trash'],
  private: ['yes', 'Confidential'],
  event_status: ['postponed', 'en ligne', 'tentative'],
  image: ['https://a.example/1.png'],
  website: ['a.example', 'https://b.example/'],
  virtual_url: ['https://meet.example/1'],
  cost: ['5', 'free'],
  currency_symbol: ['€'],
  currency_position: ['suffix'],
  geo_lat: ['51.5'],
  geo_lng: ['7.1'],
  organizer: ['Rowers'],
  organizer_email: ['a@x.example'],
  language: ['de'],
}

/** Values that many columns cannot store. */
const BAD = ['??', 'maybe', '2027-99-99', 'n/a', 'http://', '999', 'two\nlines', '1,2', 'ünknown', '—', 'x'.repeat(60)]

/** Fields without which a row is skipped. */
const NEEDED = ['title', 'start_date', 'start_time']

/** Tables of events have no telephone numbers. */
const FIELDS = COLUMN_FIELDS.filter((one) => one !== 'phone')

function read(row: Readonly<Record<string, string>>): string {
  const cells = FIELDS.map((field) => `"${(row[field] ?? '').replaceAll('"', '""')}"`)
  const { events, problems } = readCsv('a.csv', Buffer.from(`${FIELDS.join(',')}\n${cells.join(',')}\n`), {
    zone: 'Europe/Berlin',
    columns: FIELDS.map((field) => [field, field]),
  })
  return JSON.stringify([events, problems])
}

/** Whether a row says the same without a cell, in another one. */
function isTwice(field: string, row: Readonly<Record<string, string>>): boolean {
  const places = ['venue', 'venues', 'address', 'city']
  if (places.includes(field)) return places.some((one) => one !== field && row[one] === row[field])
  if (field === 'status' || field === 'private') return row['status'] === 'privat' && row['private'] !== undefined
  if (field === 'url') return row['url'] === row['website'] || row['url']?.includes(row['slug'] ?? '?') === true
  return field === 'all_day' && row['start_time'] === undefined
}

test('every value of a known column is stored or named in the report', () => {
  const random = randomFrom(SEED)
  const pick = <One>(all: readonly One[]): One => all[Math.floor(random() * all.length)] as One
  for (let draw = 0; draw < draws(500, 10); draw += 1) {
    const row: Record<string, string> = { title: 'Regatta', start_date: '2027-03-01' }
    for (const field of FIELDS)
      if (random() < 0.4)
        row[field] = random() < 0.5 || NEEDED.includes(field) ? pick(GOOD[field] ?? ['true', 'Pier']) : pick(BAD)
    const whole = read(row)
    for (const field of Object.keys(row))
      if (!isTwice(field, row))
        assert.notEqual(read({ ...row, [field]: '' }), whole, `${field} of ${JSON.stringify(row)}`)
  }
})

/** Numbers from 0 up to 1. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return state / 0x80000000
  }
}
