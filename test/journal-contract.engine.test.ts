import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Role } from '../src/http/auth/rights.ts'
import { headSeq, readSince } from '../src/storage/journal/read.ts'
import { openTestApp } from './support/app.ts'
import { assertCopiesFollow, assertJournalMirrors } from './support/mirror.ts'
import { rowsOf, runStatement } from './support/storage.ts'

const app = await openTestApp({ after })
const { storage } = app.app
const users = await storage.all(storage.db.selectFrom('user').select(['id', 'name']))
const SPAN = { start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 12:00:00' }
const FORCE = { query: { force: 'true' } }

type Told = readonly [resource: string, action: string, revision: number]

function idOf(role: Role): number | undefined {
  return users.find((one) => one.name === role)?.id
}

/** Does something and asserts the journal entries that it left, in any order, all by one actor at the present moment. */
async function leaves<Result>(role: Role, told: readonly Told[], write: () => Promise<Result>): Promise<Result> {
  const before = await headSeq(storage)
  app.clock.now += 1_000
  const result = await write()
  const entries = await readSince(storage, before, 1000)
  const texts = (list: readonly Told[]): string[] => list.map((one) => one.join(' ')).toSorted()
  assert.deepEqual(texts(entries.map((one) => [one.resource, one.action, one.revision])), texts(told))
  const at = new Date(app.clock.now).toISOString().slice(0, 19).replace('T', ' ')
  for (const entry of entries) assert.deepEqual([entry.actor, entry.at], [idOf(role), at])
  await assertJournalMirrors(storage)
  await assertCopiesFollow(storage)
  return result
}

type Item = { readonly id: number; readonly slug: string; readonly [member: string]: unknown }

// biome-ignore lint/complexity/useMaxParams: who, method, path, content: a request line
async function send(role: Role, method: string, path: string, json?: object): Promise<Item> {
  const answer = await app.call(role, method, path, method === 'DELETE' ? { query: json as never } : { json })
  assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

const ENTRIES = [
  { resource: 'event', path: '/events', least: { title: 'Board meeting', ...SPAN }, name: 'title' },
  { resource: 'venue', path: '/venues', least: { venue: 'Hall' }, name: 'venue' },
  { resource: 'organizer', path: '/organizers', least: { organizer: 'Club' }, name: 'organizer' },
] as const

for (const { resource, path, least, name } of ENTRIES) {
  test(`every write route of ${path} leaves one entry with action, revision and who it was`, async () => {
    const made = await leaves('author', [[resource, 'create', 1]], () => send('author', 'POST', path, least))
    let revision = 1
    const one = (action: string): Told[] => {
      revision += 1
      return [[resource, action, revision]]
    }
    for (const place of [`${path}/${made.id}`, `${path}/by-slug/${made.slug}`]) {
      for (const [index, method] of ['POST', 'PUT', 'PATCH'].entries()) {
        const role = index === 1 ? 'editor' : 'author'
        const json = { [name]: `${method} ${place}` }
        await leaves(role, one('update'), () => send(role, method, place, json))
        await leaves(role, [], () => send(role, method, place, json))
      }
      await leaves('author', one('trash'), () => send('author', 'DELETE', place))
      await leaves('editor', one('restore'), () => send('editor', 'PATCH', `${path}/${made.id}`, { status: 'draft' }))
      await leaves('editor', one('trash'), () => send('editor', 'PATCH', place, { status: 'trash' }))
      await leaves('editor', one('restore'), () => send('editor', 'PATCH', `${path}/${made.id}`, { status: 'publish' }))
    }
    await leaves('editor', one('delete'), () => send('editor', 'DELETE', `${path}/by-slug/${made.slug}`, FORCE.query))
    const other = await send('author', 'POST', path, { ...least, [name]: 'Another' })
    await leaves('editor', [[resource, 'delete', 2]], () =>
      send('editor', 'DELETE', `${path}/${other.id}`, FORCE.query),
    )
  })
}

for (const [resource, path] of [
  ['category', '/categories'],
  ['tag', '/tags'],
] as const) {
  test(`every write route of ${path} leaves one entry with action, revision and who it was`, async () => {
    const made = await leaves('author', [[resource, 'create', 1]], () => send('author', 'POST', path, { name: 'Jazz' }))
    const place = `${path}/${made.id}`
    for (const [index, method] of ['POST', 'PUT', 'PATCH'].entries()) {
      const json = { name: `Jazz ${index}` }
      await leaves('editor', [[resource, 'update', index + 2]], () => send('editor', method, place, json))
      await leaves('editor', [], () => send('editor', method, place, json))
    }
    await leaves('author', [[resource, 'delete', 5]], () => send('author', 'DELETE', place))
  })
}

const EVENT = { title: 'Rich', ...SPAN, categories: ['Jazz'], tags: ['free'], venue: { venue: 'Loft' } }

test('what an event makes on its way has entries of its own, and each thing that a deletion changes too', async () => {
  const told: Told[] = ['event', 'venue', 'organizer', 'category', 'tag'].map((resource) => [resource, 'create', 1])
  const event = await leaves('author', told, () =>
    send('author', 'POST', '/events', { ...EVENT, organizer: { organizer: 'Band' } }),
  )
  const [category, tag] = [event['categories'], event['tags']].map((terms) => (terms as { id: number }[])[0]?.id)
  const venue = (event['venue'] as { id: number }).id
  const organizer = (event['organizer'] as { id: number }[])[0]?.id
  const part = await send('author', 'POST', '/events', { title: 'Part', ...SPAN, post_parent: event.id })
  const child = await send('author', 'POST', '/categories', { name: 'Bebop', parent: category })
  const deletions: [string, Told[]][] = [
    [
      `/tags/${tag}`,
      [
        ['tag', 'delete', 2],
        ['event', 'update', 2],
      ],
    ],
    [
      `/categories/${category}`,
      [
        ['category', 'delete', 2],
        ['category', 'update', 2],
        ['event', 'update', 3],
      ],
    ],
    [
      `/venues/${venue}`,
      [
        ['venue', 'delete', 2],
        ['event', 'update', 4],
      ],
    ],
    [
      `/organizers/${organizer}`,
      [
        ['organizer', 'delete', 2],
        ['event', 'update', 5],
      ],
    ],
    [
      `/events/${event.id}`,
      [
        ['event', 'delete', 6],
        ['event', 'update', 2],
      ],
    ],
  ]
  for (const [path, entries] of deletions) {
    await leaves('editor', entries, () => send('editor', 'DELETE', path, FORCE.query))
  }
  assert.equal((await app.call('editor', 'GET', `/categories/${child.id}`)).body.parent, 0)
  assert.equal((await app.call('editor', 'GET', `/events/${part.id}`)).body.post_parent, undefined)
})

test('no row changes when the journal cannot be written, and no entry is left of a write that fails', async () => {
  const event = await send('author', 'POST', '/events', EVENT)
  const term = await send('author', 'POST', '/tags', { name: 'kept' })
  const state = async (): Promise<unknown> => {
    const tables = [
      'event',
      'venue',
      'organizer',
      'category',
      'tag',
      'occurrence',
      'entry',
      'term',
      'counter',
      'journal',
    ]
    return Promise.all(tables.map((table) => rowsOf(storage, `select * from ${table} order by 1`)))
  }
  const before = await state()
  await runStatement(storage, 'alter table journal rename to journal_elsewhere')
  const writes: [string, string, object?][] = [
    ['POST', '/events', { ...EVENT, tags: ['new tag'], venue: { venue: 'New hall' } }],
    ['PATCH', `/events/${event.id}`, { title: 'Other', categories: [] }],
    ['DELETE', `/events/${event.id}`],
    ['POST', '/venues', { venue: 'Barn' }],
    ['PATCH', `/venues/${(event['venue'] as { id: number }).id}`, { city: 'Bern' }],
    ['POST', '/organizers', { organizer: 'Trio' }],
    ['POST', '/categories', { name: 'New' }],
    ['PATCH', `/tags/${term.id}`, { name: 'other' }],
    ['DELETE', `/tags/${term.id}`],
  ]
  for (const [method, path, json] of writes) {
    const answer = await app.call('administrator', method, path, { json, isBroken: true })
    assert.deepEqual([answer.status, answer.body.code], [500, 'internal_server_error'], `${method} ${path}`)
  }
  await runStatement(storage, 'alter table journal_elsewhere rename to journal')
  assert.deepEqual(await state(), before)
  await leaves('author', [['event', 'update', 2]], () =>
    send('author', 'PATCH', `/events/${event.id}`, { title: 'Now' }),
  )
})
