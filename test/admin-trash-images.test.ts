import assert from 'node:assert/strict'
import test from 'node:test'
import { visitor } from './support/admin.ts'
import { openTestApp, type TestApp } from './support/app.ts'
import { paint } from './support/images.ts'
import { assertJournalMirrors } from './support/mirror.ts'
import { restorableIn, restoreFrom } from './support/trash.ts'
import { upload } from './support/upload.ts'

type Person = Awaited<ReturnType<typeof visitor>>

const LIST = '/admin/media'

/** A picture of the author, and what is said of it. */
async function poster(site: TestApp) {
  const bytes = await paint(400, 320).png().toBuffer()
  const { body } = await upload(site, 'author', { bytes, texts: { alt_text: 'Boats at dawn' } })
  return body
}

/** Moves a picture to the trash by its form; the page that follows. */
async function remove(person: Person, id: number): Promise<string> {
  const { to } = await person.submit(LIST, { id: String(id), action: 'delete' })
  const { text } = await person.show(to)
  assert.match(text, /role="status">Moved to trash</)
  return text
}

test('a picture that was deleted comes back with its files, its id and what is said of it', async (t) => {
  const site = await openTestApp(t)
  const ada = await visitor(site, 'author')
  const made = await poster(site)
  const statuses = async () => {
    const urls = [made.image.url, ...Object.values<{ url: string }>(made.image.sizes).map(({ url }) => url)]
    return new Set(await Promise.all(urls.map(async (url) => (await fetch(url)).status)))
  }
  const text = await remove(ada, made.id)
  assert.deepEqual(await statuses(), new Set([404]))
  assert.doesNotMatch(text, /Boats at dawn/)
  const { to, text: shown } = await restoreFrom(ada, text, LIST)
  assert.equal(to, `${LIST}?done=back`)
  assert.match(shown, /role="status">Restored</)
  assert.match(shown, /alt="Boats at dawn"/)
  assert.deepEqual(await statuses(), new Set([200]))
  const { body } = await site.call('author', 'GET', made.rest_url)
  assert.deepEqual(body, made)
  await assertJournalMirrors(site.app.storage)
  // Once more changes nothing.
  await restoreFrom(ada, text)
  assert.deepEqual(await statuses(), new Set([200]))
})

test('authors restore and delete permanently their own pictures, editors all, and nobody after 30 days', async (t) => {
  const site = await openTestApp(t)
  const [ada, eve] = [await visitor(site, 'author'), await visitor(site, 'editor')]
  const made = await poster(site)
  const text = await remove(ada, made.id)
  const read = async () => (await site.call('editor', 'GET', `${site.origin}/kalends/v1/media/${made.id}`)).status
  assert.equal(restorableIn((await eve.show(`${LIST}?done=trash&trashed=${restorableIn(text)}`)).text), '')
  site.clock.now += 30 * 86_400_000 + 1000
  await restoreFrom(await visitor(site, 'author'), text)
  assert.equal(await read(), 404)
  site.clock.now -= 3000
  await restoreFrom(await visitor(site, 'editor'), text)
  assert.equal(await read(), 200)
  await site.call('editor', 'DELETE', `${site.origin}/kalends/v1/media/${made.id}`)
  const bob = await visitor(site, 'author')
  const trash = await bob.show('/admin/trash')
  const [, key = ''] = /name="delete" value="(image-\d+)"/.exec(trash.text) ?? []
  const asked = await bob.submit('/admin/trash', { delete: key })
  assert.match(asked.text, /Delete .* permanently\?/)
  assert.equal((await bob.send('/admin/trash', asked.text, { action: 'delete' })).to, '/admin/trash?done=deleted')
  assert.match((await bob.show('/admin/trash')).text, /The trash is empty/)
})
