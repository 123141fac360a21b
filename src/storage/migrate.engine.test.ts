import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, type TestScope, testDatabase } from '../../test/support/test-storage.ts'
import type { Compilable, Storage } from './engine.ts'
import { migrate } from './migrate.ts'
import { MIGRATIONS, type Migration } from './migrations/index.ts'
import { openStorage } from './open.ts'

const now = () => Date.UTC(2026, 10, 20, 18, 30, 0)

const FIRST: Migration = { id: 1, name: 'first', up: () => ['create table one (a integer)'] }
const SECOND: Migration = { id: 2, name: 'second', up: () => ['alter table one add column b integer'] }

function query<Row>(text: string): Compilable<Row> {
  return { compile: () => ({ sql: text, parameters: [] }) }
}

function applied(storage: Storage): Promise<unknown[]> {
  return storage.all(query('select id, name, applied_at from migration order by id'))
}

for (const engine of ENGINES) {
  const openEmpty = async (t: TestScope): Promise<Storage> => {
    const storage = await openStorage({ database: await testDatabase(engine, t), synchronous: 'NORMAL' })
    t.after(() => storage.close())
    return storage
  }

  test(`${engine}: a fresh database gets every step, recorded with its moment`, async (t) => {
    const storage = await openEmpty(t)
    assert.deepEqual(await migrate(storage, { now, migrations: [FIRST, SECOND] }), [FIRST, SECOND])
    assert.deepEqual(await applied(storage), [
      { id: 1, name: 'first', applied_at: '2026-11-20 18:30:00' },
      { id: 2, name: 'second', applied_at: '2026-11-20 18:30:00' },
    ])
    assert.deepEqual(await storage.all(query('select a, b from one')), [])
  })

  test(`${engine}: a database that has all steps is left alone, an older one gets what it lacks`, async (t) => {
    const storage = await openEmpty(t)
    await migrate(storage, { now, migrations: [FIRST] })
    assert.deepEqual(await migrate(storage, { now, migrations: [FIRST] }), [])
    assert.deepEqual(await migrate(storage, { now, migrations: [FIRST, SECOND] }), [SECOND])
    assert.deepEqual(await migrate(storage, { now, migrations: [FIRST, SECOND] }), [])
  })

  test(`${engine}: a start that has no step to apply writes nothing, so it waits for no other write`, async (t) => {
    const storage = await openEmpty(t)
    await migrate(storage, { now })
    const before = storage.stats().jobs
    await migrate(storage, { now })
    assert.equal(storage.stats().jobs, before)
  })

  test(`${engine}: two starts at once apply each step once`, async (t) => {
    const storage = await openEmpty(t)
    const options = { now, migrations: [FIRST, SECOND] }
    const done = await Promise.all([migrate(storage, options), migrate(storage, options)])
    assert.deepEqual(
      done
        .flat()
        .map(({ id }) => id)
        .sort(),
      [1, 2],
    )
  })

  test(`${engine}: a database of a newer program is refused and not touched`, async (t) => {
    const storage = await openEmpty(t)
    await migrate(storage, { now, migrations: [FIRST, SECOND] })
    await assert.rejects(migrate(storage, { now, migrations: [FIRST] }), {
      code: 'database_newer',
      slots: { path: storage.location },
    })
    assert.equal((await applied(storage)).length, 2)
  })

  test(`${engine}: a database from before the first release is refused with what to do`, async (t) => {
    const storage = await openEmpty(t)
    const former = ['calendar', 'pictures'].map((name, index) => ({ ...FIRST, id: index + 1, name, up: () => [] }))
    await migrate(storage, { now, migrations: former })
    await assert.rejects(
      migrate(storage, { now }),
      /from before the first release. Export it .* import the folder into a new/,
    )
    assert.equal((await applied(storage)).length, 2)
  })

  test(`${engine}: a database with other steps than ours is refused`, async (t) => {
    const storage = await openEmpty(t)
    await migrate(storage, { now, migrations: [{ ...FIRST, name: 'somebody else' }] })
    await assert.rejects(migrate(storage, { now, migrations: [FIRST] }), { code: 'database_not_usable' })
  })

  test(`${engine}: a step that fails leaves no trace and the steps before it stay`, async (t) => {
    const storage = await openEmpty(t)
    const broken: Migration = { id: 2, name: 'broken', up: () => ['create table two (a integer)', 'create nonsense'] }
    await assert.rejects(migrate(storage, { now, migrations: [FIRST, broken] }), /nonsense/)
    assert.equal((await applied(storage)).length, 1)
    await assert.rejects(storage.all(query('select a from two')), /two/)
    assert.deepEqual(await migrate(storage, { now, migrations: [FIRST, SECOND] }), [SECOND])
  })

  test(`${engine}: the steps of this program apply to an empty database`, async (t) => {
    const storage = await openEmpty(t)
    assert.deepEqual(await migrate(storage, { now }), [...MIGRATIONS])
  })
}

test('the steps of this program are numbered 1, 2, 3 without gaps, each with a name of its own', () => {
  assert.deepEqual(
    MIGRATIONS.map(({ id }) => id),
    MIGRATIONS.map((_, index) => index + 1),
  )
  assert.equal(new Set(MIGRATIONS.map(({ name }) => name)).size, MIGRATIONS.length)
})
