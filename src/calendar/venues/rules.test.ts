import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completed, conflictsOf, draftOf } from '../shared/linked/rules.ts'
import { VENUES, type VenueContent } from './index.ts'
import { withRegion } from './rules.ts'

const nothing = {}

/** Sent on create, and the region that follows (wire: rest 3.3). */
const CREATED: readonly [Partial<VenueContent>, string | undefined][] = [
  [{ stateprovince: 'SP', state: 'MA' }, 'SP'],
  [{ state: 'MA', country: 'Canada' }, ''],
  [{ province: 'ON', country: 'Canada' }, 'ON'],
  [{ state: 'MA', province: 'ON', country: 'Canada' }, 'ON'],
  [{ state: 'MA', province: 'ON', country: 'United States' }, 'MA'],
  [{ state: 'MA', province: 'ON', country: 'US' }, 'MA'],
  [{ state: 'MA', province: 'ON' }, 'MA'],
  [{ province: 'ON', country: 'United States' }, 'ON'],
  [{ state: 'MA', stateprovince: '' }, 'MA'],
  [{ city: 'Turin' }, undefined],
]

test('the region of a new venue is the one sent, else its state in the United States, else its province', () => {
  for (const [sent, region] of CREATED) {
    assert.equal(withRegion(sent, undefined).stateprovince, region, JSON.stringify(sent))
  }
})

/** Stored, sent on update, and the region that follows; undefined: it stays. */
const CHANGED: readonly [Partial<VenueContent>, Partial<VenueContent>, string | undefined][] = [
  [{ stateprovince: 'SP' }, { city: 'B' }, undefined],
  [{ country: 'Canada' }, { state: 'MA' }, 'MA'],
  [{ state: 'MA', province: 'ON' }, { country: 'Canada' }, 'ON'],
  [{ state: 'MA', province: 'ON', country: 'US' }, { state: '' }, 'ON'],
  [{ state: 'MA', stateprovince: 'MA' }, { stateprovince: '' }, ''],
  [{ state: 'MA', stateprovince: 'MA' }, { state: '', province: '', country: '', stateprovince: '' }, ''],
  [{ state: 'MA', stateprovince: 'MA' }, { state: 'NY' }, 'NY'],
  [{ stateprovince: 'Bavaria', country: 'Germany' }, { country: 'Deutschland' }, 'Bavaria'],
  [{ stateprovince: 'Bavaria', province: 'BY' }, { province: '' }, 'Bavaria'],
  [{ stateprovince: 'Bavaria' }, { province: 'Tyrol' }, 'Tyrol'],
  [{ stateprovince: 'Bavaria' }, { stateprovince: '', country: 'Germany' }, ''],
  [{ state: 'MA', province: 'ON', stateprovince: 'MA' }, { country: 'Canada' }, 'ON'],
]

test('an update moves the region only when it names a part of it', () => {
  for (const [stored, sent, region] of CHANGED) {
    assert.equal(withRegion(sent, { ...VENUES.blank, ...stored }).stateprovince, region, JSON.stringify([stored, sent]))
  }
})

test('a region that is sent back unchanged stays, whatever else changes', () => {
  const draft = draftOf(VENUES, { state: 'NY' }, { stateprovince: 'MA' })
  assert.equal(draft.content.stateprovince, 'MA')
  assert.equal(withRegion(draft.content, { ...VENUES.blank, stateprovince: 'MA' }).stateprovince, 'MA')
})

test('a coordinate without its counterpart is refused, and clearing one clears both', () => {
  const placed = { ...VENUES.blank, geo_lat: 45, geo_lng: 7 }
  assert.deepEqual(conflictsOf(VENUES, { geo_lat: 45 }, undefined), [
    { name: 'geo_lat', reason: 'needs_others', detail: 'geo_lng' },
  ])
  assert.deepEqual(conflictsOf(VENUES, { geo_lng: 7 }, VENUES.blank), [
    { name: 'geo_lng', reason: 'needs_others', detail: 'geo_lat' },
  ])
  assert.deepEqual(conflictsOf(VENUES, { geo_lat: null, geo_lng: 7 }, placed), [
    { name: 'geo_lng', reason: 'needs_others', detail: 'geo_lat' },
  ])
  assert.deepEqual(conflictsOf(VENUES, { geo_lat: 46 }, placed), [])
  assert.deepEqual(conflictsOf(VENUES, { geo_lat: null }, placed), [])
  assert.deepEqual(completed(VENUES, { geo_lat: null }, placed), { geo_lat: null, geo_lng: null })
})

test('a draft holds the columns that were sent and no others', () => {
  const draft = draftOf(VENUES, { venue: 'Hall', show_map: false, zip: '' }, nothing)
  assert.deepEqual(draft.content, { name: 'Hall', show_map: 0, zip: '' })
})
