// Only with --all: calendars lose parts that nothing else says again.
import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { examined, openExaminedCalendar } from './support/doctor.ts'

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
