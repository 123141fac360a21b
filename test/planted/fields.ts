// Runs in a copy of the tree in which test/recipe.engine.nightly.test.ts has planted a plain field of each resource.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { openStorage } from '../../src/storage/open.ts'
import { type Answer, openTestApp } from '../support/app.ts'
import { exported, imported } from '../support/exports.ts'
import { createPostgresDatabase, TEST_ENGINE } from '../support/test-engine.ts'
import { testDatabase, testFolder } from '../support/test-storage.ts'

/** A planted field: values that are accepted, how the response shows them, and what is refused. */
interface Planted {
  readonly resource: 'venue' | 'organizer' | 'event'
  readonly path: string
  readonly schema: string
  readonly field: string
  readonly base: Readonly<Record<string, unknown>>
  readonly values: readonly (readonly [sent: unknown, shown: unknown, stored: string | number])[]
  readonly refused: unknown
  /** What an item shows of which nothing was sent. */
  readonly blank: unknown
}

const TIMES = { start_date: '2026-12-01 10:00:00', end_date: '2026-12-01 12:00:00' }

const PLANTED: readonly Planted[] = [
  {
    ...{ resource: 'venue', path: '/venues', schema: 'Venue', field: 'seats', base: { venue: 'Hall' } },
    values: [
      ['120', 120, 120],
      [80, 80, 80],
    ],
    ...{ refused: 100_001, blank: undefined },
  },
  {
    ...{ resource: 'organizer', path: '/organizers', schema: 'Organizer', field: 'trade_name' },
    ...{ base: { organizer: 'Rowers' } },
    values: [
      ['Rowers <b>& Co</b>', 'Rowers &amp; Co', 'Rowers & Co'],
      ['Rowers Ltd', 'Rowers Ltd', 'Rowers Ltd'],
    ],
    ...{ refused: { no: 'text' }, blank: undefined },
  },
  {
    ...{
      resource: 'event',
      path: '/events',
      schema: 'Event',
      field: 'step_free',
      base: { title: 'Regatta', ...TIMES },
    },
    values: [
      ['yes', true, 1],
      [false, false, 0],
    ],
    ...{ refused: 'perhaps', blank: false },
  },
]

const IMPORTED_ID = 900_001

for (const { resource, path, schema, field, base, values, refused, blank } of PLANTED) {
  test(`${resource}: ${field} was planted`, async (t) => {
    const postgres = TEST_ENGINE === 'postgres'
    const database = postgres ? await createPostgresDatabase('all tables') : await testDatabase('sqlite', t)
    const server = await openTestApp(t, { database })
    const call = (method: string, at: string, json?: unknown): Promise<Answer> =>
      server.call('editor', method, at, { ...(json !== undefined && { json }) })
    const stored = async (id: number): Promise<unknown> => {
      const storage = await openStorage({ database, synchronous: 'NORMAL' })
      const read = storage.db.selectFrom(resource).selectAll().where('id', '=', id)
      const row: Readonly<Record<string, unknown>> = { ...(await storage.first(read)) }
      await storage.close()
      return row[field]
    }

    // It is described, on write and in the response.
    const { body: document } = await server.call('anonymous', 'GET', '/doc')
    assert.ok(document.components.schemas[schema].properties[field], 'the response is described')
    const { components, ...operations } = document
    const writing = JSON.stringify([operations, { ...components, schemas: { ...components.schemas, [schema]: {} } }])
    assert.ok(writing.includes(`"${field}":{`), 'the request is described')

    // It is accepted with its validation, stored and shown.
    const [first, second] = values
    assert.ok(first !== undefined && second !== undefined)
    const made = await call('POST', path, { ...base, [field]: first[0] })
    assert.deepEqual([made.status, made.body[field]], [201, first[1]])
    const { id } = made.body
    assert.equal(await stored(id), first[2])
    const bare = await call('POST', path, { ...base, [resource === 'event' ? 'title' : resource]: 'Bare' })
    assert.deepEqual([bare.status, bare.body[field]], [201, blank])
    for (const [method, at] of [
      ['POST', path],
      ['PATCH', `${path}/${id}`],
    ] as const) {
      const { status, body } = await call(method, at, { ...base, [field]: refused })
      assert.deepEqual([status, Object.keys(body.data.params)], [400, [field]], method)
    }
    assert.equal((await call('PATCH', `${path}/${id}`, { [field]: second[0] })).body[field], second[1])
    assert.equal(await stored(id), second[2])
    assert.equal((await server.call('anonymous', 'GET', `${path}/${id}`)).body[field], second[1])
    const listed = (await server.call('anonymous', 'GET', path)).body[path.slice(1)]
    assert.equal(listed.find((one: { readonly id: number }) => one.id === id)[field], second[1])

    // What others may not see of an event, they do not see.
    if (resource === 'event') {
      const secret = await call('POST', path, { ...base, [field]: first[0], password: 'tide' })
      const { body } = await server.call('anonymous', 'GET', path)
      const hidden = body.events.find((one: { readonly id: number }) => one.id === secret.body.id)
      assert.equal(hidden[field], null)
    }

    // It is imported from the JSON of another site, and again.
    const { importJson } = server.app
    assert.ok(importJson)
    const importItem = async (value: unknown) => {
      const there = { global_id: `old.example?id=${IMPORTED_ID}`, global_id_lineage: [], id: IMPORTED_ID }
      const item = { ...made.body, ...there, slug: 'imported', [field]: value }
      const bytes = Buffer.from(JSON.stringify(item))
      return importJson([{ name: 'item.json', bytes }], { author: undefined, onProgress: () => undefined })
    }
    assert.equal((await importItem(first[1])).created, 1)
    assert.equal(await stored(IMPORTED_ID), first[2])
    assert.deepEqual([(await importItem(first[1])).unchanged, (await importItem(second[1])).updated], [1, 1])
    assert.equal((await call('GET', `${path}/${IMPORTED_ID}`)).body[field], second[1])

    // It goes along when the calendar moves to another database.
    await call('PATCH', `${path}/${id}`, { [field]: first[0] })
    const target = postgres ? await createPostgresDatabase('all tables') : await testDatabase('sqlite', t)
    const folder = join(testFolder(t), 'export')
    await exported({ data: testFolder(t), database }, folder)
    await imported({ data: testFolder(t), database: target }, folder)
    const to = await openStorage({ database: target, synchronous: 'NORMAL' })
    try {
      const moved = await to.first(to.db.selectFrom(resource).selectAll().where('id', '=', id))
      assert.equal({ ...(moved as object | undefined), none: undefined }[field as 'none'], first[2])
    } finally {
      await to.close()
    }
  })
}
