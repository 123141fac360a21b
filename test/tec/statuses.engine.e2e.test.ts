import assert from 'node:assert/strict'
import { rename } from 'node:fs/promises'
import { after, test } from 'node:test'
import { openConnection } from '../../src/storage/engines/sqlite/connection.ts'
import { type Answer, openTestApp, type Sending, type TestApp } from '../support/app.ts'
import { judgesOf } from '../support/judge.ts'
import { rowsOf } from '../support/storage.ts'
import { tecClient } from '../support/tec.ts'
import { TEST_ENGINE } from '../support/test-engine.ts'

/*
 * must hold 2: every route answers every status that the documents list for it as both of them say: each answer of a test is
 * compared with them.
 */

type As = Parameters<TestApp['call']>[0]

const app = await openTestApp({ after })
const careful = await openTestApp({ after }, { requireIfMatch: 'true' })
const limited = await openTestApp({ after }, { limitReads: '1/3600', limitWrites: '1/3600' })
const refusing = await openTestApp({ after })
refusing.app.refuse?.()
const broken = await openTestApp({ after })
await broken.app.storage.close()

interface Operation {
  readonly method: string
  readonly path: string
  /** Errors that it lists. */
  readonly statuses: readonly string[]
}

const { body: document } = await tecClient(app).call('anonymous', 'GET', '/docs')
const { body: newer } = await tecClient(app).call('anonymous', 'GET', '/docs?version=3.1')
const operations = Object.entries<Record<string, { readonly responses: object }>>(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(
      ([method, { responses }]): Operation => ({
        ...{ method: method.toUpperCase(), path },
        statuses: Object.keys(responses).filter((status) => status >= '400'),
      }),
    ),
)

/** Longer than any body may be. */
const LONG = { title: 'x'.repeat(2_100_000) }

let made = 0

/** An item of its own for each request, by the collection of its path; a ticket of a new event for those. */
async function itemIn(target: TestApp, path: string): Promise<number> {
  const tec = tecClient(target)
  const collection = path.split('/')[1]
  made += 1
  if (collection === 'venues' || collection === 'organizers')
    return (await tec.create(`/${collection}`, { title: `One ${made}` })).id
  const event = await tec.create('/events', { ...WALK, tickets: [{ name: `Adult ${made}` }] })
  if (collection !== 'tickets') return event.id
  return (await tec.call('anonymous', 'GET', `/tickets?event=${event.id}`)).body[0].id
}

/** What an operation is sent so that it has a status. */
interface Provocation {
  readonly as?: As
  readonly sending?: Sending
  readonly id?: number | string
  /** Requests before the one that counts. */
  readonly before?: Sending
  readonly on?: TestApp
  /** Whether it is sent twice at once, and the answer that comes first counts. */
  readonly isTwice?: boolean
}

const WALK = { title: 'Walk', start_date: '2031-05-06 17:00:00', end_date: '2031-05-06 18:00:00' }
const BASIC = { authorization: `Basic ${btoa('nobody:wrong')}` }
const KEY = () => ({ 'idempotency-key': `"${made}"` })

/** What provokes each status that a document lists: one that nothing provokes has no place there. */
const PROVOKED: Readonly<Record<string, (operation: Operation) => Provocation>> = {
  400: () => ({ as: 'editor', sending: { query: { strict: 1, unknown: 1 } } }),
  401: ({ method }) => (method === 'GET' ? { sending: { headers: BASIC } } : { as: 'anonymous' }),
  403: () => ({ as: 'subscriber', id: 987_654 }),
  404: ({ path }) => {
    if (path.includes('{id}')) return { as: 'editor', id: 'x' }
    return { sending: { query: path === '/' ? { namespace: 'another' } : { page: 999 } } }
  },
  409: () => ({ as: 'editor', sending: { headers: KEY() }, isTwice: true }),
  410: () => ({ as: 'editor', before: {} }),
  412: ({ path }) => {
    if (path.includes('{id}')) return { as: 'editor', sending: { headers: { 'if-match': '"another"' } } }
    const json = { ...WALK, slug: `slug-${made}` }
    return { as: 'editor', before: { json }, sending: { json, headers: { 'if-none-match': '*' } } }
  },
  422: () => ({
    ...{
      as: 'editor',
      before: { json: WALK, headers: KEY() },
    },
    sending: { json: { title: 'Other' }, headers: KEY() },
  }),
  413: () => ({ as: 'editor', sending: { json: LONG } }),
  428: () => ({ as: 'editor', on: careful }),
  429: () => ({ as: 'editor', before: {}, on: limited, id: 987_654 }),
  503: () => ({ on: refusing, id: 987_654 }),
}

/** Whether a calendar is stored in files of its own. */
const hasFiles = TEST_ENGINE === 'sqlite'

/** The file that a calendar is stored in, with SQLite. */
async function fileOf({ storage }: TestApp['app']): Promise<string> {
  const [place] = await rowsOf(storage, 'select file from pragma_database_list')
  return String(place?.['file'])
}

/** Lets nothing be written until the result is called. */
async function holdWrites({ app }: TestApp): Promise<() => Promise<void>> {
  if (hasFiles) {
    const other = openConnection(await fileOf(app), { busyTimeout: 5000 })
    other.exec('begin immediate')
    return async () => {
      other.exec('rollback')
      other.close()
    }
  }
  const held = Promise.withResolvers<void>()
  const holding = app.storage.write(() => held.promise)
  return () => {
    held.resolve()
    return holding
  }
}

/** The first of two answers, while neither request can write. */
async function firstOfTwo(target: TestApp, send: () => Promise<Answer>): Promise<Answer> {
  const release = await holdWrites(target)
  const both = [send(), send()]
  const first = await Promise.race(both)
  await release()
  await Promise.all(both)
  return first
}

for (const operation of operations) {
  const { method, path, statuses } = operation
  for (const status of statuses.filter((one) => one !== 'default'))
    test(`must hold 2: ${method} ${path} answers ${status} as both documents say`, async () => {
      const provoke = PROVOKED[status] ?? assert.fail(`nothing provokes ${status}`)
      made += 1
      const { as = 'anonymous', sending = {}, before, on = app, id, isTwice = false } = provoke(operation)
      const own = path.includes('{id}') ? (id ?? (await itemIn(on, path))) : 0
      const tec = tecClient(on)
      const address = path.replace('{id}', String(own))
      const hasBody = method !== 'GET' && sending.json === undefined
      if (before !== undefined) await tec.call(as, method, address, before)
      const { query, ...rest } = { ...(hasBody && { json: WALK }), ...sending }
      const send = () => tec.call(as, method, address, { ...rest, ...(query && { query }) })
      const answer = isTwice ? await firstOfTwo(on, send) : await send()
      assert.equal(String(answer.status), status, JSON.stringify(answer.body))
      assert.equal(answer.body.data.status, answer.status)
    })
}

for (const { method, path } of operations.filter((one) => hasFiles && one.method !== 'GET'))
  test(`must hold 2: ${method} ${path} says that the files are away as both documents say`, async () => {
    const address = path.replace('{id}', String(path.includes('{id}') ? await itemIn(app, path) : 0))
    const file = await fileOf(app.app)
    await rename(file, `${file}-moved`)
    try {
      const { status, body } = await tecClient(app).call('editor', method, address, {
        json: { ...WALK, title: 'Away' },
      })
      assert.deepEqual([status, body.code, body.data], [503, 'rest_data_missing', { status: 503 }])
    } finally {
      await rename(`${file}-moved`, file)
    }
  })

test('must hold 2: a venue that is taken is 409 as both documents say', async () => {
  const { body: hall } = await app.call('editor', 'POST', '/venues', { json: { venue: 'Hall', exclusive: true } })
  const tec = tecClient(app)
  const first = await tec.create('/events', { ...WALK, venues: [hall.id] })
  const { status, body } = await tec.call('editor', 'POST', '/events', { json: { ...WALK, venues: [hall.id] } })
  assert.deepEqual([status, body.code, body.data.events], [409, 'venue_taken', [first.id]])
})

test('must hold 2: whatever fails unexpectedly is told as both documents say of every other status', async () => {
  // What asks no database cannot fail like this.
  for (const { method, path } of operations.filter(({ path }) => !['/', '/docs'].includes(path))) {
    const sending = { ...(method !== 'GET' && { json: WALK }), isBroken: true }
    const { status, body } = await tecClient(broken).call('editor', method, path.replace('{id}', '1'), sending)
    assert.equal(status, 500, `${method} ${path}`)
    for (const { paths, components } of [document, newer]) {
      assert.deepEqual(paths[path][method.toLowerCase()].responses.default, { $ref: '#/components/responses/Error' })
      const pointer = ['components', 'responses', 'Error', 'content', 'application/json', 'schema']
      assert.deepEqual(judgesOf({ components }).open(pointer, body), [])
    }
  }
})
