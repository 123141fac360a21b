import assert from 'node:assert/strict'
import { readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { ENGINES, openTestStorage, testFolder } from '../../../test/support/test-storage.ts'
import { createLog } from '../../base/log.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import type { Storage } from '../../storage/engine.ts'
import { removeForgotten } from './file-keeping.ts'
import { openImageFiles } from './image-files.ts'
import { keepImage } from './removed.ts'
import { deleteImage, insertImage } from './store.ts'
import { openSweep, type SweepDeps, sweepOnce } from './sweep.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const NEVER = new AbortController().signal

/** `ab`, followed by a number: the full size of an image. */
function nameOf(number: number): string {
  return `ab${number.toString(16).padStart(38, '0')}.png`
}

async function open(t: TestContext, storage: Storage) {
  const folder = testFolder(t)
  const files = openImageFiles(folder)
  const said: { level: number; msg: string; pictures?: number }[] = []
  const log = createLog({ level: 'info', now: () => 0, stream: { write: (line) => void said.push(JSON.parse(line)) } })
  const clock = { now: Date.now() }
  const deps: SweepDeps = { storage, files, log, report: assert.ifError, now: () => clock.now }
  const put = async (number: number): Promise<string> => {
    await files.put(nameOf(number), Buffer.from('a'))
    return nameOf(number)
  }
  const insert = (file: string) =>
    storage.write((tx) => {
      const columns = { title: '', alt: '', author_id: 1, created_at: '2026-01-01 00:00:00', source_url: null }
      const picture = { mime: 'image/png', width: 1, height: 1, filesize: 1, file, sizes: '{}' }
      return insertImage(tx, { ...columns, ...picture })
    })
  const left = async () => (await readdir(join(folder, 'ab'))).sort()
  return { folder, files, deps, said, clock, put, insert, left }
}

for (const engine of ENGINES) {
  test(`files of a deleted picture stay as long as it can be restored, and none of them longer (${engine})`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const { folder, deps, clock, put, insert, left, files } = await open(t, storage)
    const [deleted, lost] = [await put(1), await put(2)]
    const at = utcFromMillis(clock.now)
    const row = await insert(deleted)
    await storage.write(async (tx) => {
      await keepImage(tx, row, { actor: 1, at })
      await deleteImage(tx, row, { actor: 1, at })
    })
    await files.hide(lost)
    const before = new Date(clock.now - DAY - MINUTE)
    await utimes(join(folder, 'ab', deleted), before, before)
    await sweepOnce(deps, NEVER)
    assert.deepEqual(await left(), [deleted, `${lost}.removed`], 'a crash came before it was hidden')
    clock.now += 30 * DAY - MINUTE
    await removeForgotten({ ...deps, report: assert.ifError }, clock.now)
    assert.deepEqual(await left(), [deleted, `${lost}.removed`])
    clock.now += 2 * MINUTE
    await removeForgotten({ ...deps, report: assert.ifError }, clock.now)
    assert.deepEqual(await left(), [`${lost}.removed`])
    clock.now += DAY
    await sweepOnce(deps, NEVER)
    assert.deepEqual(await left(), [])
  })

  test('files that no row names go when they are a day old, with all their sizes, and nothing else does', async (t) => {
    const { folder, deps, said, clock, put, insert, left, files } = await open(t, await openTestStorage(engine, t))
    const [named, young] = [await put(1), await put(2)]
    await insert(named)
    const old = await put(3)
    const small = old.replace('.png', '-300x200.png')
    await files.put(small, Buffer.from('s'))
    const foreign = ['notes.txt', `${old}.bak`, '.gitkeep', `.${old}`]
    for (const name of foreign) await writeFile(join(folder, 'ab', name), '')
    await writeFile(join(folder, 'README'), '')
    const before = new Date(clock.now - DAY - MINUTE)
    for (const name of [named, old, small, ...foreign]) await utimes(join(folder, 'ab', name), before, before)

    await sweepOnce(deps, NEVER)
    assert.deepEqual(await left(), [...foreign, named, young].sort())
    assert.deepEqual(said, [{ level: 30, time: 0, pictures: 1, msg: 'removed files without an image' }])
    await sweepOnce(deps, NEVER)
    assert.equal(said.length, 1, 'a round that removes nothing says nothing')
    clock.now += 2 * DAY
    await sweepOnce(deps, NEVER)
    assert.deepEqual(await left(), [...foreign, named].sort())
  })

  test('drafts are removed once nobody writes them any more', async (t) => {
    const { folder, deps, clock, put, insert, left } = await open(t, await openTestStorage(engine, t))
    const named = await put(1)
    await insert(named)
    await writeFile(join(folder, 'ab', '.0123456789abcdef.part'), '')
    await sweepOnce(deps, NEVER)
    assert.equal((await left()).length, 2, 'another process may be about to finish it')
    clock.now += MINUTE
    await sweepOnce(deps, NEVER)
    assert.deepEqual(await left(), [named])
  })

  test('a folder whose files are mostly of no picture is that of another calendar and left alone', async (t) => {
    const { deps, said, clock, put, insert, left } = await open(t, await openTestStorage(engine, t))
    await insert(await put(0))
    for (let number = 1; number <= 12; number += 1) await put(number)
    clock.now += 2 * DAY
    await sweepOnce(deps, NEVER)
    assert.equal((await left()).length, 13)
    assert.deepEqual(
      said.map(({ level, msg }) => [level, msg.split(';')[0]]),
      [[40, 'most files in the image folder belong to no image']],
    )
    await insert(nameOf(1))
    await sweepOnce(deps, NEVER)
    assert.deepEqual(await left(), [nameOf(0), nameOf(1)])
  })
}

test('a sweep begins when it is told, goes on where it was paused, and stops', async (t) => {
  const storage = await openTestStorage(ENGINES[0] ?? 'sqlite', t)
  const { deps, clock, put, left } = await open(t, storage)
  await put(1)
  clock.now += 2 * DAY
  const sweep = openSweep(deps)
  sweep.begin()
  sweep.pause()
  sweep.begin()
  while ((await left()).length > 0) await new Promise((resolve) => setImmediate(resolve))
  await sweep.stop()
  await put(1)
  sweep.begin()
  await sweep.stop()
  assert.deepEqual(await left(), [nameOf(1)])
})
