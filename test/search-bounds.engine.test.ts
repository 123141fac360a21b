import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApp } from './support/app.ts'
import { rowsOf } from './support/storage.ts'

// What a search may cost (decisions: search): few words, and no list is read whole for the sake of short ones.

const app = await openTestApp({ after })
const { storage } = app.app

const LISTS = {
  '/events': { table: 'event', json: { title: 'Orchard 大阪', start_date: '2027-03-01', end_date: '2027-03-01' } },
  '/venues': { table: 'venue', json: { venue: 'Orchard 大阪' } },
  '/organizers': { table: 'organizer', json: { organizer: 'Orchard 大阪' } },
  '/categories': { table: 'category', json: { name: 'Orchard 大阪' } },
  '/tags': { table: 'tag', json: { name: 'Orchard 大阪' } },
} as const

const made = new Map<string, number>()
for (const [path, { json }] of Object.entries(LISTS)) {
  const { status, body } = await app.call('editor', 'POST', path, { json })
  assert.equal(status, 201, JSON.stringify(body))
  made.set(path, body.id)
}

async function search(path: string, text: string, more = {}): Promise<{ status: number; total: number; why: string }> {
  const query = { search: text, hide_empty: 'false', ...more }
  const { status, body } = await app.call('anonymous', 'GET', path, { query })
  return { status, total: body.total, why: body.data?.params?.search ?? '' }
}

for (const path of Object.keys(LISTS)) {
  test(`a search of ${path} has at most eight different words, phrases and exclusions`, async () => {
    const eight = 'orchard ORCHARD rch cha har ard "chard" -pear -"two pears"'
    assert.equal((await search(path, eight)).total, 1, eight)
    for (const nine of [`${eight} orch`, `${eight} -plum`, `${eight} "or"`]) {
      const { status, why } = await search(path, nine)
      assert.equal(status, 400, nine)
      assert.match(why, /eight words or fewer/)
    }
  })
}

/** Copies the one row that there is 10,000 times, with another id and slug. */
async function fill(table: string): Promise<void> {
  const [row = {}] = await rowsOf(storage, `select * from ${table}`)
  const written: Readonly<Record<string, string>> = {
    id: '1000000 + n',
    event_id: '1000000 + n',
    slug: `'copy-' || n`,
  }
  const columns = Object.keys(row)
  const values = columns.map((name) => written[name] ?? `"${name}"`)
  const statement = `insert into ${table} (${columns.map((name) => `"${name}"`).join()})
    with recursive number (n) as (select 1 union all select n + 1 from number where n < 10000)
    select ${values.join()} from ${table} cross join number`
  await storage.write((tx) => tx.run({ compile: () => ({ sql: statement, parameters: [] }) }))
}

/** Three characters and more of which fewer than three are letters or digits: PostgreSQL has no index of the others. */
const OTHER_CHARACTERS = ['...', '!!!', '+++', '"---"', '______', 'c++', 'u.s.', '😀😀😀', '็็็', '゙゙゙', '"! ?"']

for (const [path, { table }] of Object.entries(LISTS)) {
  test(`${path} of 10,000 rows are searched for short words and exclusions alone, larger ones are not`, async () => {
    // Kept answers would not hear of what is copied.
    const early = { n: 1 }
    for (const short of ['o', 'or rd', '-pear', '-pe or'])
      assert.equal((await search(path, short, early)).total, 1, short)
    for (const other of OTHER_CHARACTERS) {
      const { status, total } = await search(path, other, early)
      assert.deepEqual([status, total], [200, 0], other)
    }
    await fill(table)
    if (table === 'event') await fill('occurrence')
    for (const short of ['o', 'or rd', '-pear', '-pe or', '-"two pears"', '大', ...OTHER_CHARACTERS]) {
      const { status, why } = await search(path, short)
      assert.equal(status, 400, short)
      assert.match(why, /a word of three letters or more/)
    }
    const terms = ['/categories', '/tags'].includes(path)
    const found = terms ? 10_001 : 1
    for (const long of ['orchard', 'orchard or', 'orchard -pe', 'orch 大', 'orchard -...', '大阪', 'd 大阪']) {
      assert.equal((await search(path, long)).total, found, long)
    }
    for (const none of ['orchard zz', 'orchard ...', '大阪!', '"b 52"', 'b-52', 'a.b.c'])
      assert.equal((await search(path, none)).total, 0, none)
    assert.equal((await search(path, 'orchard -or')).total, 0)
  })
}

test('among events that are named by their ids any word is searched for', async () => {
  const include = made.get('/events') ?? 0
  assert.equal((await search('/events', 'o', { include })).total, 1)
  assert.equal((await search('/events', '-or', { include })).status, 200)
})
