// Only with --all: calendars lose parts that nothing else says again.
import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { examineKey } from '../src/doctor/key.ts'
import { migrate } from '../src/storage/migrate.ts'
import { openStorage } from '../src/storage/open.ts'
import { examined, openExaminedCalendar } from './support/doctor.ts'
import { databaseOf, openDataFolder } from './support/server.ts'

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
