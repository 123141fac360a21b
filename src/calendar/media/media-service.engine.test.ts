import assert from 'node:assert/strict'
import { readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { paint } from '../../../test/support/images.ts'
import { ENGINES, openTestStorage, testFolder } from '../../../test/support/test-storage.ts'
import { lastRemoval, TRASH_LIFETIME } from '../../storage/removed-items.ts'
import { type ImageRow, imagesById } from '../shared/stored-image.ts'
import { developImage } from './develop.ts'
import { type ImageFiles, openImageFiles } from './image-files.ts'
import { openMediaService, type SentFile } from './media-service.ts'
import { keepImage } from './removed.ts'
import { deleteImage, filesOf, insertImage } from './store.ts'

const BYTES = await paint(200, 20).png().toBuffer()
/** When images are deleted. */
const AT = '2026-01-01 00:00:00'
const SENT: SentFile = { bytes: BYTES, title: 'Boat', alt: '', author: 1, now: 0, language: 'en' }

async function filesIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  return found.flatMap((one) => (one.isFile() ? [one.name] : [])).sort()
}

async function open(t: TestContext, engine: (typeof ENGINES)[number], broken: Partial<ImageFiles> = {}) {
  const folder = testFolder(t)
  const storage = await openTestStorage(engine, t)
  const reports: unknown[] = []
  const service = openMediaService({
    storage,
    files: { ...openImageFiles(folder), ...broken },
    decoder: { develop: developImage },
    gate: () => false,
    limit: 1_000_000,
    report: (error) => void reports.push(error),
  })
  const add = (): Promise<ImageRow> => service.add(SENT, (job) => storage.write(job))
  const remove = (row: ImageRow): Promise<void> =>
    service.remove(row, 0, () => storage.write((tx) => deleteImage(tx, row, { actor: 1, at: AT })))
  const removeKept = (row: ImageRow): Promise<void> =>
    service.remove(row, Date.parse(`${AT}Z`), () =>
      storage.write(async (tx) => {
        await keepImage(tx, row, { actor: 1, at: AT })
        await deleteImage(tx, row, { actor: 1, at: AT })
      }),
    )
  return { folder, storage, reports, service, add, remove, removeKept, files: () => filesIn(folder) }
}

for (const engine of ENGINES) {
  test(`equal images have files of their own, which go with their row (${engine})`, async (t) => {
    const { add, remove, files } = await open(t, engine)
    const [first, second] = await Promise.all([add(), add()])
    assert.notEqual(first.file, second.file)
    assert.equal((await files()).length, 4)
    await remove(first)
    assert.deepEqual(await files(), [second.file, second.file.replace('.png', '-150x20.png')].sort())
    await remove(second)
    assert.deepEqual(await files(), [])
  })

  test(`files that an older version let two rows share go with the last of them (${engine})`, async (t) => {
    const { storage, add, remove, files } = await open(t, engine)
    const first = await add()
    const { id: _id, revision: _revision, slug: _slug, caption: _caption, ...columns } = first
    const second = await storage.write((tx) => insertImage(tx, columns))
    await remove(first)
    assert.equal((await files()).length, 2)
    await remove(second)
    assert.deepEqual(await files(), [])
  })

  test(`a deleted image comes back to those who may delete it, only with its files and only for 30 days (${engine})`, async (t) => {
    const { folder, storage, service, add, files, removeKept } = await open(t, engine)
    const row = await add()
    await removeKept(row)
    const id = await lastRemoval(storage, { kind: 'image', itemId: row.id })
    const now = Date.parse(`${AT}Z`)
    const back = (by: number, at = now) =>
      service.restore({ id: id ?? 0, caller: { id: by, role: 'author', name: '' }, now: at })
    const hidden = filesOf(row).map((name) => `${name}.removed`)
    await assert.rejects(back(2), { code: 'rest_forbidden' })
    await assert.rejects(back(1, now + TRASH_LIFETIME + 1000), { code: 'precondition_failed' })
    const [full = ''] = hidden
    const path = join(folder, full.slice(0, 2), full)
    await rename(path, `${path}.away`)
    await assert.rejects(back(1), { code: 'precondition_failed' })
    await rename(`${path}.away`, path)
    assert.deepEqual([await files(), (await imagesById(storage, [row.id])).size], [hidden.sort(), 0])
    const both = await Promise.allSettled([back(1), back(1)])
    assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    assert.deepEqual(await files(), [...filesOf(row)].sort())
    assert.deepEqual((await imagesById(storage, [row.id])).get(row.id), { ...row, revision: 3 })
    await removeKept({ ...row, revision: 3 })
    const again = (await lastRemoval(storage, { kind: 'image', itemId: row.id })) ?? 0
    const destroy = (by: number) => service.destroy({ id: again, caller: { id: by, role: 'author', name: '' }, now })
    await assert.rejects(destroy(2), { code: 'rest_forbidden' })
    await destroy(1)
    assert.deepEqual(await files(), [])
    await assert.rejects(service.restore({ id: again, caller: { id: 1, role: 'author', name: '' }, now }), {
      code: 'precondition_failed',
    })
  })

  test(`a write that fails leaves no file and throws what it threw (${engine})`, async (t) => {
    const { service, files } = await open(t, engine)
    const refused = service.add(SENT, async () => {
      assert.equal((await files()).length, 2)
      throw new Error('refused')
    })
    await assert.rejects(refused, /refused/)
    assert.deepEqual(await files(), [])
  })

  test(`an image of another site is stored together with the note of where it came from (${engine})`, async (t) => {
    const { service, storage, files } = await open(t, engine)
    const rows = () => storage.all(storage.db.selectFrom('media').select('id'))
    const adopt = (note: () => Promise<void>) =>
      service.adopt({
        bytes: BYTES,
        alt: '',
        source: 'https://there.example/a.png',
        wishedId: 7,
        author: 1,
        now: 0,
        note,
      })
    const refused = adopt(() => Promise.reject(new Error('no note')))
    await assert.rejects(refused, /no note/)
    assert.deepEqual([await rows(), await files()], [[], []])
    assert.deepEqual(await adopt(async () => undefined), { ok: true, id: 7 })
    assert.deepEqual(await rows(), [{ id: 7 }])
  })

  test(`files stay when a commit took place whose answer got lost (${engine})`, async (t) => {
    const { storage, service, files } = await open(t, engine)
    const lost = service.add(SENT, async (job) => {
      await storage.write(job)
      throw new Error('no answer')
    })
    await assert.rejects(lost, /no answer/)
    assert.equal((await files()).length, 2)
  })
}

test('files that cannot be removed are reported and nothing else', async (t) => {
  const [engine = 'sqlite'] = ENGINES
  const { add, remove, reports } = await open(t, engine, { remove: () => Promise.reject(new Error('busy')) })
  await remove(await add())
  assert.match(String(reports[0]), /busy/)
})

test('a file is written whole, again when it was damaged, and without drafts beside it', async (t) => {
  const folder = testFolder(t)
  const files = openImageFiles(folder)
  const bytes = Buffer.from('full')
  await Promise.all([1, 2, 3].map(() => files.put('ab1.png', bytes)))
  await writeFile(join(folder, 'ab', 'ab1.png'), 'fu')
  await files.put('ab1.png', bytes)
  const file = await files.open('ab1.png')
  assert.equal(file?.size, 4)
  const parts: Buffer[] = []
  for await (const part of file?.read({ start: 1, end: 2 }) ?? []) parts.push(part)
  assert.equal(Buffer.concat(parts).toString(), 'ul')
  assert.deepEqual(await filesIn(folder), ['ab1.png'])
  await files.remove('ab1.png')
  await files.remove('ab1.png')
  assert.deepEqual([await filesIn(folder), await files.open('ab1.png')], [[], undefined])
})
