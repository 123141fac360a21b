import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { plain, type Timed, type Venue, venuesOf, when } from '../../clients/typescript/src/index.ts'

const TALK: Timed = {
  all_day: false,
  start_date: '2031-10-26 02:30:00',
  end_date: '2031-10-26 04:00:00',
  utc_start_date: '2031-10-26 01:30:00',
  utc_end_date: '2031-10-26 03:00:00',
  timezone: 'Europe/Vienna',
}
const FAIR: Timed = { ...TALK, all_day: true, start_date: '2031-10-25 00:00:00', end_date: '2031-10-26 23:59:59' }

function texts(event: Timed): readonly string[] {
  const { start, end } = when(event)
  return [String(start), String(end)]
}

function withoutTemporal(t: TestContext): void {
  const { Temporal } = globalThis
  Reflect.deleteProperty(globalThis, 'Temporal')
  t.after(() => Object.assign(globalThis, { Temporal }))
}

test('an event is when its clocks say, the second time where they show a time twice', () => {
  assert.deepEqual(texts(TALK), [
    '2031-10-26T02:30:00+01:00[Europe/Vienna]',
    '2031-10-26T04:00:00+01:00[Europe/Vienna]',
  ])
  assert.deepEqual(
    texts({ ...TALK, utc_start_date: '2031-10-26 00:30:00' })[0],
    '2031-10-26T02:30:00+02:00[Europe/Vienna]',
  )
  assert.deepEqual(texts(FAIR), ['2031-10-25', '2031-10-26'])
})

test('zones that are offsets are those of the event', () => {
  const india = { ...TALK, utc_start_date: '2031-10-25 21:00:00', utc_end_date: '2031-10-25 22:30:00' }
  for (const timezone of ['UTC+5:30', 'UTC+5.5'])
    assert.equal(texts({ ...india, timezone })[0], '2031-10-26T02:30:00+05:30[+05:30]')
  const zero = { ...TALK, utc_start_date: TALK.start_date, utc_end_date: TALK.end_date }
  assert.equal(texts({ ...zero, timezone: 'UTC+0' })[0], '2031-10-26T02:30:00+00:00[+00:00]')
  assert.equal(texts({ ...zero, timezone: 'UTC' })[0], '2031-10-26T02:30:00+00:00[UTC]')
})

test('without Temporal times are texts with their offset', (t) => {
  withoutTemporal(t)
  assert.deepEqual(when(TALK), { start: '2031-10-26T02:30:00+01:00', end: '2031-10-26T04:00:00+01:00' })
  assert.deepEqual(when(FAIR), { start: '2031-10-25', end: '2031-10-26' })
  const west = { ...TALK, timezone: 'America/St_Johns', utc_start_date: '2031-10-26 05:00:00' }
  assert.equal(when(west).start, '2031-10-26T02:30:00-02:30')
})

test('the venues of an event are a list, however they are written', () => {
  const hall = { id: 1, venue: 'Hall' } as Venue
  for (const [venue, expected] of [
    [[], []],
    [hall, [hall]],
    [[hall], [hall]],
  ] as const) {
    assert.deepEqual(venuesOf({ venue: venue as Venue }), expected)
  }
  assert.deepEqual(venuesOf({} as { venue: Venue }), [])
})

test('plain text has neither tags nor entities', () => {
  const html =
    '<p class="a">Fish &amp; <b>chips</b>&nbsp;&#8211; caf&#xE9;</p>\n<!-- more --><ul><li>1 &lt; 2</li><li>&quot;two&quot;<br/>x</li></ul>'
  assert.equal(plain(html), 'Fish & chips\u00a0– café\n1 < 2\n"two"\nx')
  assert.equal(plain('a < b & c &unknown; &#0; &#x110000; &amp;lt;'), 'a < b & c &unknown; &#0; &#x110000; &lt;')
  assert.equal(plain(`${'<a'.repeat(100_000)}>`).length > 0, true)
})
