import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { examineKey } from '../src/ops/doctor/key.ts'
import { orphans } from '../src/ops/doctor/references.ts'
import { migrate } from '../src/storage/migrate.ts'
import { openStorage } from '../src/storage/open.ts'
import { written } from '../src/storage/statement-builder.ts'
import { examined, openExaminedCalendar } from './support/doctor.ts'
import { paint } from './support/images.ts'
import { administratorOf, ask, EVENT, sending } from './support/processes.ts'
import { databaseOf, openDataFolder } from './support/server.ts'
import { runStatement } from './support/storage.ts'
import { upload } from './support/upload.ts'

const API = '/cal/events/v1'

/** What is done to a database so that a row names what is not there. */
const NAMES_NOTHING = [
  'update category set parent = 777',
  'update tag set parent = 777',
  "update event set image_id = 888 where status = 'publish'",
  'update venue set image_id = 888',
  'update organizer set image_id = (select min(id) from event)',
  'update event set post_parent = 999',
  'update event set post_parent = (select min(id) from venue)',
  'update media set author_id = 4711',
  'update event set author_id = 4711',
  "insert into user_password (user_id, hash, changed_at) values (4711, '', '2027-01-01 10:00:00')",
  `insert into provenance (origin, kind, external_id, item_id, digest, is_gone) values ('subscription 5', 'uid', 'x', 999999, '{}', 0)`,
] as const

test('doctor tells of a key that is lost or none, unless another one is configured', async (t) => {
  const { data, server } = await openExaminedCalendar(t)
  await server.stop('SIGTERM')
  const path = join(data, 'secret.key')
  const key = await readFile(path)
  await rm(path)
  assert.deepEqual(await examined(data), { code: 2, wrong: ['key'] })
  assert.deepEqual(await examined(data, '--repair'), { code: 2, wrong: ['key'] }, 'no other key is made')
  for (const text of ['', 'abc', `${'g'.repeat(64)}\n`]) {
    await writeFile(path, text, { mode: 0o600 })
    assert.deepEqual(await examined(data), { code: 2, wrong: ['key'] }, text)
  }
  const storage = await openStorage({ database: await databaseOf(data) })
  assert.equal((await examineKey(storage, { data, secret: 'f'.repeat(64) })).problems, 0)
  await storage.close()
  await writeFile(path, key)
  assert.deepEqual(await examined(data), { code: 0, wrong: [] })
})

test('doctor misses no key in a calendar without users, whose first start makes it', async (t) => {
  const data = await openDataFolder(t)
  const storage = await openStorage({ database: await databaseOf(data) })
  await migrate(storage, { now: () => Date.UTC(2027, 0, 1) })
  assert.equal((await examineKey(storage, { data, secret: '' })).problems, 0)
  await writeFile(join(data, 'secret.key'), 'abc')
  assert.equal((await examineKey(storage, { data, secret: '' })).problems, 1, 'no server starts with that')
  await storage.close()
})

test('doctor finds pictures that are empty, cut off or no files', async (t) => {
  const { data, server } = await openExaminedCalendar(t)
  await server.stop('SIGTERM')
  const media = join(data, 'media')
  const names = (await readdir(media, { recursive: true })).filter((name) => name.endsWith('.png'))
  assert.equal(names.length, 3, 'the full size and two smaller ones')
  for (const name of names) {
    const path = join(media, name)
    const bytes = await readFile(path)
    for (const size of [0, bytes.length - 1, bytes.length + 1]) {
      await truncate(path, size)
      assert.deepEqual(await examined(data), { code: 2, wrong: ['pictures'] }, `${name}: ${size}`)
    }
    await rm(path)
    await mkdir(path, { mode: 0o700 })
    assert.deepEqual(await examined(data), { code: 2, wrong: ['pictures'] }, `${name}: a folder`)
    await rm(path, { recursive: true })
    await writeFile(path, bytes)
    assert.deepEqual(await examined(data), { code: 0, wrong: [] }, name)
  }
})

test('doctor finds rows that name what is not there', async (t) => {
  const { data, server } = await openExaminedCalendar(t)
  await server.stop('SIGTERM')
  const storage = await openStorage({ database: await databaseOf(data) })
  for (const statement of NAMES_NOTHING) {
    let found: readonly string[] = []
    const trial = storage.write(async (tx) => {
      await tx.run(written(statement))
      found = await orphans(tx)
      throw new Error('undone')
    })
    await assert.rejects(trial, /undone/)
    assert.notDeepEqual(found, [], statement)
  }
  await runStatement(storage, 'update event set image_id = 888')
  await storage.close()
  assert.deepEqual(await examined(data, '--repair'), { code: 2, wrong: ['foreign keys'] })
})

test('doctor finds nothing where everything that was named has been deleted', async (t) => {
  const { data, server } = await openExaminedCalendar(t)
  const authorization = administratorOf(server)
  const send = async (path: string, json: object, method = 'POST') => {
    const got = await ask(`${server.origin}${path}`, sending(authorization, json, method))
    assert.ok(got !== undefined && got.status < 300, `${method} ${path}: ${JSON.stringify(got?.body)}`)
    return got.body
  }
  const make = async (kind: string, json: object): Promise<number> => (await send(`${API}/${kind}`, json)).id ?? 0
  const remove = (path: string) => send(`${path}?force=true`, {}, 'DELETE')

  const top = await make('categories', { name: 'Top' })
  const middle = await make('categories', { name: 'Middle', parent: top })
  await make('categories', { name: 'Low', parent: middle })
  const tag = await make('tags', { name: 'Gone' })
  const at = { origin: server.origin, authorization: () => authorization }
  const bytes = await paint(40, 32).png().toBuffer()
  const image = (await upload(at, 'administrator', { bytes })).body.id
  const venue = await make('venues', { venue: 'Hall', image })
  const whole = await make('events', { ...EVENT, image, categories: [middle], tags: [tag], venue: { id: venue } })
  const weekly = { ...EVENT, recurrence: 'RRULE:FREQ=WEEKLY;COUNT=3' }
  const series = await make('events', { ...weekly, image, post_parent: whole })
  const dates = `${API}/events?series=${series}&start_date=2000-01-01&end_date=2100-01-01`
  const { events } = (await (await fetch(server.origin + dates)).json()) as { events: { id: number }[] }
  const [, second = 0, third = 0] = events.map(({ id }) => id)
  await send(`${API}/events/${second}`, { title: 'Guest' })
  await make('events', { ...EVENT, post_parent: third })
  await make('events', { ...EVENT, post_parent: series })
  assert.deepEqual(await examined(data), { code: 0, wrong: [] }, 'before')

  await remove(`${API}/categories/${middle}`)
  await remove(`${API}/categories/${top}`)
  await remove(`${API}/tags/${tag}`)
  await remove(`${API}/events/${whole}`)
  await remove(`${API}/venues/${venue}`)
  await send(`${API}/events/${series}`, { image: '', recurrence: 'RRULE:FREQ=WEEKLY;COUNT=2' })
  assert.deepEqual(await examined(data), { code: 0, wrong: [] }, 'without a date that has a part')
  await remove(`${API}/events/${series}`)
  await remove(`/kalends/v1/media/${image}`)
  assert.deepEqual(await examined(data), { code: 0, wrong: [] }, 'after')
})
