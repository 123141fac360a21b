import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openTestApp } from './support/app.ts'
import { bomb, paint, tellingJpeg } from './support/images.ts'
import { assertJournalMirrors } from './support/mirror.ts'
import { upload, uploadRaw } from './support/upload.ts'

const folder = await mkdtemp(join(tmpdir(), 'kalends-media-'))
after(() => rm(folder, { recursive: true, force: true }))
const app = await openTestApp({ after }, { media: folder, mediaLimit: '200000' })
const { call, origin } = app
const MEDIA = `${origin}/kalends/v1/media`

/** Files that can be asked for: those of a deleted picture stay in the trash, but hidden. */
async function filesKept(): Promise<number> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  return names.filter((one) => one.isFile() && !one.name.endsWith('.removed')).length
}

test('an uploaded picture answers with its facts, by form and as the whole body', async () => {
  const bytes = await paint(400, 320).png().toBuffer()
  const texts = { title: 'A <b>boat</b> & more', alt_text: 'boat' }
  const { status, headers, body } = await upload(app, 'author', { bytes, texts })
  assert.equal(status, 201)
  assert.deepEqual(Object.keys(body), [
    ...['id', 'author', 'date', 'date_utc', 'rest_url', 'title', 'alt_text', 'mime_type', 'source', 'image'],
  ])
  assert.equal(headers.get('location'), `${origin}/wp-json/kalends/v1/media/${body.id}`)
  assert.deepEqual(
    [body.title, body.alt_text, body.mime_type, body.source],
    ['A boat &amp; more', 'boat', 'image/png', ''],
  )
  assert.deepEqual([body.date, body.date_utc], ['2026-11-20 13:00:00', '2026-11-20 18:00:00'])
  assert.deepEqual(Object.keys(body.image), ['url', 'id', 'extension', 'width', 'height', 'filesize', 'sizes'])
  assert.deepEqual(Object.keys(body.image.sizes), ['medium', 'thumbnail'])
  const { filesize, url, ...medium } = body.image.sizes.medium
  assert.deepEqual(medium, { width: 300, height: 240, 'mime-type': 'image/png' })
  assert.equal((await (await fetch(url)).arrayBuffer()).byteLength, filesize)
  const raw = await uploadRaw(app, 'author', {
    bytes,
    headers: { 'content-type': 'image/png', 'content-disposition': 'attachment; filename="Böot 2.png"' },
  })
  assert.equal(raw.status, 201)
  assert.notEqual(raw.body.id, body.id)
  assert.notEqual(raw.body.image.url, body.image.url, 'each picture has files of its own')
  await assertJournalMirrors(app.app.storage)
})

test('the name of the file is its title, without folders and ending', async () => {
  const bytes = await paint(9, 9).gif().toBuffer()
  for (const [name, title] of [
    ['C:\\pictures\\summer.day.gif', 'summer.day'],
    ['../../etc/passwd', 'passwd'],
    ['.gif', ''],
  ] as const)
    assert.equal((await upload(app, 'author', { bytes, name })).body.title, title)
})

test('authors and up upload, everybody else is refused before the file is taken in', async () => {
  const before = await filesKept()
  const bytes = await paint(31, 31).png().toBuffer()
  for (const [role, status] of [
    ['anonymous', 401],
    ['subscriber', 403],
    ['contributor', 403],
  ] as const) {
    for (const namespace of ['kalends/v1', 'wp/v2']) {
      const answer = await upload(app, role, { bytes, namespace })
      assert.deepEqual([answer.status, answer.body.code], [status, 'rest_forbidden'], role)
    }
  }
  assert.equal(await filesKept(), before)
  for (const role of ['author', 'editor', 'administrator'] as const)
    assert.equal((await upload(app, role, { bytes })).status, 201)
})

test('what is no picture, too large or missing is refused and leaves nothing', async () => {
  const before = await filesKept()
  const bytes = await paint(30, 30).jpeg().toBuffer()
  const refused = [
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    bytes.subarray(0, bytes.length / 2),
    await bomb(9e4, 9e4),
  ]
  for (const one of refused) {
    const { status, body } = await upload(app, 'author', { bytes: one, name: 'fine.jpg' })
    assert.deepEqual([status, body.code, Object.keys(body.data.params)], [400, 'rest_invalid_param', ['file']])
  }
  const large = await upload(app, 'author', { bytes: Buffer.alloc(200_001) })
  assert.deepEqual([large.status, large.body.code], [413, 'rest_body_too_large'])
  const larger = await uploadRaw(app, 'author', { bytes: Buffer.alloc(300_000), headers: {} })
  assert.deepEqual([larger.status, larger.body.code], [413, 'rest_body_too_large'])
  const nothing = await uploadRaw(app, 'author', { bytes: Buffer.alloc(0), headers: {} })
  assert.deepEqual([nothing.status, nothing.body.data.params], [400, ['file']])
  assert.equal(await filesKept(), before)
})

test('the place where a picture was taken is not served', async () => {
  const { body } = await upload(app, 'author', { bytes: await tellingJpeg() })
  const served = Buffer.from(await (await fetch(body.image.url)).arrayBuffer())
  assert.deepEqual([body.image.width, body.image.height], [200, 400])
  for (const secret of ['Exif', 'Kamera']) assert.ok(!served.includes(secret), secret)
})

test('the list shows the newest first, and everybody else only what something public shows', async () => {
  const { body } = await call('contributor', 'GET', `${MEDIA}?per_page=2&page=2`)
  assert.equal(body.media.length, 2)
  assert.ok(body.media[0].id > body.media[1].id)
  assert.match(body.next_rest_url, /\/kalends\/v1\/media\/\?per_page=2&page=3$/)
  assert.equal((await call('subscriber', 'GET', MEDIA)).body.total, 0)
  const { media } = (await call('author', 'GET', MEDIA)).body
  const json = { venue: 'Lido', image: media[0].id }
  const { body: venue } = await call('author', 'POST', '/venues', { json: { ...json, status: 'draft' } })
  assert.equal((await call('anonymous', 'GET', MEDIA)).body.total, 0)
  await call('author', 'PATCH', `/venues/${venue.id}`, { json: { status: 'publish' } })
  const open = await call('anonymous', 'GET', MEDIA)
  assert.deepEqual([open.body.total, open.body.media], [1, [media[0]]])
})

test('one picture is read by those who may name it, and by everybody once something public shows it', async () => {
  const { body: made } = await upload(app, 'author', { bytes: await paint(12, 12).png().toBuffer() })
  const seen = async () => {
    const paths = [`${MEDIA}/${made.id}`, `${origin}/wp/v2/media/${made.id}`]
    return Promise.all(paths.map(async (path) => (await call('anonymous', 'GET', path)).status))
  }
  assert.deepEqual(await seen(), [401, 401])
  assert.deepEqual((await call('contributor', 'GET', `${MEDIA}/${made.id}`)).body, {
    ...made,
    rest_url: `${MEDIA}/${made.id}`,
  })
  const json = { title: 'x', start_date: '2027-01-01', end_date: '2027-01-01', image: made.id }
  const { body: event } = await call('author', 'POST', '/events', { json: { ...json, status: 'draft' } })
  assert.deepEqual(await seen(), [401, 401])
  await call('author', 'PATCH', `/events/${event.id}`, { json: { status: 'publish', password: 'x' } })
  assert.deepEqual(await seen(), [401, 401])
  await call('author', 'PATCH', `/events/${event.id}`, { json: { password: '' } })
  assert.deepEqual(await seen(), [200, 200])
  const unknown = await call('author', 'GET', `${MEDIA}/${event.id}`)
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'media-not-found'])
})

test('writers of calendars upload in their own shape', async () => {
  const bytes = await paint(400, 320).jpeg().toBuffer()
  const texts = { title: 'Day at <sea>', alt_text: 'sea' }
  const answer = await upload(app, 'editor', { bytes, texts, namespace: 'wp/v2' })
  const { body } = answer
  assert.deepEqual([answer.status, answer.headers.get('location')], [201, `${origin}/wp-json/wp/v2/media/${body.id}`])
  const { id, date, slug, type, title, author, alt_text, media_type, mime_type, media_details, source_url, link } = body
  assert.deepEqual(
    { date, slug, type, title, alt_text, media_type, mime_type },
    {
      date: '2026-11-20T13:00:00',
      slug: 'day-at',
      type: 'attachment',
      title: { rendered: 'Day at' },
      alt_text: 'sea',
      media_type: 'image',
      mime_type: 'image/jpeg',
    },
  )
  assert.equal(typeof author, 'number')
  assert.equal(link, source_url)
  assert.deepEqual(
    [media_details.width, media_details.height, media_details.file],
    [400, 320, source_url.split('/').at(-1)],
  )
  assert.deepEqual(Object.keys(media_details.sizes), ['medium', 'thumbnail', 'full'])
  assert.equal((await fetch(media_details.sizes.medium.source_url)).status, 200)
  const read = await call('editor', 'GET', `${origin}/wp-json/wp/v2/media/${id}`)
  assert.deepEqual([read.status, read.body], [200, body])
})

test('authors delete their own pictures, editors all, and nobody gets the files of either any more', async () => {
  const bytes = await paint(170, 20, 'olive').png().toBuffer()
  const before = await filesKept()
  const { body: first } = await upload(app, 'author', { bytes })
  const { body: second } = await upload(app, 'editor', { bytes })
  assert.equal(await filesKept(), before + 4)
  const remove = (as: 'author' | 'contributor' | 'anonymous' | 'editor', id: number) =>
    call(as, 'DELETE', `${MEDIA}/${id}`)
  assert.equal((await remove('anonymous', first.id)).status, 401)
  assert.equal((await remove('contributor', first.id)).status, 403)
  assert.equal((await remove('author', second.id)).status, 403)
  assert.deepEqual((await remove('author', first.id)).body.id, first.id)
  assert.equal((await fetch(second.image.url)).status, 200)
  assert.equal((await remove('editor', second.id)).status, 200)
  assert.equal((await remove('editor', second.id)).body.code, 'media-not-found')
  assert.equal((await fetch(second.image.url)).status, 404)
  assert.equal(await filesKept(), before)
  await assertJournalMirrors(app.app.storage)
})

test('a picture that something has is not deleted, also not when that lies in the trash', async () => {
  const { body: made } = await upload(app, 'author', { bytes: await paint(14, 14).png().toBuffer() })
  const { body: venue } = await call('author', 'POST', '/venues', { json: { venue: 'Pier', image: made.id } })
  await call('author', 'DELETE', `/venues/${venue.id}`)
  const refused = await call('administrator', 'DELETE', `${MEDIA}/${made.id}`)
  assert.deepEqual([refused.status, refused.body.code], [409, 'media-in-use'])
  await call('author', 'PATCH', `/venues/${venue.id}`, { json: { image: null } })
  assert.equal((await call('author', 'DELETE', `${MEDIA}/${made.id}`)).status, 200)
})

test('files are served for ever, in parts, and as nothing but pictures', async () => {
  const { body } = await upload(app, 'author', { bytes: await paint(100, 100).png().toBuffer() })
  const { url, filesize } = body.image
  const ask = (headers: Record<string, string> = {}, method = 'GET') => fetch(url, { method, headers })
  const whole = await ask()
  const etag = whole.headers.get('etag') ?? ''
  const bytes = Buffer.from(await whole.arrayBuffer())
  assert.equal(bytes.length, filesize)
  const told = ['content-type', 'cache-control', 'x-content-type-options', 'accept-ranges', 'content-length']
  assert.deepEqual(
    told.map((name) => whole.headers.get(name)),
    ['image/png', 'public, max-age=31536000, immutable', 'nosniff', 'bytes', String(filesize)],
  )
  const head = await ask({}, 'HEAD')
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(filesize)])
  const part = await ask({ range: 'bytes=10-19' })
  assert.deepEqual([part.status, part.headers.get('content-range')], [206, `bytes 10-19/${filesize}`])
  assert.deepEqual(Buffer.from(await part.arrayBuffer()), bytes.subarray(10, 20))
  const outside = await ask({ range: `bytes=${filesize}-` })
  assert.deepEqual([outside.status, outside.headers.get('content-range')], [416, `bytes */${filesize}`])
  assert.equal((await ask({ 'if-none-match': etag })).status, 304)
  for (const name of ['x.png', '..%2f..%2fsecret.key', 'a'.repeat(40), `${'0'.repeat(40)}.png`, '.png'])
    assert.equal((await fetch(`${origin}/media/${name}`)).status, 404, name)
  assert.equal((await fetch(url, { method: 'POST' })).status, 404)
})
