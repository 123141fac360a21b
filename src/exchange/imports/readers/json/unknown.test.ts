import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { openTestApp } from '../../../../../test/support/app.ts'
import { fileOf, fixture, importFiles } from '../../../../../test/support/json-import.ts'
import type { Skipped } from '../../types.ts'
import { isScriptAddress, safeJson, safeText, unknownMembers } from './unknown.ts'

const PLACE = { file: 'f.json', path: 'events[0]' }

function nested(depth: number): unknown {
  return depth === 0 ? 'deep' : { next: nested(depth - 1) }
}

test('texts without markup stay as they are', () => {
  for (const text of ['https://a.example/?x=1&y=2', 'a < b & c', '5 > 4', '', '&lt;b&gt;', "it's"]) {
    assert.equal(safeText(text), text)
  }
})

test('markup keeps what is harmless and gets no paragraphs', () => {
  assert.equal(safeText('<b>Hi</b>\n\nthere'), '<b>Hi</b>\n\nthere')
  assert.equal(safeText('<b onclick="x()">Hi</b><script>alert(1)</script>'), '<b>Hi</b>')
  assert.equal(safeText('<iframe src="https://evil.example"></iframe>'), '')
})

test('addresses that a browser runs are emptied', () => {
  for (const text of ['javascript:alert(1)', ' java\nscript:alert(1)', '\u0001VBScript:x', 'data:text/html,<b>']) {
    assert.equal(isScriptAddress(text), true, text)
    assert.equal(safeText(text), '')
  }
  for (const text of ['JavaScript meetup: join us', 'https://a.example', 'data:image/png;base64,AA==']) {
    assert.equal(isScriptAddress(text), false, text)
  }
})

test('members that trap careless programs are dropped at every depth', () => {
  const value: unknown = JSON.parse('{"a": {"__proto__": {"x": 1}, "constructor": 1, "b": [{"prototype": 2, "c": 3}]}}')
  assert.deepEqual(safeJson(value), { ok: true, value: { a: { b: [{ c: 3 }] } } })
})

test('known members are not kept, unknown ones in their order', () => {
  const recorded = { members: { z: 1, id: 2, a: [true, null] }, place: PLACE }
  const skipped: Skipped[] = []
  const members = unknownMembers(recorded, new Set(['id']), skipped)
  assert.deepEqual(
    [Object.entries(members), skipped],
    [
      [
        ['z', 1],
        ['a', [true, null]],
      ],
      [],
    ],
  )
})

test('what is too large or nested too deep is left out and reported', () => {
  const members = { deep: nested(11), fits: nested(10), large: 'x'.repeat(70_000), small: 1 }
  const notes: Skipped[] = []
  const kept = unknownMembers({ members, place: PLACE }, new Set(), notes)
  assert.deepEqual(Object.keys(kept), ['fits', 'small'])
  assert.deepEqual(
    notes.map(({ what }) => what),
    ['f.json: events[0].deep', 'f.json: events[0].large'],
  )
})

test('all unknown members together are bounded', () => {
  const members = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`m${index}`, 'x'.repeat(1000)]))
  const notes: Skipped[] = []
  const kept = unknownMembers({ members, place: PLACE }, new Set(), notes)
  assert.ok(JSON.stringify(kept).length < 70_000)
  assert.equal(notes.length + Object.keys(kept).length, 100)
})

test('making safe twice changes nothing, whatever the value', () => {
  const markup = fc.array(
    fc.constantFrom('<b>', '</b>', '<script>', '<', '>', '&', '&lt;', 'a', ' ', '"', '<a href="javascript:x">'),
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.jsonValue(),
        markup.map((parts) => parts.join('')),
      ),
      (value) => {
        const once = safeJson(value)
        if (once.ok) assert.deepEqual(safeJson(once.value), once)
      },
    ),
  )
})

test('unknown members are answered behind ours and never in their place', async (t) => {
  const app = await openTestApp(t)
  const text = fixture('harbour-event.json').text.replace(
    '"is_virtual": true',
    '"is_virtual": true, "__proto__": {"polluted": 1}, "password": "secret", "odd": {"rest_url": "kept", "n": 1.5}',
  )
  await importFiles(app, [{ name: 'odd.json', text }])
  const { body } = await app.call('anonymous', 'GET', '/events/5001')
  assert.deepEqual(body.odd, { rest_url: 'kept', n: 1.5 })
  assert.equal(body.is_virtual, true)
  assert.equal(body.virtual_url, 'https://stream.example/live?x=1&y=2')
  for (const member of ['password', 'polluted']) assert.equal(member in body, false, member)
  assert.ok(Object.keys(body).indexOf('odd') > Object.keys(body).indexOf('organizer'))
})

test('a dangerous picture or web site is not taken over', async (t) => {
  const app = await openTestApp(t)
  const event = JSON.parse(fixture('harbour-event.json').text)
  const image = { url: 'javascript:alert(1)', id: 1 }
  const venue = { ...event.venue, website: 'javascript:alert(1)' }
  const { notes } = await importFiles(app, [fileOf({ ...event, image, venue, website: 'JAVASCRIPT:alert(1)' })])
  const unread = 'import.note.unread?property=website&value='
  assert.deepEqual(notes, [
    { what: 'made.json: image', why: 'it has no usable address' },
    { what: 'made.json: website', why: `${unread}JAVASCRIPT%3Aalert%281%29` },
    { what: 'made.json: venue.website', why: `${unread}javascript%3Aalert%281%29` },
  ])
  const { body } = await app.call('anonymous', 'GET', '/events/5001')
  assert.deepEqual([body.image, body.website, 'website' in body.venue], [false, '', false])
})
