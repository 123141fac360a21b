import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { fold, sortKey } from '../src/base/text/fold.ts'
import { openTestApp } from './support/app.ts'
import { rowsOf } from './support/storage.ts'

const app = await openTestApp({ after })
const { storage } = app.app

const NAMES = [
  'Straße nach Łódź',
  'Crème brûlée à gogo',
  'Фестиваль музыки',
  '大阪音楽祭 2027',
  'مهرجان الموسيقى',
  'Ærø & Øresund',
  '100% _wild_ "quoted"',
  'Ünïcödé 😀 party',
  'זמר עברי',
]

const COLLECTIONS = {
  '/events': (title: string) => ({ title, start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 12:00:00' }),
  '/venues': (venue: string) => ({ venue }),
  '/organizers': (organizer: string) => ({ organizer }),
  '/categories': (name: string) => ({ name }),
  '/tags': (name: string) => ({ name }),
} as const

const made = new Map<string, ReadonlyMap<string, number>>()
for (const [path, least] of Object.entries(COLLECTIONS)) {
  const ids = new Map<string, number>()
  for (const name of NAMES) {
    const { status, body } = await app.call('editor', 'POST', path, { json: least(name) })
    assert.equal(status, 201, JSON.stringify(body))
    ids.set(name, body.id)
  }
  made.set(path, ids)
}

async function found(path: string, search: string): Promise<number[]> {
  const query = { search, per_page: 50, hide_empty: 'false' }
  const { status, body } = await app.call('anonymous', 'GET', path, { query })
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.total, body[path.slice(1)].length)
  return body[path.slice(1)].map((one: { id: number }) => one.id)
}

/** Parts of a text that can be searched as they are: they begin and end with a letter or digit. */
function partsOf(text: string, length: number): string[] {
  const letters = Array.from(text)
  const parts = letters.map((_letter, start) => letters.slice(start, start + length).join(''))
  return parts.filter(
    (part) =>
      Array.from(part).length === length &&
      /^[\p{L}\p{N}😀].*[\p{L}\p{N}😀]$|^[\p{L}\p{N}😀]$/u.test(part) &&
      !part.includes('"'),
  )
}

for (const path of Object.keys(COLLECTIONS)) {
  test(`a search of ${path} finds every part of a name, of one, two, three and more characters`, async () => {
    for (const name of NAMES) {
      const id = made.get(path)?.get(name) ?? 0
      for (const length of [1, 2, 3, 6]) {
        const parts = partsOf(name, length)
        for (const part of parts.filter((_part, index) => index % 4 === 0)) {
          const plain = fold(part)
          const expected = NAMES.filter((other) => fold(other).includes(plain)).map((other) =>
            made.get(path)?.get(other),
          )
          for (const search of [`"${part}"`, `"${part.toUpperCase()}"`]) {
            const ids = await found(path, search)
            assert.ok(ids.includes(id), `${search} in ${name}`)
            assert.deepEqual(ids.toSorted(), expected.toSorted(), search)
          }
        }
      }
    }
    assert.deepEqual(await found(path, 'strasse LODZ'), [made.get(path)?.get('Straße nach Łódź')])
    assert.deepEqual(await found(path, '%'), [made.get(path)?.get('100% _wild_ "quoted"')])
    assert.deepEqual(await found(path, 'no such thing'), [])
  })
}

test('what a search and a sort look at is stored folded, in columns', async () => {
  const texts = await rowsOf(storage, 'select event.title, entry_text.body from event inner join entry_text using (id)')
  assert.equal(texts.length, NAMES.length)
  for (const row of texts) assert.equal(row['body'], `${fold(String(row['title']))}\n\n`)
  for (const table of ['venue', 'organizer', 'category', 'tag']) {
    for (const row of await rowsOf(storage, `select * from ${table}`)) {
      assert.equal(row['name_folded'], fold(String(row['name'])))
      if ('name_key' in row) assert.equal(row['name_key'], sortKey(String(row['name'])))
    }
  }
  const renamed = made.get('/tags')?.get('Ærø & Øresund')
  await app.call('editor', 'PATCH', `/tags/${renamed}`, { json: { name: 'Žižkov' } })
  const [row] = await rowsOf(storage, 'select name_folded, name_key, search_text from tag where id = ?', renamed ?? 0)
  assert.deepEqual([row?.['name_folded'], row?.['name_key']], [fold('Žižkov'), sortKey('Žižkov')])
  assert.match(String(row?.['search_text']), /zizkov/)
})

test('terms are listed in the byte order of their sort keys', async () => {
  const { body } = await app.call('anonymous', 'GET', '/categories', { query: { hide_empty: 'false', per_page: 50 } })
  const byBytes = NAMES.toSorted((a, b) => Buffer.compare(Buffer.from(sortKey(a)), Buffer.from(sortKey(b))))
  const ids = byBytes.map((name) => made.get('/categories')?.get(name))
  assert.deepEqual(
    body.categories.map((one: { id: number }) => one.id),
    ids,
  )
})

test('a search reads beside the main thread, whatever the length of the word, and is bounded', async () => {
  for (const path of ['/events', '/venues', '/organizers']) {
    for (const search of ['a', 'ab', 'fest']) {
      const before = storage.stats().readsOffloaded
      await found(path, search)
      assert.ok(storage.stats().readsOffloaded > before, `${path} ${search}`)
    }
  }
  for (const path of Object.keys(COLLECTIONS)) {
    const { status } = await app.call('anonymous', 'GET', path, { query: { search: 'x'.repeat(257) } })
    assert.equal(status, 400, path)
  }
})

test('pages that an index leads to and totals that counters know are read at once, others beside the main thread', async () => {
  const venue = made.get('/venues')?.get('大阪音楽祭 2027') ?? 0
  const [category = 0, other = 0] = made.get('/categories')?.values() ?? []
  const cases: [Readonly<Record<string, string | number>>, number][] = [
    [{}, 0],
    [{ start_date: '2027-01-01' }, 0],
    [{ venue }, 0],
    [{ categories: category }, 0],
    [{ search: 'another' }, 1],
    [{ venue, categories: category }, 1],
    [{ categories: `${category},${other}` }, 1],
    [{ featured: 'true' }, 0],
    [{ ticketed: 'true' }, 0],
    // The total is a difference of counters; the page may have to pass by many that have tickets.
    [{ ticketed: 'false' }, 1],
    [{ geoloc: 'true' }, 1],
    [{ geoloc_lat: 1, geoloc_lng: 1 }, 1],
    [{ ends_after: '2027-01-01' }, 1],
    [{ ends_before: '2029-01-01' }, 1],
  ]
  for (const [filter, offloaded] of cases) {
    // A page that does not end the list: one that does tells the total itself.
    const query = { ...filter, per_page: 1 }
    const before = storage.stats().readsOffloaded
    assert.equal((await app.call('anonymous', 'GET', '/events', { query })).status, 200)
    assert.equal(storage.stats().readsOffloaded - before, offloaded, JSON.stringify(query))
    // Nothing was written meanwhile, so nothing long is read again.
    assert.equal((await app.call('anonymous', 'GET', '/events', { query })).status, 200)
    assert.equal(storage.stats().readsOffloaded - before, offloaded, JSON.stringify(query))
  }
})

test('each page of a search tells the total, which is counted while the events are read', async () => {
  const ids: number[] = []
  for (const day of [3, 1, 2]) {
    const json = { title: 'Orchard concert', start_date: `2027-05-0${day} 10:00:00`, end_date: '2027-05-04 12:00:00' }
    ids[day - 1] = (await app.call('editor', 'POST', '/events', { json })).body.id
  }
  for (const page of [1, 2, 3]) {
    const before = storage.stats().readsOffloaded
    const { body } = await app.call('anonymous', 'GET', '/events', { query: { search: 'chard', per_page: 1, page } })
    assert.deepEqual([body.total, body.total_pages, body.events[0].id], [3, 3, ids[page - 1]])
    assert.equal(storage.stats().readsOffloaded - before, 1)
  }
  const query = { search: 'chard', per_page: 1, page: 4 }
  assert.equal((await app.call('anonymous', 'GET', '/events', { query })).status, 404)
  const within = { search: 'chard', per_page: 1, start_date: '2027-05-02', end_date: '2027-05-09' }
  const { body } = await app.call('anonymous', 'GET', '/events', { query: within })
  assert.deepEqual([body.total, body.events[0].id], [2, ids[1]])
})
