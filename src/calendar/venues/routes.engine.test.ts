import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLinkedServer } from '../../../test/support/linked-server.ts'
import { createLinked } from '../shared/linked/write.ts'
import { VENUES } from './index.ts'

const FULL = {
  venue: 'Grand Hall & Co',
  description: 'Big <b>hall</b>\n\nwith stage',
  address: '1 Main St',
  city: 'Boston',
  country: 'United States',
  province: 'Ontario',
  state: 'MA',
  zip: '02101',
  phone: '555-1234',
  website: 'https://hall.example/?a=1&b=2',
  geo_lat: 42.36,
  geo_lng: -71.06,
  show_map: 'no',
}

const HEAD = ['id', 'author', 'status', 'date', 'date_utc', 'modified', 'modified_utc', 'url', 'venue']
const PLACE = ['address', 'city', 'country', 'province', 'state', 'zip', 'phone', 'website', 'stateprovince']
const TAIL = ['show_map', 'show_map_link', 'global_id', 'global_id_lineage']

test('a venue has its members in the order of the wire, json_ld only when it is read alone', async (t) => {
  const server = await openLinkedServer(t)
  const { body } = await server.call('editor', 'POST /venues', { json: FULL })
  const geo = ['geo_lat', 'geo_lng']
  assert.deepEqual(Object.keys(body), [...HEAD, 'description', 'slug', ...PLACE, ...geo, ...TAIL])
  const read = (await server.call('anonymous', `GET /venues/${body.id}`)).body
  assert.deepEqual(Object.keys(read), [...HEAD, 'description', 'slug', ...PLACE, ...geo, 'json_ld', ...TAIL])
  const { json_ld, ...others } = read
  assert.deepEqual(others, body)
  assert.deepEqual([body.stateprovince, body.show_map, body.show_map_link, body.geo_lat], ['MA', false, true, 42.36])
  assert.equal(body.website, FULL.website)
  const listed = (await server.call('anonymous', 'GET /venues')).body.venues[0]
  assert.deepEqual(listed, body)
})

test('the schema.org object of a venue is plain text', async (t) => {
  const server = await openLinkedServer(t)
  await server.call('editor', 'POST /venues', { json: FULL })
  const { json_ld } = (await server.call('anonymous', 'GET /venues/by-slug/grand-hall-co')).body
  assert.deepEqual(json_ld, {
    '@type': 'Place',
    name: 'Grand Hall & Co',
    description: 'Big hall with stage',
    url: FULL.website,
    address: {
      '@type': 'PostalAddress',
      streetAddress: '1 Main St',
      addressLocality: 'Boston',
      addressRegion: 'MA',
      postalCode: '02101',
      addressCountry: 'United States',
    },
    geo: { '@type': 'GeoCoordinates', latitude: 42.36, longitude: -71.06 },
    telephone: '555-1234',
    sameAs: FULL.website,
  })
})

test('a venue with a name alone has no empty members', async (t) => {
  const server = await openLinkedServer(t)
  const { body } = await server.call('editor', 'POST /venues', { json: { venue: 'Min Hall' } })
  assert.deepEqual(Object.keys(body), [...HEAD, 'slug', ...TAIL])
  const { json_ld } = (await server.call('anonymous', `GET /venues/${body.id}`)).body
  assert.deepEqual(json_ld, { '@type': 'Place', name: 'Min Hall' })
})

test('what is kept and what follows when parts of a venue change', async (t) => {
  const server = await openLinkedServer(t)
  const { id } = (await server.call('editor', 'POST /venues', { json: FULL })).body
  const change = async (json: object) => (await server.call('editor', `PATCH /venues/${id}`, { json })).body
  const moved = await change({ city: 'Salem' })
  assert.deepEqual([moved.stateprovince, moved.show_map, moved.geo_lng], ['MA', false, -71.06])
  assert.equal((await change({ state: 'NY' })).stateprovince, 'NY')
  assert.equal((await change({ country: 'Canada' })).stateprovince, 'Ontario')
  const cleared = await change({ geo_lat: null, zip: 0, stateprovince: '' })
  assert.deepEqual(
    ['geo_lat', 'geo_lng', 'stateprovince'].filter((member) => member in cleared),
    [],
  )
  assert.equal(cleared.zip, '0')
  const alone = await server.call('editor', `PATCH /venues/${id}`, { json: { geo_lat: 5 } })
  assert.deepEqual([alone.status, Object.keys(alone.body.data.params)], [400, ['geo_lat']])
})

test('an imported venue keeps its picture, unknown members and lineage, and may lack a name', async (t) => {
  const server = await openLinkedServer(t)
  const at = '2026-01-01 00:00:00'
  const picture = { url: 'https://old.example/a.png', id: 57, extension: 'png' }
  const columns = {
    ...VENUES.blank,
    author_id: 0,
    status: 'publish' as const,
    trashed_from: null,
    slug: 'old',
    published_at: at,
    modified_at: at,
    excerpt: '',
    image_id: null,
    image_recorded: JSON.stringify(picture),
    extra: JSON.stringify({ directions: 'left', status: 'shadow' }),
  }
  const lineage = ['old.example?id=7']
  const { id } = await server.storage.write((tx) =>
    createLinked(tx, VENUES, { columns, options: { actor: null, at, lineage } }),
  )
  const { body } = await server.call('anonymous', `GET /venues/${id}`)
  assert.deepEqual([body.status, body.image, body.directions], ['publish', picture, 'left'])
  assert.deepEqual(body.global_id_lineage, [`calendar.example?id=${id}`, ...lineage])
  assert.deepEqual(
    ['venue', 'author'].filter((member) => member in body),
    [],
  )
  assert.equal(Object.keys(body).at(-1), 'directions')
  assert.equal(body.json_ld.image, picture.url)
  const change = (image: unknown) => server.call('editor', `PATCH /venues/${id}`, { json: { image } })
  for (const image of [57, '57', picture.url, picture]) assert.deepEqual((await change(image)).body.image, picture)
  for (const image of [58, 'https://old.example/b.png', 'foo']) assert.equal((await change(image)).status, 400)
  assert.ok(!('image' in (await change(null)).body))
})
