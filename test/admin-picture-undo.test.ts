import assert from 'node:assert/strict'
import test from 'node:test'
import { visitor } from './support/admin.ts'
import { openTestApp, type TestApp } from './support/app.ts'
import { paint } from './support/images.ts'
import { assertJournalMirrors } from './support/mirror.ts'
import { upload } from './support/upload.ts'

type Person = Awaited<ReturnType<typeof visitor>>

const LIST = '/admin/media'

/** What the undo button of a page sends; '' where there is none. */
function undoIn(text: string): string {
  return /name="undo" value="([^"]*)"/.exec(text)?.[1] ?? ''
}

/** A picture of the author, and what is said of it. */
async function poster(site: TestApp) {
  const bytes = await paint(400, 320).png().toBuffer()
  const { body } = await upload(site, 'author', { bytes, texts: { alt_text: 'Boats at dawn' } })
  return body
}

/** Deletes a picture by its form, after the question; the page that follows. */
async function remove(person: Person, id: number): Promise<string> {
  const asked = await person.submit(LIST, { id: String(id), action: 'delete' })
  assert.match(asked.text, /It can be undone for an hour\./)
  const { to } = await person.send(LIST, asked.text, { action: 'delete' })
  const { text } = await person.show(to)
  assert.match(text, /role="status">Deleted</)
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
  const back = await ada.submit(LIST, { action: 'restore', undo: undoIn(text) })
  assert.equal(back.to, `${LIST}?done=back`)
  const shown = (await ada.show(back.to)).text
  assert.match(shown, /role="status">Brought back</)
  assert.match(shown, /alt="Boats at dawn"/)
  assert.deepEqual(await statuses(), new Set([200]))
  const { body } = await site.call('author', 'GET', made.rest_url)
  assert.deepEqual(body, made)
  await assertJournalMirrors(site.app.storage)
  // Done is done: the same address again says so, and keeps the picture.
  const twice = await ada.submit(LIST, { action: 'restore', undo: undoIn(text) })
  assert.equal(twice.status, 400)
  assert.match(twice.text, /role="alert"/)
  assert.deepEqual(await statuses(), new Set([200]))
})

test('nobody else brings a picture back by the address of that page, and nobody after an hour', async (t) => {
  const site = await openTestApp(t)
  const [ada, eve] = [await visitor(site, 'author'), await visitor(site, 'editor')]
  const made = await poster(site)
  const undo = undoIn(await remove(ada, made.id))
  assert.notEqual(undo, '')
  const read = async () => (await site.call('editor', 'GET', `${site.origin}/kalends/v1/media/${made.id}`)).status
  assert.equal((await eve.submit(LIST, { action: 'restore', undo })).to, LIST)
  assert.equal(undoIn((await eve.show(`${LIST}?done=deleted&undo=${undo}`)).text), '')
  assert.equal(await read(), 404)
  site.clock.now += 3_601_000
  assert.equal(undoIn((await ada.show(`${LIST}?done=deleted&undo=${undo}`)).text), '')
  assert.equal((await ada.submit(LIST, { action: 'restore', undo })).to, LIST)
  assert.equal(await read(), 404)
})
