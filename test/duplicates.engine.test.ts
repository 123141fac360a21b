import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Answer, openTestApp } from './support/app.ts'

/*
 * A create that differs in nothing from an item that its sender may read means that item, and leaves it as it is
 * (decisions: Duplicates); any other difference makes a new one.
 */

const { call } = await openTestApp({ after })

type Body = Readonly<Record<string, unknown>>
type As = Parameters<typeof call>[0]

async function make(as: As, path: string, json: Body): Promise<Answer['body']> {
  const { status, body } = await call(as, 'POST', path, { json })
  assert.equal(status, 201, JSON.stringify(body))
  return body
}

const SPAN = { start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 12:00:00' }

/** Each field that is compared: what is stored, the same written differently, and something else. */
const COMPARED: Readonly<
  Record<string, readonly (readonly [name: string, stored: unknown, same: unknown, other: unknown])[]>
> = {
  '/venues': [
    ['description', 'A\n\nB', '<p>A</p>\n<p>B</p>', 'A B'],
    ['address', 'Main St 1', ' Main St <b>1</b> ', 'Main St 2'],
    ['city', 'Turin', 'Turin', 'turin'],
    ['country', 'Italy', 'Italy', 'Italia'],
    ['province', 'TO', 'TO', 'MI'],
    ['state', 'Piedmont', 'Piedmont', 'Lombardy'],
    ['zip', '10121', 10_121, '010121'],
    ['phone', '1', 1, '2'],
    ['website', 'https://a.example/', ' https://a.example/', 'https://a.example'],
    ['stateprovince', 'Region', 'Region', 'Other'],
    ['show_map', false, 'no', true],
    ['show_map_link', false, 0, 'yes'],
  ],
  '/organizers': [
    ['description', 'A', '<p>A</p>', 'B'],
    ['phone', '1', 1, '2'],
    ['website', 'https://a.example/', 'https://a.example/', 'http://a.example/'],
    ['email', 'a@b.example', ' a@b.example', 'b@b.example'],
  ],
}

for (const [path, fields] of Object.entries(COMPARED)) {
  const key = path.slice(1, -1)
  const stored = Object.fromEntries(fields.map(([name, value]) => [name, value]))

  test(`${path}: every field that was sent is compared as it would be stored, those that were not are not`, async () => {
    const place = path === '/venues' ? { geo_lat: 45, geo_lng: 7 } : {}
    const first = await make('editor', path, { [key]: 'Café Öl', ...stored, ...place })
    for (const [name, , same, other] of fields) {
      assert.equal((await make('contributor', path, { [key]: 'CAFE  ol', [name]: same })).id, first.id, name)
      const different = await make('editor', path, { [key]: 'Café Öl', ...stored, ...place, [name]: other })
      assert.notEqual(different.id, first.id, name)
      assert.match(different.slug, /^cafe-ol-\d+$/)
    }
    if (path === '/venues')
      for (const [lat, lng, isSame] of [
        ['45.0', 7, true],
        [45, 7.1, false],
        [44, 7, false],
      ] as const) {
        const other = await make('editor', path, { [key]: 'Café Öl', ...stored, geo_lat: lat, geo_lng: lng })
        assert.equal(other.id === first.id, isSame, `${lat} ${lng}`)
      }
    const { body: after } = await call('editor', 'GET', `${path}/${first.id}`)
    const { json_ld: _alone, ...shown } = after
    assert.deepEqual(shown, first)
  })

  test(`${path}: author, date, status and what was sent empty are not compared`, async () => {
    const first = await make('editor', path, { [key]: 'Plain', ...stored })
    const empty = Object.fromEntries(
      fields.filter(([, , same]) => typeof same === 'string').map(([name]) => [name, '']),
    )
    const others = { author: 1, date: '2020-01-01', status: 'draft', image: false, show_map: null }
    for (const more of [{}, empty, others, { description: null, phone: null }]) {
      const again = await make('administrator', path, { [key]: 'plain', ...more, show_map: false, show_map_link: null })
      assert.equal(again.id, first.id, JSON.stringify(more))
      assert.deepEqual([again.status, again.date, again.modified], ['publish', first.date, first.modified])
    }
  })

  test(`${path}: an item that its sender may not read, or that lies in the trash, is not given back`, async () => {
    const hidden = await make('author', path, { [key]: 'Secret', status: 'private' })
    const other = await make('contributor', path, { [key]: 'Secret' })
    assert.notEqual(other.id, hidden.id)
    assert.equal((await make('author', path, { [key]: 'Secret' })).id, hidden.id)
    assert.equal((await make('editor', path, { [key]: 'Secret' })).id, hidden.id)
    assert.equal((await make('contributor', path, { [key]: 'Secret' })).id, other.id)
    await call('editor', 'DELETE', `${path}/${hidden.id}`)
    assert.equal((await make('editor', path, { [key]: 'Secret' })).id, other.id)
    await call('editor', 'DELETE', `${path}/${other.id}`)
    const fresh = await make('editor', path, { [key]: 'Secret' })
    assert.ok(fresh.id > other.id)
    assert.equal(fresh.slug, 'secret')
  })

  test(`${path}: of equal creates at once, alone and inside of events, one makes the item`, async () => {
    const json = { [key]: `Race ${key}`, ...stored }
    const alone = Array.from({ length: 6 }, async () => (await make('editor', path, json)).id)
    const inside = Array.from({ length: 6 }, async (_, n) => {
      const { [key]: related } = await make('editor', '/events', { title: `Race ${n}`, ...SPAN, [key]: json })
      return key === 'venue' ? related.id : related[0].id
    })
    const ids = await Promise.all([...alone, ...inside])
    assert.equal(new Set(ids).size, 1, ids.join())
    assert.equal((await call('editor', 'GET', path, { query: { search: `"race ${key}"` } })).body.total, 1)
  })
}
