import assert from 'node:assert/strict'
import test from 'node:test'
import { openTestApp, type TestApp } from '../../../../test/support/app.ts'
import { fileOf, importFiles } from '../../../../test/support/json-import.ts'
import { rowsOf } from '../../../../test/support/storage.ts'

function term(id: number, name: string, more: Readonly<Record<string, unknown>> = {}) {
  return { id, name, slug: 'music', description: '', parent: 0, taxonomy: 'tribe_events_cat', ...more }
}

function fileFrom(host: string, ...terms: readonly ReturnType<typeof term>[]) {
  const categories = terms.map((one) => ({ ...one, urls: { self: `https://${host}/categories/${one.id}` } }))
  return fileOf({ categories }, `${host}.json`)
}

async function stored(app: TestApp): Promise<readonly string[]> {
  const rows = await rowsOf(app.app.storage, 'select name, slug from category order by id')
  return rows.map(({ name, slug }) => `${name} ${slug}`)
}

test('categories of different names stay apart although two sites use one slug', async (t) => {
  const app = await openTestApp(t)
  const files = [fileFrom('a.example', term(5, 'Music')), fileFrom('b.example', term(7, 'Musik'))]
  await importFiles(app, files)
  assert.deepEqual(await stored(app), ['Music music', 'Musik music-2'])
  for (const file of files) {
    const { created, updated } = await importFiles(app, [file])
    assert.deepEqual([created, updated], [0, 0])
  }
  assert.deepEqual(await stored(app), ['Music music', 'Musik music-2'])
})

test('a category of a name that is here, in another spelling, is that one', async (t) => {
  const app = await openTestApp(t)
  await importFiles(app, [fileFrom('a.example', term(5, 'Café Music'))])
  await importFiles(app, [fileFrom('b.example', term(7, 'CAFÉ  music'))])
  assert.deepEqual(await stored(app), ['Café Music music'])
  await importFiles(app, [fileFrom('c.example', term(9, 'Cafe Music'))])
  assert.deepEqual((await stored(app)).slice(1), ['Cafe Music music-2'])
})

test('a category that is renamed where it comes from is the same', async (t) => {
  const app = await openTestApp(t)
  await importFiles(app, [fileFrom('a.example', term(5, 'Music'))])
  const { created, updated } = await importFiles(app, [
    fileFrom('a.example', term(5, 'Concerts', { slug: 'concerts' })),
  ])
  assert.deepEqual([created, updated], [0, 1])
  assert.deepEqual(await stored(app), ['Concerts concerts'])
})
